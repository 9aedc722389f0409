"""The embedded store: everything in one SQLite file."""

import sqlite3
from collections.abc import Mapping, Sequence, Set
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Self

import orjson

from server.games.news import is_news
from server.games.state import Game
from server.rules.variant.variant import Variant
from server.storage.damage import WRONG, Damage, reason
from server.storage.documents import to_document, update_between
from server.storage.errors import NotStored
from server.storage.fields import LAST_MS, Fields
from server.storage.group_commit import WriteTokens
from server.storage.protocols.archive import GameSummary, entry_of, newly_over
from server.storage.protocols.explorer import newly_unexplored
from server.storage.protocols.ratings import newly_uncounted
from server.storage.record_kinds import CHAT, GAMES, SESSIONS
from server.storage.replay import from_document_sliced
from server.storage.running import MAX_RUNNING, RunningGame, most_urgent_first, running_game
from server.storage.sqlite import rows
from server.storage.sqlite.accounts import SqliteAccounts
from server.storage.sqlite.archive import SqliteArchive
from server.storage.sqlite.explorer import SqliteExplorer
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.outbox import SqliteOutbox, mark_untold
from server.storage.sqlite.puzzle_tries import SqlitePuzzleTries
from server.storage.sqlite.ratings import SqliteRatings
from server.storage.sqlite.records import SqliteDeletion, SqliteRecords, insert_games
from server.storage.sqlite.saves import Save, save_games
from server.storage.sqlite.seeks import SqliteSeeks
from server.storage.sqlite.table import SqliteTables
from server.storage.stores import ChatLine, StoredProgress, chat_line_of
from server.storage.summaries import newest, summary
from server.storage.tables.accounts import Session, User
from server.storage.tables.stores import TableStores
from server.storage.time_slices import run_sliced

# How long a starting server waits for one that is leaving the same file.
WAIT_MS = 5_000


