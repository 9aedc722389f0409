"""The marks of what is still to be told, in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from server.storage.record_kinds import CHAT, RecordKind, typed_fields
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import json_list
from server.storage.tables.outbox import News, OutboxStore, UntoldChat
from server.storage.tables.table import Step, Table, Where, below

UNTOLD: Final = RecordKind("untold", typed_fields("game #rev"))


class SqliteOutbox(OutboxStore):
    """A table has the games that are marked; lines of chat are marked by a column."""

    def __init__(self, file: SqliteFile, table: Table, held: Table) -> None:
        super().__init__(table, held)
        self._file = file

    async def untold(self, limit: int) -> Sequence[News]:
        rows = await self._file.rows("SELECT game, rev FROM untold ORDER BY game LIMIT ?", (limit,))
        return [News(game, rev) for game, rev in rows]

    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        rows = await self._file.rows(
            "SELECT game, player, max(at) FROM chat WHERE untold = 1 GROUP BY game, player LIMIT ?", (limit,)
        )
        return [UntoldChat(*row) for row in rows]

    def _unmark_step(self, news: News) -> Step:
        return Step(UNTOLD, "delete", where={"game": news.game, "rev": news.rev})

    def _unmark_chat_step(self, said: UntoldChat) -> Step:
        marked: Where = {"untold": 1, "game": said.game, "player": said.player, "at": below(said.at + 1)}
        return Step(CHAT, "set", {"untold": 0}, marked)


def mark_untold(connection: sqlite3.Connection, news: Sequence[tuple[str, int]]) -> None:
    """Marks revisions of games, each as (game, rev), as news, in one statement and in the write that makes them."""
    if news:
        connection.execute(
            "INSERT INTO untold (game, rev)"
            " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true"
            " ON CONFLICT (game) DO UPDATE SET rev = excluded.rev",
            (json_list(news),),
        )


def unmark(connection: sqlite3.Connection, game_id: str) -> None:
    """Nobody needs to be told of that game any more."""
    connection.execute("DELETE FROM untold WHERE game = ?", (game_id,))
