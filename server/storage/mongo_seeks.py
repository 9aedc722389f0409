"""Open seeks in MongoDB. Knows not motor, only a collection."""

from collections.abc import Sequence
from typing import Any

from server.games.seek import Pairing, Seek
from server.storage.mongo_calls import ask, insert
from server.storage.seeks import Standing, pairing_of, standing_of, taking, to_document


class MongoSeeks:
    """A `SeekStore`. Call `prepare` once before use."""

    def __init__(self, database: Any) -> None:
        self._seeks = database["seeks"]

    async def prepare(self) -> None:
        """Makes the indexes. Raises PyMongoError when stored values break them."""
        await self._seeks.create_index([("taker", 1), ("created", 1)])

    async def add(self, standing: Standing) -> None:
        await insert(self._seeks, to_document(standing))

    async def open(self) -> Sequence[Standing]:
        found = await ask(self._seeks.find({"taker": ""}).sort("created", 1).to_list(None))
        return [standing_of(document) for document in found]

    async def prolong(self, maker: str, until: int) -> None:
        theirs = {"maker": maker, "days": 0, "taker": "", "until": {"$lt": until}}
        await ask(self._seeks.update_many(theirs, {"$set": {"until": until}}))

    async def take(self, seek_id: str, pairing: Pairing) -> bool:
        await ask(self._seeks.update_one({"_id": seek_id, "taker": ""}, {"$set": dict(taking(pairing))}))
        found = await ask(self._seeks.find_one({"_id": seek_id}, {"taker": 1}))
        return found is not None and found["taker"] == pairing.taker.id

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        found = await ask(self._seeks.find({"taker": {"$gt": ""}}).sort("created", 1).to_list(None))
        return [(standing_of(document).seek, pairing_of(document)) for document in found]

    async def remove(self, seek_id: str) -> None:
        await ask(self._seeks.delete_one({"_id": seek_id}))

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        result = await ask(self._seeks.delete_one({"_id": seek_id, "maker": maker, "taker": ""}))
        return bool(result.deleted_count)

    async def expire(self, now: int) -> Sequence[str]:
        over = {"taker": "", "until": {"$lt": now}}
        gone = [document["_id"] for document in await ask(self._seeks.find(over, {"_id": 1}).to_list(None))]
        if gone:
            await ask(self._seeks.delete_many(over))
        return gone