class SqliteStore(TableStores):
    """A `Store` in one file. Open it with `open`; `close` before the event loop ends."""

    shared = False

    def __init__(self, file: SqliteFile, variants: Mapping[str, Variant]) -> None:
        super().__init__(
            *(SqliteTables(file), Damage()),
            accounts=partial(SqliteAccounts, file),
            outbox=partial(SqliteOutbox, file),
            seeks=partial(SqliteSeeks, file),
            puzzle_tries=partial(SqlitePuzzleTries, file),
        )
        self.archive = SqliteArchive(file, self.damage)
        self.deletion = SqliteDeletion(file)
        self.explorer = SqliteExplorer(file, self.damage)
        self.ratings = SqliteRatings(file, self.damage)
        self.records = SqliteRecords(file)
        self._file = file
        self._variants = variants
        self._write_tokens = WriteTokens()

    @classmethod
    async def open(cls, path: Path, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Self:
        """The store in the file at `path`, which is created if missing.

        `variants`: those that stored games may have. Raises Unavailable with a message for the host if another server
        has the file (after `wait_ms`) or it cannot be used.
        """
        return cls(await SqliteFile.open(path, wait_ms), variants)

    async def create(self, game: Game) -> None:
        games = [(to_document(game), entry_of(game))]

        def write(connection: sqlite3.Connection) -> None:
            insert_games(connection, games)
            if is_news(None, game):
                mark_untold(connection, [(game.id, game.rev)])

        await self._file.write(write)

    async def load(self, game_id: str, known: Game | None = None) -> Game | None:
        with self.damage.noted(GAMES, game_id):
            document = await self._file.read(partial(rows.select_game, game_id=game_id))
            return None if document is None else await run_sliced(from_document_sliced(document, self._variants, known))

    async def save(self, before: Game, after: Game) -> None:
        step = update_between(before, after)
        head = orjson.dumps(step.head)
        seated = (before.white, before.black) != (after.white, after.black)
        token, entry = self._write_tokens.token_of(head, step.moves), newly_over(before, after)
        ended, news = newly_uncounted(before, after), is_news(before, after)
        explored = newly_unexplored(before, after, step.head)
        save = Save(step, head, token, seated, entry, ended, explored, news)
        # A batch is one operation on the file, in which a game can have one change only.
        await self._file.write_together(save, save_games, key=before.id)

    async def running(self) -> Sequence[str]:
        return await self._ids("deadline >= 0")

    async def due(self, before: int, limit: int) -> Sequence[str]:
        return await self._ids("deadline >= 0 AND deadline < ? ORDER BY deadline LIMIT ?", before, limit)

    async def to_remind(self, by: int, limit: int) -> Sequence[str]:
        return await self._ids("remind_at >= 0 AND remind_at <= ? ORDER BY remind_at LIMIT ?", by, limit)

    async def _ids(self, which: str, *values: int) -> Sequence[str]:
        return [game_id for (game_id,) in await self._file.rows(f"SELECT id FROM games WHERE {which}", values)]

    async def progress(self, games: Sequence[str], since: int) -> StoredProgress:
        revs, lines = await self._file.read(partial(rows.select_progress, games=games, since=since))
        return StoredProgress(revs, self._said(lines))

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        heads = await self._file.read(partial(rows.select_heads, player_id=player_id, limit=limit))
        work = self.damage.readable_sliced(GAMES, heads, lambda row: summary(rows.head_of(*row)), key=itemgetter(0))
        return newest(await run_sliced(work), limit)

    async def count_by_player(self, player_id: str) -> int:
        # Two indexed counts: one with OR would read every game.
        [(games,)] = await self._file.rows(
            "SELECT (SELECT count(*) FROM games WHERE white = ?1)"
            " + (SELECT count(*) FROM games WHERE black = ?1 AND white IS NOT ?1)",
            (player_id,),
        )
        return int(games)

    async def running_of(self, player_id: str) -> Sequence[RunningGame]:
        asked = partial(rows.select_heads, player_id=player_id, limit=MAX_RUNNING, only="AND running = 1")
        heads = await self._file.read(asked)
        work = self.damage.readable_sliced(
            GAMES, heads, lambda row: running_game(rows.head_of(*row), player_id), key=itemgetter(0)
        )
        return most_urgent_first(await run_sliced(work))

    async def add_chat(self, line: ChatLine, untold: bool = False) -> None:
        added = await self._file.change(
            "INSERT INTO chat (game, room, player, name, text, at, untold)"
            " SELECT id, ?, ?, ?, ?, ?, ? FROM games WHERE id = ?",
            (line.room, line.player, line.name, line.text, line.at, int(untold), line.game),
        )
        if not added:
            raise NotStored(f"There is no game {line.game}.")

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        newest_first = "SELECT * FROM chat WHERE game = ? ORDER BY number DESC LIMIT ?"
        return self._said((await self._file.fields(newest_first, (game_id, limit)))[::-1])

    async def latest_chat(self, since: int, before: int, limit: int) -> Sequence[ChatLine]:
        newest_first = "SELECT * FROM chat WHERE at >= ? AND at < ? ORDER BY at DESC LIMIT ?"
        return self._said(await self._file.fields(newest_first, (since, before, limit)))

    async def count_chat(self, game_id: str) -> int:
        [(lines,)] = await self._file.rows("SELECT count(*) FROM chat WHERE game = ?", (game_id,))
        return int(lines)

    def _said(self, lines: Sequence[Fields]) -> Sequence[ChatLine]:
        return self.damage.readable(CHAT.name, lines, chat_line_of, key=itemgetter("game"))

    async def add_guest(self, user: User, session: Session) -> None:
        await self._file.write(partial(rows.insert_guest, user=user, session=session))

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        try:
            return await self._file.read(partial(rows.select_session, token_hash=token_hash))
        except WRONG as error:
            self.damage.note(SESSIONS.name, token_hash, reason(error))
            return None

    async def touch_session(self, token_hash: str, seen: int) -> None:
        await self._file.change("UPDATE sessions SET seen = max(seen, ?) WHERE token_hash = ?", (seen, token_hash))

    async def end_session(self, token_hash: str) -> None:
        await self._file.change("DELETE FROM sessions WHERE token_hash = ?", (token_hash,))

    async def mark_alive(self, node: str, at: int) -> None:
        await self._file.write(partial(rows.upsert_alive, node=node, at=at))

    async def nodes_alive(self, since: int) -> Set[str]:
        return {node for (node,) in await self._file.rows("SELECT node FROM alive WHERE at >= ?", (since,))}

    async def last_alive(self) -> int | None:
        [(at,)] = await self._file.rows("SELECT max(at) FROM alive WHERE at <= ?", (LAST_MS,))
        return None if at is None else int(at)

    async def time(self) -> int | None:
        return None

    async def ping(self) -> None:
        await self._file.change("INSERT OR REPLACE INTO probe (id) VALUES (1)")

    async def copy_to(self, path: Path) -> None:
        await self._file.copy(path)

    async def close(self) -> None:
        await self._file.close()
