"""The marks of what is still to be told, in MongoDB.

A game's mark lies in its own document, so that the write that is news marks it.
"""

from collections.abc import Sequence
from typing import Any, Final

from server.games.news import is_news
from server.games.state import Game
from server.games.status import Status
from server.storage.documents import NONE
from server.storage.mongo.client import checked
from server.storage.record_kinds import CHAT, GAMES, RecordKind
from server.storage.tables.outbox import News, OutboxStore, UntoldChat
from server.storage.tables.table import Step, Table, Where, below

UNTOLD = "untold"
"""A field of a game: the revision that is still to be told; NONE: nothing is. Of a line of chat: 1 until it is told."""
MARKED_GAMES: Final = RecordKind(GAMES, {})


class MongoOutbox(OutboxStore):
    """The marks are fields of games, and of lines of chat."""

    def __init__(self, database: Any, table: Table, held: Table) -> None:
        super().__init__(table, held)
        self._games = database[GAMES]
        self._chat = database[CHAT.name]

    async def untold(self, limit: int) -> Sequence[News]:
        found = await checked(self._games.find({UNTOLD: {"$gte": 0}}, {UNTOLD: 1}).limit(limit).to_list(limit))
        return [News(one["_id"], int(one[UNTOLD])) for one in found]

    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        found = await checked(self._chat.find({UNTOLD: 1}).sort("_id", 1).limit(limit).to_list(limit))
        latest = {(one["game"], one["player"]): int(one["at"]) for one in found}
        return [UntoldChat(*whose, at) for whose, at in latest.items()]

    def _unmark_step(self, news: News) -> Step:
        return Step(MARKED_GAMES, "set", {UNTOLD: NONE}, {"_id": news.game, UNTOLD: news.rev})

    def _unmark_chat_step(self, said: UntoldChat) -> Step:
        marked: Where = {UNTOLD: 1, "game": said.game, "player": said.player, "at": below(said.at + 1)}
        return Step(CHAT, "set", {UNTOLD: 0}, marked)


def mark_between(before: Game | None, after: Game) -> dict[str, int]:
    """The mark of a game of which there is news, or that is over, as the write from `before` to `after` sets it."""
    if is_news(before, after):
        return {UNTOLD: after.rev}
    return {UNTOLD: NONE} if after.status is Status.OVER else {}
