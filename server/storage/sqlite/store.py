"""The embedded store: everything in one SQLite file."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Self

import orjson

from server.games.game import Game
from server.rules.variant.variant import Variant
from server.storage.damage import WRONG, Damage, reason
from server.storage.documents import to_document, update_between
from server.storage.errors import StoreError
from server.storage.fields import Fields
from server.storage.group_commit import GroupCommit
from server.storage.protocols.archive import GameSummary, entry_of, newly_over
from server.storage.protocols.people import Session, User
from server.storage.protocols.ratings import newly_uncounted
from server.storage.record_kinds import CHAT, GAMES, SESSIONS
from server.storage.replay import from_document_sliced
from server.storage.running import MAX_RUNNING, RunningGame, most_urgent_first, running_game
from server.storage.sqlite import rows
from server.storage.sqlite.accounts import SqliteAccounts
from server.storage.sqlite.alerts import SqliteAlerts
from server.storage.sqlite.archive import SqliteArchive, insert_entry
from server.storage.sqlite.challenges import SqliteChallenges
from server.storage.sqlite.deletion import SqliteDeletion
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.imports import SqliteImports
from server.storage.sqlite.push import SqlitePush
from server.storage.sqlite.ratings import SqliteRatings
from server.storage.sqlite.records import SqliteRecords
from server.storage.sqlite.saves import Save, save_games
from server.storage.sqlite.seeks import SqliteSeeks
from server.storage.stores import ChatLine, Progress, chat_line_of
from server.storage.summaries import newest, summary
from server.storage.time_slices import run_sliced
from server.storage.write_tokens import WriteTokens

# How long a starting server waits for one that is leaving the same file.
WAIT_MS = 5_000


class SqliteStore:
    """A `Store` in one file. Open it with `open`; `close` before the event loop ends."""

    shared = False

    def __init__(self, file: SqliteFile, variants: Mapping[str, Variant]) -> None:
        self.damage = Damage()
        self.accounts = SqliteAccounts(file, self.damage)
        self.alerts = SqliteAlerts(file, self.damage)
        self.archive = SqliteArchive(file, self.damage)
        self.deletion = SqliteDeletion(file)
        self.imports = SqliteImports(file, self.damage)
        self.push = SqlitePush(file)
        self.ratings = SqliteRatings(file, self.damage)
        self.seeks = SqliteSeeks(file, self.damage)
        self.challenges = SqliteChallenges(file)
        self.records = SqliteRecords(file)
        self._file = file
        self._variants = variants
        self._saves = GroupCommit(self._save)
        self._write_tokens = WriteTokens()

    @classmethod
    async def open(cls, path: Path, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Self:
        """The store in the file at `path`, which is created if missing.

        `variants`: those that stored games may have. Raises Unavailable with a message for the host if another server
        has the file (after `wait_ms`) or it cannot be used.
        """
        return cls(await SqliteFile.open(path, wait_ms), variants)

    async def create(self, game: Game) -> None:
        document, entry = to_document(game), entry_of(game)

        def write(connection: sqlite3.Connection) -> None:
            rows.insert_game(connection, document.head, document.moves)
            if entry is not None:
                insert_entry(connection, entry)

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
        save = Save(step, head, token, seated, entry, newly_uncounted(before, after))
        # A batch is one operation on the file, in which a game can have one change only.
        await self._saves.submit(save, key=before.id)

    async def _save(self, batch: Sequence[Save]) -> Sequence[StoreError | None]:
        answers: list[StoreError | None] = []
        await self._file.write(lambda connection: answers.extend(save_games(connection, batch)))
        return answers

    async def running(self) -> Sequence[str]:
        return await self._file.read(rows.select_running)

    async def due(self, before: int, limit: int) -> Sequence[str]:
        return await self._file.read(partial(rows.select_due, before=before, limit=limit))

    async def to_remind(self, by: int, limit: int) -> Sequence[str]:
        return await self._file.read(partial(rows.select_to_remind, by=by, limit=limit))

    async def progress(self, games: Sequence[str], since: int) -> Progress:
        revs, lines = await self._file.read(partial(rows.select_progress, games=games, since=since))
        return Progress(revs, self._said(lines))

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        heads = await self._file.read(partial(rows.select_heads, player_id=player_id, limit=limit))
        work = self.damage.readable_sliced(GAMES, heads, lambda row: summary(rows.head_of(*row)), key=itemgetter(0))
        return newest(await run_sliced(work), limit)

    async def count_by_player(self, player_id: str) -> int:
        return await self._file.read(partial(rows.count_games, player_id=player_id))

    async def running_of(self, player_id: str) -> Sequence[RunningGame]:
        asked = partial(rows.select_heads, player_id=player_id, limit=MAX_RUNNING, only="AND running = 1")
        heads = await self._file.read(asked)
        work = self.damage.readable_sliced(
            GAMES, heads, lambda row: running_game(rows.head_of(*row), player_id), key=itemgetter(0)
        )
        return most_urgent_first(await run_sliced(work))

    async def add_chat(self, line: ChatLine) -> None:
        await self._file.write(partial(rows.insert_chat, line=line))

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        return self._said(await self._file.read(partial(rows.select_chat, game_id=game_id, limit=limit)))

    async def count_chat(self, game_id: str) -> int:
        return await self._file.read(partial(rows.count_chat, game_id=game_id))

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
        await self._file.write(partial(rows.update_session, token_hash=token_hash, seen=seen))

    async def end_session(self, token_hash: str) -> None:
        await self._file.write(partial(rows.delete_session, token_hash=token_hash))

    async def mark_alive(self, node: str, at: int) -> None:
        await self._file.write(partial(rows.upsert_alive, node=node, at=at))

    async def last_alive(self) -> int | None:
        return await self._file.read(rows.select_alive)

    async def time(self) -> int | None:
        return None

    async def ping(self) -> None:
        await self._file.write(rows.write_probe)

    async def copy_to(self, path: Path) -> None:
        await self._file.copy(path)

    async def close(self) -> None:
        await self._saves.close()
        await self._file.close()
