"""Quotas: how many records of a kind one person may have, however many are asked for at once, on however many nodes.

Counting before writing lets in every request that counts before the first one has written. Counting after writing is no
better: a request cannot tell records that were let in from those of requests that are still counting, so together they
let in too many, or none. So one record for each person and quota lists what has a place, and is only changed by
compare-and-set. A new record is stored, then given a place, and taken back if there is none; nobody is told before.

Nothing gives a place back: it is free once what had it is gone. A crash between the two writes leaves at most the
record that was being made, which then gets the next free place. All times are ms since the epoch.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.storage.fields import Fields, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import KEY, Condition, OwnedTableStore, Table, below

KEPT_MS: Final = 3_600_000
"""How long places are remembered. After that those that were made first have them, which comes to the same when nothing
is being made."""


@dataclass(frozen=True, slots=True)
class Quota:
    """`owner` (an id) may have `most` of `what`, a word of its own for each quota."""

    owner: str
    what: str
    most: int


@dataclass(frozen=True, slots=True)
class Places:
    """Who has a place, as of the last change, which was at `at`. `rev` counts the changes from 1."""

    taken: tuple[str, ...]
    at: int
    rev: int


def places_of(fields: Fields) -> Places:
    """The places of stored fields. Raises as `fields` says."""
    return Places(tuple(text(fields, "taken").split()), instant(fields, "at"), number(fields, "rev"))


QUOTAS: Final = RecordKind("quotas", typed_fields("_id owner taken #at #rev"), indexes=("owner", "at"), read=places_of)
NOBODY: Final = Places((), 0, 0)
Standing = Callable[[Places], Awaitable[Sequence[str]]]
"""Reads the ids of what counts from the store, in a fixed order. It is given the places as they were just before."""


class QuotaStore(OwnedTableStore):
    """The places of all quotas."""

    kinds = (QUOTAS,)

    async def admit(self, quota: Quota, one: str, now: int, standing: Standing) -> bool:
        """Gives a place to `one`, an id among those that `standing` reads. False: others have all of them.

        Repeating it changes nothing. Raises Unavailable.
        """
        key, lost = f"{quota.owner} {quota.what}", False
        while True:
            found = await self._table.find(_id=key)
            readable = self._table.damage.readable(QUOTAS.name, found, places_of)
            if found and not readable:
                await self._table.delete(_id=key)
                continue
            before = readable[0] if readable else NOBODY
            if lost and one in before.taken:
                # These places were given after `one` was stored, so no request can still have missed it.
                return True
            there, taken = await standing(before), frozenset(before.taken)
            first = sorted(there, key=lambda id: id not in taken)[: quota.most]
            if one not in first and taken.issuperset(first):
                return False
            record = {"_id": key, "owner": quota.owner, **flat(Places(tuple(first), now, before.rev + 1))}
            if await (self._table.replace(record) if readable else self._table.add_if_new(record)):
                return one in first
            lost = True

    async def admit_record(
        self,
        quota: Quota,
        table: Table,
        key: str,
        now: int,
        order: str,
        *,
        new: bool = True,
        together: str = "",
        **where: Condition,
    ) -> bool:
        """Gives a place to a stored record among those of `table` that are meant, or deletes it if it is `new`.

        `key`: its key; `order`: the fields by which the earliest comes first. Those that name the same record in the
        field `together` have one place, which is that of the record.
        """
        only = [name for name in (*order.split(), together) if name not in ("", KEY)]

        async def standing(_: Places) -> Sequence[str]:
            found = await table.find(order, 0, only, **where)
            return list(dict.fromkeys(_mark(str(one.get(together) or one[KEY])) for one in found))

        admitted = await self.admit(quota, _mark(key), now, standing)
        if new and not admitted:
            await table.delete(_id=key)
        return admitted

    async def expire(self, now: int) -> None:
        """Deletes quotas of which no place was given for KEPT_MS."""
        await self._table.delete(at=below(now - KEPT_MS))


def _mark(key: str) -> str:
    """The id of a record here: keys can be long, and secret."""
    return sha256(key.encode()).hexdigest()[:16]
