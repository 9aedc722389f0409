"""Stores sanctions, the networks that guests came from, the networks from which no new guests are accepted, and the
mail addresses of people who were shut out when their account was deleted.

Times are ms since the epoch. The person whom a sanction is about owns its record. Networks are keyed hashes, kept for
two weeks; so are those addresses, kept as long as the sanction would have held, 90 days at most.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.player import Player
from server.games.sanctions import SHUT_OUT, Measure, Reason, Sanction
from server.storage.fields import Fields, FlatRecord, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore, Step, Table, at_least, below

NETWORKS_KEPT_MS: Final = 14 * DAY_MS
"""How long the network of a guest is kept."""


def to_document(sanction: Sanction) -> FlatRecord:
    """The sanction as a record."""
    return {
        "_id": sanction.id,
        "owner": sanction.person.id,
        "owner_name": sanction.person.name,
        "measure": sanction.measure.value,
        "reason": sanction.reason.value,
        "words": sanction.words,
        "place": sanction.place,
        "author": sanction.by.id,
        "author_name": sanction.by.name,
        "at": sanction.at,
        "until": sanction.until,
        "ended": sanction.ended,
        "seen": sanction.seen,
        "appeal": sanction.appeal,
        "appealed": sanction.appealed,
        "answered": sanction.answered,
    }


def sanction_of(fields: Fields) -> Sanction:
    """The sanction of stored fields. Raises as `fields` says."""
    person, by = (Player(text(fields, one), text(fields, f"{one}_name")) for one in ("owner", "author"))
    return Sanction(
        text(fields, "_id"),
        person,
        Measure(text(fields, "measure")),
        Reason(text(fields, "reason")),
        text(fields, "words"),
        text(fields, "place"),
        by,
        instant(fields, "at"),
        until=number(fields, "until"),
        ended=number(fields, "ended"),
        seen=number(fields, "seen"),
        appeal=text(fields, "appeal"),
        appealed=number(fields, "appealed"),
        answered=number(fields, "answered"),
    )


def network_of(fields: Fields) -> tuple[str, str]:
    """A guest and their network, from stored fields. Raises as `fields` says."""
    return text(fields, "_id"), text(fields, "network")


def block_of(fields: Fields) -> tuple[str, int]:
    """A network and when its block ends, from stored fields. Raises as `fields` says."""
    return text(fields, "_id"), number(fields, "until")


def kept_out_of(fields: Fields) -> tuple[str, int]:
    """A keyed hash of an address and until when no account can use it, from stored fields. Raises as `fields` says."""
    return text(fields, "_id"), number(fields, "until")


SANCTIONS: Final = RecordKind(
    "sanctions",
    typed_fields(
        "_id owner owner_name measure reason words place author author_name #at #until #ended #seen appeal #appealed"
        " #answered"
    ),
    indexes=("owner", "ended", "at"),
    read=sanction_of,
    people=("owner",),
)
GUEST_NETWORKS: Final = RecordKind(
    "guest_networks", typed_fields("_id network #at"), indexes=("at",), read=network_of, people=("_id",)
)
BLOCKED_NETWORKS: Final = RecordKind(
    "blocked_networks", typed_fields("_id sanction #until"), indexes=("sanction", "until"), read=block_of
)
KEPT_OUT: Final = RecordKind("kept_out", typed_fields("_id #until"), indexes=("until",), read=kept_out_of)


class SanctionStore(OwnedTableStore):
    """Sanctions, the networks of guests, and the addresses of people who were shut out."""

    kinds = (SANCTIONS, GUEST_NETWORKS, BLOCKED_NETWORKS, KEPT_OUT)

    def __init__(self, table: Table, networks: Table, blocked: Table, kept_out: Table) -> None:
        super().__init__(table)
        self._networks = networks
        self._blocked = blocked
        self._kept_out = kept_out

    async def standing(self, now: int) -> Sequence[Sanction]:
        """All sanctions in force at `now`, the oldest first."""
        return [one for one in await self._table.read(sanction_of, "at _id", ended=0) if one.holds(now)]

    async def of(self, person: str) -> Sequence[Sanction]:
        """All sanctions of that person (an id), the newest first, including those that are over."""
        return await self._table.read(sanction_of, "at- _id-", owner=person)

    async def find(self, sanction_id: str) -> Sanction | None:
        """The sanction with that id. Raises Unreadable, Unavailable."""
        return await self._table.read_one(sanction_of, sanction_id)

    def add_step(self, sanction: Sanction) -> Step:
        """The step that stores a new sanction. Repeating it changes nothing."""
        return self._table.add_if_new_step(to_document(sanction))

    def block_steps(self, sanction: Sanction, network: str, until: int) -> Sequence[Step]:
        """The steps that refuse new guests from a network until then; none if `network` is "" or the time is over."""
        if not network or until <= sanction.at:
            return ()
        return (self._blocked.put_step({"_id": network, "sanction": sanction.id, "until": until}),)

    async def lift(self, sanction: Sanction, now: int, *written: Step) -> bool:
        """Ends a sanction and its block of a network at `now`, together with the steps `written` (idempotent). False:
        it is over already.
        """
        if not await self._table.count(_id=sanction.id, ended=0):
            return False
        unblock = self._blocked.delete_step(sanction=sanction.id)
        mark = self._table.set_step({"ended": now}, _id=sanction.id, ended=0)
        await self._table.settle(mark, unblock, *written)
        return True

    async def confirm(self, sanction_id: str, person: str, now: int) -> None:
        """Records that the person has read it. Repeating it changes nothing."""
        await self._table.set({"seen": now}, _id=sanction_id, owner=person, seen=0)

    async def appeal(self, sanction_id: str, person: str, said: str, now: int) -> bool:
        """Stores the person's appeal. False: there is one already, or the sanction is over."""
        to: FlatRecord = {"appeal": said, "appealed": now}
        return await self._table.set(to, _id=sanction_id, owner=person, appealed=0, ended=0) > 0

    async def keep(self, sanction: Sanction, now: int, *written: Step) -> bool:
        """Rejects the person's appeal, together with the steps `written`. False: that was decided before."""
        if not await self._table.count(_id=sanction.id, answered=0, ended=0):
            return False
        await self._table.settle(self._table.set_step({"answered": now}, _id=sanction.id, answered=0), *written)
        return True

    async def appeals(self) -> Sequence[Sanction]:
        """Sanctions with an undecided appeal, the oldest appeal first."""
        found = await self._table.read(sanction_of, "at _id", ended=0)
        return sorted((one for one in found if one.waits_for_answer), key=lambda one: one.appealed)

    async def count_appeals(self) -> int:
        """The number of undecided appeals."""
        return len(await self.appeals())

    async def note_network(self, guest: str, network: str, now: int) -> None:
        """Stores the network (a keyed hash) of a new guest."""
        await self._networks.put({"_id": guest, "network": network, "at": now})

    async def network_of_guest(self, guest: str) -> str:
        """The network of a guest; "" if it is unknown, or was kept long enough."""
        found = await self._networks.read_one(network_of, guest)
        return found[1] if found else ""

    async def is_blocked(self, network: str, now: int) -> bool:
        """Are new guests from that network refused at `now`?"""
        return await self._blocked.count(_id=network, until=at_least(now + 1)) > 0

    async def keep_out(self, addresses: Iterable[str], until: int) -> None:
        """Has no account use these addresses (keyed hashes) until then, or later, if that was stored before. Repeating
        it changes nothing.
        """
        for address in addresses:
            if not await self._kept_out.add_if_new({"_id": address, "until": until}):
                await self._kept_out.set({"until": until}, _id=address, until=below(until))

    async def kept_out(self, addresses: Collection[str], now: int) -> Mapping[str, int]:
        """Which of these addresses (keyed hashes) no account can use at `now`, and until when."""
        return dict(await self._kept_out.read(kept_out_of, _id=frozenset(addresses), until=at_least(now + 1)))

    async def let_in(self, address: str) -> bool:
        """Allows that address (a keyed hash) again. False: it was allowed."""
        return await self._kept_out.delete(_id=address) > 0

    async def hand_over(self, user: str, heir: Player) -> None:
        """Moves the sanctions of `user`, a guest, to the account `heir`. Repeating it changes nothing.

        A measure that shuts a guest out does not follow them to an account they had before: that account may be the
        only host's.
        """
        theirs = [one.id for one in await self.of(user) if heir.id == user or one.measure not in SHUT_OUT]
        if theirs:
            await self._table.set({"owner": heir.id, "owner_name": heir.name}, _id=frozenset(theirs))

    async def forget(self, owner: str) -> None:
        """Deletes the sanctions and the network of this person."""
        await super().forget(owner)
        await self._networks.delete(_id=owner)

    async def expire(self, now: int, before: int) -> None:
        """Deletes the sanctions that were imposed before then and are over at `now`, and networks and addresses that
        were kept long enough.
        """
        for one in await self._table.read(sanction_of, at=below(before)):
            if not one.holds(now):
                await self._table.delete(_id=one.id)
        await self._networks.delete(at=below(now - NETWORKS_KEPT_MS))
        await self._blocked.delete(until=below(now))
        await self._kept_out.delete(until=below(now))
