"""Open seeks in MongoDB.

A pairing ends several seeks, but MongoDB writes one document at a time. So one write to the document `LAST` decides and
describes a pairing, and it is carried out afterwards. Before the next one is decided, the last one must have been
carried out, by whoever wants the next. So a process that dies in between holds up nobody. A pairing is void if its seek
was withdrawn after the decision and before it was carried out.
"""

import secrets
from collections.abc import Mapping, Sequence, Set
from typing import Any

from server.games.seeks.seek import Pairing, Seek
from server.storage.damage import WRONG, Damage, reason
from server.storage.errors import Duplicate
from server.storage.fields import number, text
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.seeks import (
    NOT_TAKEN,
    LeasedSeek,
    answered,
    leased_seeks_of,
    pairing_of,
    taken_of,
    taking,
    to_document,
)

LAST = "last"


class MongoSeeks:
    """A `SeekStore`. Call `prepare` once before use."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._seeks = database["seeks"]
        self._pairings = database["pairings"]

    async def prepare(self) -> None:
        """Makes the record of the last pairing, if there is none yet. Raises Unavailable."""
        try:
            await insert(self._pairings, {"_id": LAST, "rev": 0, "seek": ""})
        except Duplicate:
            return

    async def add(self, standing: LeasedSeek) -> None:
        await insert(self._seeks, to_document(standing))

    async def open(self) -> Sequence[LeasedSeek]:
        return await self._open({})

    async def prolong(self, maker: str, until: int) -> None:
        theirs = {"maker": maker, "days": 0, "taker": "", "until": {"$lt": until}}
        await checked(self._seeks.update_many(theirs, {"$set": {"until": until}}))

    async def shorten(self, maker: str, until: int) -> None:
        theirs = {"maker": maker, "days": 0, "taker": "", "until": {"$gt": until}}
        await checked(self._seeks.update_many(theirs, {"$set": {"until": until}}))

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        while True:
            # Read before the seeks: if a pairing is decided after this, the write below misses.
            rev = await self._carry_out_last()
            found = await checked(self._seeks.find_one({"_id": seek_id}))
            if found is None or found.get("taker"):
                return found is not None and found["taker"] == pairing.taker.id
            readable = leased_seeks_of([found], self._damage)
            if not readable or readable[0].until <= beyond:
                return False
            wanted = readable[0].seek
            people = [wanted.maker.player.id, pairing.taker.id]
            over = answered(wanted, pairing.taker, await self._open({"maker": {"$in": people}}))
            if not known <= set(over):
                return False
            decided = {"rev": rev + 1, "seek": seek_id, "answered": " ".join(over), **taking(pairing)}
            await checked(self._pairings.update_one({"_id": LAST, "rev": rev}, {"$set": decided}))

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        await self._carry_out_last()
        found = await checked(self._seeks.find({"taker": {"$gt": ""}}).sort("created", 1).to_list(None))
        return taken_of(found, self._damage)

    async def remove(self, seek_id: str) -> None:
        # A process may have died half-way through its pairing, which would look void without the seek.
        await self._carry_out_last()
        await checked(self._seeks.delete_one({"_id": seek_id}))

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        result = await checked(self._seeks.delete_one({"_id": seek_id, "maker": maker, "taker": ""}))
        return bool(result.deleted_count)

    async def expire(self, now: int) -> Sequence[str]:
        over = {"taker": "", "until": {"$lt": now}}
        gone = [document["_id"] for document in await checked(self._seeks.find(over, {"_id": 1}).to_list(None))]
        if gone:
            await checked(self._seeks.delete_many(over))
        return gone

    async def _open(self, those: Mapping[str, Any]) -> Sequence[LeasedSeek]:
        found = await checked(self._seeks.find({**those, "taker": ""}).sort("created", 1).to_list(None))
        return leased_seeks_of(found, self._damage)

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
        self._damage.note("pairings", LAST, why)
        rev = 2**32 + secrets.randbelow(2**32)
        nothing = {"rev": rev, "seek": "", "answered": "", **NOT_TAKEN}
        await checked(self._pairings.update_one({"_id": LAST}, {"$set": nothing}, upsert=True))
        return rev
