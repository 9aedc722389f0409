"""The open SQLite file: one connection, and one thread that reads and writes.

A single connection needs no locks, keeps a second server out, and avoids the bugs that SQLite's write-ahead log has had
with two. A read takes 0.1 to 0.6 ms, so reads and writes share the thread; `turns` says which is next.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self, TypeVar

from server.storage.damage import Damage
from server.storage.errors import StoreError, Unavailable
from server.storage.fields import Fields
from server.storage.group_commit import GroupCommit
from server.storage.sqlite.copy import copy
from server.storage.sqlite.rows import fields_of
from server.storage.sqlite.schema import open_file
from server.storage.sqlite.turns import Turns
from server.storage.thread_pauses import pausing_for_thread

Made = TypeVar("Made")
Work = Callable[[], Any]

PAUSE_S = 0.005
"""Between two parts of a copy, which is in no hurry: the disk is there for the moves."""
Write = Callable[[sqlite3.Connection], object]


class SqliteFile:
    """Reads and durable writes. Open it with `open`; `close` before the event loop ends."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._thread = thread
        self._turns: Turns[tuple[Future[Any], Work]] = Turns()
        self._group: GroupCommit[Write] = GroupCommit(self._commit)
        self._one_copy = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path, wait_ms: int) -> Self:
        """The file at `path`, created if missing. Raises Unavailable, after `wait_ms` if another server has it."""
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite")
        try:
            connection = await asyncio.get_running_loop().run_in_executor(thread, open_file, path, wait_ms)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(connection, thread)

    async def read(self, read: Callable[[sqlite3.Connection], Made]) -> Made:
        """What `read` returns. It runs on the file's thread and sees all writes acknowledged before."""
        if self._group.closing:
            raise Unavailable("The server is stopping.")
        try:
            return await self._done(self._turns.add_read, partial(read, self._connection))
        except sqlite3.Error as error:
            raise _unavailable(error) from error

    async def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that a query finds."""
        return await self.read(lambda connection: connection.execute(query, values).fetchall())

    async def fields(self, query: str, values: Sequence[Any] = ()) -> list[Fields]:
        """The same, each as its values by the names of the columns."""
        return await self.read(lambda connection: fields_of(connection.execute(query, values)))

    async def write(self, write: Callable[[sqlite3.Connection], Made]) -> Made:
        """What `write` returns, once it is durable. A StoreError that it raises rolls it back and is raised here."""
        made: list[Made] = []
        await self._group.submit(lambda connection: made.append(write(connection)))
        return made[0]

    async def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """How many rows the statement has changed, once that is durable."""
        return await self.write(lambda connection: connection.execute(statement, values).rowcount)

    async def copy(self, path: Path) -> None:
        """Copies everything to a new file at `path`, while reads and writes go on.

        Raises OSError, Unavailable.
        """
        async with self._one_copy:
            try:
                await self._done(self._turns.add_read, partial(copy, self._connection, path, self._let_others_pass))
            except sqlite3.Error as error:
                raise _unavailable(error) from error

    async def close(self) -> None:
        """Finishes what is queued and closes the file; twice is harmless."""
        if self._group.closing:
            return
        await self._group.close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()

    async def _commit(self, batch: Sequence[Write]) -> Sequence[StoreError | None]:
        with pausing_for_thread():
            return await self._done(self._turns.add_write, partial(_commit, self._connection, batch))

    async def _done(self, add: Callable[[tuple[Future[Any], Work]], None], work: Callable[[], Made]) -> Made:
        """What `work` returns on the file's thread, when its turn has come."""
        done: Future[Made] = Future()
        add((done, work))
        self._thread.submit(self._do_next)
        return await asyncio.wrap_future(done)

    def _do_next(self, within_s: float = 0) -> bool:
        """Runs the next queued work, waiting up to `within_s` for it. Was there any?"""
        job = self._turns.take(within_s)
        if job is None:
            # A copy in progress has let it pass already.
            return False
        done, work = job
        if done.set_running_or_notify_cancel():
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)
        return True

    def _let_others_pass(self) -> None:
        """Runs queued work between two parts of a copy, on the file's thread. Raises Unavailable."""
        until = monotonic() + PAUSE_S
        while self._do_next(max(0, until - monotonic())):
            pass
        if self._group.closing:
            raise Unavailable("The server is stopping.")


class SqlitePart:
    """A part of the store: what it keeps is in `file`, and `damage` notes what of it cannot be read."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage


def _commit(connection: sqlite3.Connection, batch: Sequence[Write]) -> Sequence[StoreError | None]:
    """Writes `batch` in one durable transaction. If that fails nothing is stored, and every answer says so."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        answers: Sequence[StoreError | None] = [None]
        if len(batch) == 1:
            batch[0](connection)
        else:
            answers = [_write(connection, write) for write in batch]
        connection.execute("COMMIT")
    except StoreError as error:
        # Only a write that is alone gets here.
        _roll_back(connection)
        return [error]
    except sqlite3.Error as error:
        _roll_back(connection)
        return [_unavailable(error) for _ in batch]
    except BaseException:
        _roll_back(connection)
        raise
    return answers


def _write(connection: sqlite3.Connection, write: Write) -> StoreError | None:
    """Runs one operation of several. If it is refused it alone is rolled back."""
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
