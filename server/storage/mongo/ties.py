"""Ties between people in MongoDB."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.games.people.ties import Tie, TieKind
from server.games.player import Player
from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.ties import Block, block_of, changes_of_hands, key_of, tie_of, to_document
from server.storage.time_slices import run_sliced


class MongoTies:
    """A `TieStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._ties = database["ties"]

    async def keep(self, tie: Tie) -> None:
        await upsert(self._ties, to_document(tie))

    async def remove(self, owner: str, kind: TieKind, other: str) -> None:
        await checked(self._ties.delete_many({"_id": key_of(owner, kind, other)}))

    async def of(self, owner: str) -> Sequence[Tie]:
        found = self._ties.find({"owner": owner}).sort([("at", 1), ("_id", 1)])
        return self._damage.readable("ties", await checked(found.to_list(None)), tie_of)

    async def blocks(self, person: str = "") -> Sequence[Block]:
        which = {"kind": TieKind.BLOCKS.value, **(_by_or_to(person) if person else {})}
        found = await checked(self._ties.find(which).to_list(None))
        return await run_sliced(self._damage.readable_sliced("ties", found, block_of))

    async def are_apart(self, one: str, other: str) -> bool:
        keys = [key_of(one, TieKind.BLOCKS, other), key_of(other, TieKind.BLOCKS, one)]
        return await checked(self._ties.find_one({"_id": {"$in": keys}}, {"_id": 1})) is not None

    async def hand_over(self, user: str, heir: Player) -> None:
        found = await checked(self._ties.find(_by_or_to(user)).to_list(None))
        theirs = self._damage.readable("ties", found, tie_of)
        before, after = changes_of_hands(theirs, user, heir)
        for tie in after:
            await self.keep(tie)
        # Last: a crash in between must lose none, and it is done again.
        gone = set(before) - {key_of(tie.owner, tie.kind, tie.other.id) for tie in after}
        if gone:
            await checked(self._ties.delete_many({"_id": {"$in": sorted(gone)}}))

    async def forget(self, person: str) -> None:
        await checked(self._ties.delete_many(_by_or_to(person)))


def _by_or_to(person: str) -> Mapping[str, Any]:
    return {"$or": [{"owner": person}, {"other": person}]}
