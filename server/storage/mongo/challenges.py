"""Challenges by name in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.storage.errors import Duplicate
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.challenges import MAX_PER_PLAYER


class MongoChallenges:
    """A `ChallengeStore`."""

    def __init__(self, database: Any) -> None:
        self._challenges = database["challenges"]

    async def note(self, game_id: str, player_id: str, at: int) -> None:
        try:
            await insert(self._challenges, {"_id": game_id, "player": player_id, "at": at})
        except Duplicate:
            return

    async def pass_on(self, game_id: str, player_id: str, at: int) -> None:
        after = {"player": player_id, "at": at}
        await checked(self._challenges.update_one({"_id": game_id}, {"$set": after}, upsert=True))

    async def of(self, player_id: str) -> Sequence[str]:
        cursor = self._challenges.find({"player": player_id}, {"_id": 1}).sort("at", -1)
        return [document["_id"] for document in await checked(cursor.limit(MAX_PER_PLAYER).to_list(MAX_PER_PLAYER))]

    async def waiting(self) -> Sequence[str]:
        return [document["_id"] for document in await checked(self._challenges.find({}, {"_id": 1}).to_list(None))]

    async def drop(self, game_id: str) -> None:
        await checked(self._challenges.delete_one({"_id": game_id}))

    async def expire(self, before: int) -> None:
        await checked(self._challenges.delete_many({"at": {"$lt": before}}))
