"""Ties between people in a store: who follows and who has blocked whom. What they mean is said in `games.people`.

All times are ms since the epoch.
"""

from collections.abc import Collection, Sequence
from typing import Final

from server.games.people import MAX_TIES, Tie, TieKind, handed_over
from server.games.player import Player
from server.storage.fields import Fields, FlatRecord, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import KEY, Table, TableStore
from server.storage.time_slices import run_sliced

Block = tuple[str, str]
"""The ids of who has blocked, and of whom they have."""


def key_of(owner: str, kind: TieKind, other: str) -> str:
    """The key of the only tie of this kind from `owner` to `other` (ids)."""
    return f"{owner} {kind} {other}"


def to_document(tie: Tie) -> FlatRecord:
    """The tie as a record."""
    return {
        "_id": key_of(tie.owner, tie.kind, tie.other.id),
        "owner": tie.owner,
        "kind": tie.kind.value,
        "other": tie.other.id,
        "name": tie.other.name,
        "at": tie.at,
    }


def tie_of(fields: Fields) -> Tie:
    """The tie of stored fields. Raises as `fields` says."""
    other = Player(text(fields, "other"), text(fields, "name"))
    return Tie(text(fields, "owner"), TieKind(text(fields, "kind")), other, instant(fields, "at"))


def block_of(fields: Fields) -> Block:
    """The block of stored fields. Raises as `fields` says."""
    return text(fields, "owner"), text(fields, "other")


def changes_of_hands(ties: Collection[Tie], user: str, heir: Player) -> tuple[Sequence[str], Sequence[Tie]]:
    """What is to be deleted (keys) and then stored so that `heir` has the `ties` by and to `user`."""
    after = [handed_over(tie, user, heir) for tie in ties]
    before = [key_of(tie.owner, tie.kind, tie.other.id) for tie in ties]
    return before, [tie for tie in after if tie is not None]


TIES: Final = RecordKind(
    "ties",
    typed_fields("_id owner kind other name #at"),
    indexes=("owner", "other", "kind"),
    read=tie_of,
    people=("owner", "other"),
)


class TieStore(TableStore):
    """Who follows whom, and who has blocked whom."""

    kinds = (TIES, QUOTAS)

    def __init__(self, table: Table, quotas: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)

    async def keep(self, tie: Tie) -> bool:
        """Stores it instead of the same one from before. False: its owner has as many others as MAX_TIES says."""
        record, kind = to_document(tie), tie.kind.value
        key = key_of(tie.owner, tie.kind, tie.other.id)
        new = not await self._table.set({name: value for name, value in record.items() if name != KEY}, _id=key)
        if new:
            await self._table.put(record)
        quota = Quota(tie.owner, kind, MAX_TIES[tie.kind])
        admitted = await self._quotas.admit_record(
            quota, self._table, key, tie.at, "at _id", new=new, owner=tie.owner, kind=kind
        )
        # Who has more, since two accounts became one, changes what they have.
        return admitted or (not new and await self._table.count(_id=key) > 0)

    async def remove(self, owner: str, kind: TieKind, other: str) -> None:
        """Removes a tie; does nothing if there is none."""
        await self._table.delete(_id=key_of(owner, kind, other))

    async def of(self, owner: str) -> Sequence[Tie]:
        """The ties of `owner`, the oldest first."""
        return await self._table.read(tie_of, "at _id", owner=owner)

    async def blocks(self, person: str = "") -> Sequence[Block]:
        """All blocks by and of this person, or ("") of everybody."""
        find, kind = self._table.find, TieKind.BLOCKS.value
        if person:
            found = [*await find(kind=kind, owner=person), *await find(kind=kind, other=person)]
        else:
            found = [*await find(kind=kind)]
        return await run_sliced(self._table.damage.readable_sliced(self._table.kind.name, found, block_of))

    async def are_apart(self, one: str, other: str) -> bool:
        """Has either of these two (ids) blocked the other?"""
        keys = key_of(one, TieKind.BLOCKS, other), key_of(other, TieKind.BLOCKS, one)
        return bool(await self._table.find(_id=frozenset(keys)))

    async def hand_over(self, user: str, heir: Player) -> None:
        """Makes `heir` of `user` in all their ties and those to them. Repeating it changes nothing."""
        theirs = await self._table.read(tie_of, owner=user) + await self._table.read(tie_of, other=user)
        before, after = changes_of_hands(theirs, user, heir)
        documents = [to_document(tie) for tie in after]
        await self._table.put(*documents)
        # Last: a crash in between must lose none, and it is done again.
        await self._table.delete(_id=frozenset(before) - {str(one["_id"]) for one in documents})

    async def forget(self, person: str) -> None:
        """Deletes the ties of this person, and those to them."""
        await self._table.delete(owner=person)
        await self._table.delete(other=person)
