"""How seeks are taken in MongoDB.

A pairing ends several seeks, but MongoDB writes one document at a time. So one write to the document `LAST` decides and
describes a pairing, and it is carried out afterwards. Before the next one is decided, the last one must have been
carried out, by whoever wants the next. So a process that dies in between holds up nobody. A pairing is void if its seek
was withdrawn after the decision and before it was carried out.
"""

import secrets
from collections.abc import Sequence, Set
from typing import Any

from server.games.seeks import Pairing, Seek
from server.storage.damage import WRONG, reason
from server.storage.errors import Duplicate
from server.storage.fields import number, text
from server.storage.mongo.client import checked, insert
from server.storage.tables.seeks import NOT_TAKEN, SEEKS, SeekStore, answered, leased_seek_of, pairing_of, taking
from server.storage.tables.table import Table

LAST = "last"


class MongoSeeks(SeekStore):
    """Seeks in MongoDB. Call `prepare` once before use."""

    def __init__(self, database: Any, table: Table, quotas: Table) -> None:
        super().__init__(table, quotas)
        self._seeks = database[SEEKS.name]
        self._pairings = database["pairings"]

    async def prepare(self) -> None:
        """Makes the record of the last pairing, if there is none yet. Raises Unavailable."""
        try:
            await insert(self._pairings, {"_id": LAST, "rev": 0, "seek": ""})
        except Duplicate:
            return

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        while True:
            # Read before the seeks: if a pairing is decided after this, the write below misses.
            rev = await self._carry_out_last()
            found = await checked(self._seeks.find_one({"_id": seek_id}))
            if found is None or found.get("taker"):
                return found is not None and found["taker"] == pairing.taker.id
            readable = self._table.damage.readable(SEEKS.name, [found], leased_seek_of)
            if not readable or readable[0].until <= beyond:
                return False
            wanted = readable[0].seek
            people = frozenset({wanted.maker.player.id, pairing.taker.id})
            theirs = await self._table.read(leased_seek_of, "created", maker=people, taker="")
            over = answered(wanted, pairing.taker, theirs)
            if not known <= set(over):
                return False
            decided = {"rev": rev + 1, "seek": seek_id, "answered": " ".join(over), **taking(pairing)}
            await checked(self._pairings.update_one({"_id": LAST, "rev": rev}, {"$set": decided}))

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        await self._carry_out_last()
        return await super().taken()

    async def remove(self, seek_id: str) -> None:
        # A process may have died half-way through its pairing, which would look void without the seek.
        await self._carry_out_last()
        await super().remove(seek_id)

    async def _carry_out_last(self) -> int:
        """The number of the last pairing, after carrying it out.

        Doing it twice, or late, does no harm, as a seek's id is never used again.
        """
        last = await checked(self._pairings.find_one({"_id": LAST})) or {}
        try:
            rev = number(last, "rev")
            fields = dict(taking(pairing_of(last))) if text(last, "seek") else {}
            answered_too = text(last, "answered").split() if fields else []
        except WRONG as error:
            return await self._begin_anew(reason(error))
        if fields:
            await checked(self._seeks.update_one({"_id": last["seek"], "taker": ""}, {"$set": fields}))
            found = await checked(self._seeks.find_one({"_id": last["seek"]}, {"taker": 1}))
            if found is not None and found["taker"] == last["taker"]:
                await checked(self._seeks.delete_many({"_id": {"$in": answered_too}, "taker": ""}))
            # Who was paired is nobody's affair here any more, not even until the next pairing.
            nothing = {"seek": "", "answered": "", **NOT_TAKEN}
            await checked(self._pairings.update_one({"_id": LAST, "rev": rev}, {"$set": nothing}))
        return rev

    async def _begin_anew(self, why: str) -> int:
        """Declares an unreadable last pairing void; numbers of earlier ones are not used again."""
        self._table.damage.note("pairings", LAST, why)
        rev = 2**32 + secrets.randbelow(2**32)
        nothing = {"rev": rev, "seek": "", "answered": "", **NOT_TAKEN}
        await checked(self._pairings.update_one({"_id": LAST}, {"$set": nothing}, upsert=True))
        return rev
