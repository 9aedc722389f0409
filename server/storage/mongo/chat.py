"""Chat in MongoDB."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import count
from typing import Any

from server.storage.damage import Damage
from server.storage.fields import Fields
from server.storage.mongo.client import checked, insert
from server.storage.mongo.outbox import UNTOLD
from server.storage.stores import ChatLine, chat_line_of


class MongoChat:
    """The chat of all games."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._chat = database["chat"]
        self._numbers = count()
        self._node = secrets.token_hex(4)

    async def add(self, line: ChatLine, untold: bool) -> str:
        """Stores a line, marked if it is `untold`, and returns its number."""
        # Sorts by time, then by the order in which this server took the lines.
        number = f"{_begins(line.at)}-{next(self._numbers):09d}-{self._node}"
        await insert(self._chat, {"_id": number, "number": number, **asdict(line), **({UNTOLD: 1} if untold else {})})
        return number

    async def remove(self, number: str) -> None:
        await checked(self._chat.delete_one({"_id": number}))

    async def last(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        """The last `limit` lines of a game, oldest first."""
        found = await checked(self._chat.find({"game": game_id}).sort("number", -1).limit(limit).to_list(limit))
        return self._read(reversed(found))

    async def latest(self, since: int, before: int, limit: int) -> Sequence[ChatLine]:
        """The newest lines in all games between these times (ms), the newest first."""
        between = {"_id": {"$gte": _begins(since), "$lt": _begins(before)}}
        return self._read(await checked(self._chat.find(between).sort("_id", -1).limit(limit).to_list(limit)))

    async def count(self, game_id: str) -> int:
        return int(await checked(self._chat.count_documents({"game": game_id})))

    async def since(self, games: Sequence[str], at: int) -> Sequence[ChatLine]:
        """The chat in these games from `at` (ms) on, oldest first."""
        lately = {"game": {"$in": list(games)}, "number": {"$gte": _begins(at)}}
        return self._read(await checked(self._chat.find(lately).sort("number", 1).to_list(None)))

    def _read(self, documents: Iterable[Fields]) -> Sequence[ChatLine]:
        return self._damage.readable("chat", documents, chat_line_of)


def _begins(at: int) -> str:
    """The prefix of the numbers of lines at `at` (ms)."""
    return f"{at:015d}"
