"""The embedded store: one SQLite file, one connection, one thread that reads and writes. Knows no rule of any game.

One connection is a decision: it needs no lock of our own, keeps a second server out, and stays clear of the defects
that SQLite's write-ahead log has had with two. A read takes 0.1 to 0.6 ms, so reads wait in the same line.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from server.games.game import Game
from server.rules.variant import Variant
from server.storage import sqlite_rows as rows
from server.storage.documents import change, to_document
from server.storage.group import Group
from server.storage.replay import from_document, newest
from server.storage.sqlite_schema import open_file
from server.storage.stores import ChatLine, GameSummary, Session, StoreError, Unavailable, User
from server.storage.tokens import Signer

Read = TypeVar("Read")
Write = Callable[[sqlite3.Connection], None]

# How long a starting server waits for one that is leaving the same file.
WAIT_MS = 5_000


class SqliteStore:
    """A `Store` in one file. Open it with `open`; `close` before the event loop ends."""

    def __init__(
        self, connection: sqlite3.Connection, thread: ThreadPoolExecutor, variants: Mapping[str, Variant]
    ) -> None:
        self._connection = connection
        self._thread = thread
        self._variants = variants
        self._group: Group[Write] = Group(self._commit)
        self._signer = Signer()

    @classmethod
    async def open(cls, path: Path, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Self:
        """The store in the file at `path`, which is created if it is not there.

        `variants` are those that stored games may name. Raises Unavailable with a sentence for the host when another
        server keeps the file (after `wait_ms`) or it cannot be used.
        """
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite")
        try:
            connection = await asyncio.get_running_loop().run_in_executor(thread, open_file, path, wait_ms)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(connection, thread, variants)

    async def create(self, game: Game) -> None:
        document = to_document(game)
        await self._group.submit(partial(rows.insert_game, head=document.head, moves=document.moves))

    async def load(self, game_id: str) -> Game | None:
        document = await self._read(partial(rows.select_game, game_id=game_id))
        return None if document is None else from_document(document, self._variants)

    async def save(self, before: Game, after: Game) -> None:
        step = change(before, after)
        await self._group.submit(partial(rows.update_game, change=step, token=self._signer.sign(step)))

    async def running(self) -> Sequence[str]:
        return await self._read(rows.select_running)

    async def due(self, before: int, limit: int) -> Sequence[str]:
        return await self._read(partial(rows.select_due, before=before, limit=limit))

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        heads = await self._read(partial(rows.select_heads, player_id=player_id, limit=limit))
        return newest(heads, limit)

    async def add_chat(self, line: ChatLine) -> None:
        await self._group.submit(partial(rows.insert_chat, line=line))

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        return await self._read(partial(rows.select_chat, game_id=game_id, limit=limit))

    async def add_guest(self, user: User, session: Session) -> None:
        await self._group.submit(partial(rows.insert_guest, user=user, session=session))

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        return await self._read(partial(rows.select_session, token_hash=token_hash))

    async def touch_session(self, token_hash: str, seen: int) -> None:
        await self._group.submit(partial(rows.update_session, token_hash=token_hash, seen=seen))

    async def end_session(self, token_hash: str) -> None:
        await self._group.submit(partial(rows.delete_session, token_hash=token_hash))

    async def mark_alive(self, node: str, at: int) -> None:
        await self._group.submit(partial(rows.upsert_alive, node=node, at=at))

    async def last_alive(self) -> int | None:
        return await self._read(rows.select_alive)

    async def ping(self) -> None:
        await self._group.submit(rows.write_probe)

    async def close(self) -> None:
        if self._group.closing:
            return
        await self._group.close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()

    async def _read(self, read: Callable[[sqlite3.Connection], Read]) -> Read:
        if self._group.closing:
            raise Unavailable("The server is stopping.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, read, self._connection)
        except sqlite3.Error as error:
            raise _unavailable(error) from error

    async def _commit(self, batch: Sequence[Write]) -> Sequence[StoreError | None]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _commit, self._connection, batch)


def _commit(connection: sqlite3.Connection, batch: Sequence[Write]) -> Sequence[StoreError | None]:
    """All of `batch` in one durable transaction. When that fails nothing of it is stored, and every answer says so."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        answers = [_write(connection, write) for write in batch]
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        _roll_back(connection)
        return [_unavailable(error) for _ in batch]
    except BaseException:
        _roll_back(connection)
        raise
    return answers


def _write(connection: sqlite3.Connection, write: Write) -> StoreError | None:
    """One operation of a batch. What it refuses is undone by itself, so that the others stand."""
    connection.execute("SAVEPOINT op")
    try:
        write(connection)
    except StoreError as error:
        connection.execute("ROLLBACK TO op")
        connection.execute("RELEASE op")
        return error
    connection.execute("RELEASE op")
    return None


def _roll_back(connection: sqlite3.Connection) -> None:
    # A full disk can have ended the transaction already.
    with suppress(sqlite3.Error):
        connection.execute("ROLLBACK")


def _unavailable(error: sqlite3.Error) -> Unavailable:
    return Unavailable(f"The server cannot store anything at the moment ({error}).")
