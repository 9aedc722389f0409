"""Deleting games in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.storage.documents import Head
from server.storage.mongo.driver_errors import checked

OF_GAMES = (
    *(("archive", "_id"), ("chat", "game"), ("challenges", "_id"), ("imports", "_id"), ("outbox", "topic")),
    ("held", "game"),
)
"""Deleted before the game, so that a deletion that was cut short can be repeated; and again after it, since other
servers write these first and then check that the game exists."""


class MongoDeletion:
    """A `DeletionStore`."""

    def __init__(self, database: Any) -> None:
        self._database = database

    async def heads(self, after: str, limit: int) -> Sequence[tuple[str, Head]]:
        cursor = self._database["games"].find({"_id": {"$gt": after}}, {"moves": 0, "tokens": 0})
        return [(head["_id"], head) for head in await checked(cursor.sort("_id", 1).limit(limit).to_list(limit))]

    async def delete_games(self, games: Sequence[str]) -> None:
        for collection, key in (*OF_GAMES, ("games", "_id"), *OF_GAMES):
            await self._delete(collection, key, games)

    async def delete_chat(self, games: Sequence[str]) -> None:
        await self._delete("chat", "game", games)

    async def _delete(self, collection: str, key: str, games: Sequence[str]) -> None:
        await checked(self._database[collection].delete_many({key: {"$in": list(games)}}))
