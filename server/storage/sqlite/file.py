"""The open SQLite file: one connection, and one thread that reads and writes.

A single connection needs no locks, keeps a second server out, and avoids the bugs that SQLite's write-ahead log has had
with two. A read takes 0.1 to 0.6 ms, so reads and writes share the thread.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self, TypeVar

from server.storage.damage import Damage
from server.storage.errors import StoreError, Unavailable
from server.storage.fields import Fields
from server.storage.group_commit import GroupCommit
from server.storage.sqlite.copy import copy
from server.storage.sqlite.file_thread import FileThread
from server.storage.sqlite.rows import fields_of
from server.storage.sqlite.schema import open_file

Made = TypeVar("Made")
Op = TypeVar("Op")

PAUSE_S = 0.005
"""Between two parts of a copy, which is in no hurry: the disk is there for the moves."""
Write = Callable[[sqlite3.Connection], object]
WriteResults = Sequence[StoreError | None]
WriteAll = Callable[[sqlite3.Connection, Sequence[Any]], WriteResults]


@dataclass(frozen=True, slots=True)
class _Write:
    """`write_all` carries out `op` together with all others of its kind that come with it."""

    op: Any
    write_all: WriteAll


class SqliteFile:
    """Reads and durable writes. Open it with `open`; `close` before the event loop ends."""

    def __init__(self, connection: sqlite3.Connection, thread: FileThread) -> None:
        self._connection = connection
        self._thread = thread
        self._group: GroupCommit[_Write] = GroupCommit(self._commit)
        self._one_copy = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path, wait_ms: int) -> Self:
        """The file at `path`, created if missing. Raises Unavailable, after `wait_ms` if another server has it."""
        thread = FileThread()
        try:
            connection = await thread.write(partial(open_file, path, wait_ms))
        except BaseException:
            await thread.end(lambda: None)
            raise
        return cls(connection, thread)

    async def read(self, read: Callable[[sqlite3.Connection], Made]) -> Made:
        """What `read` returns. It runs on the file's thread and sees all writes acknowledged before."""
        self._require_open()
        try:
            return await self._thread.read(partial(read, self._connection))
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
        await self._group.submit(_Write(lambda connection: made.append(write(connection)), _write_one))
        # What shared a batch with a write that had a defect has been carried out again.
        return made[-1]

    async def write_together(
        self, op: Op, write_all: Callable[[sqlite3.Connection, Sequence[Op]], WriteResults], key: str
    ) -> None:
        """Returns when `op` is durable, or raises what `write_all` has returned for it.

        `write_all` is called once for all that come at the same time; of one `key`, only one is among them.
        """
        await self._group.submit(_Write(op, write_all), key)

    async def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """How many rows the statement has changed, once that is durable."""
        return await self.write(lambda connection: connection.execute(statement, values).rowcount)

    async def copy(self, path: Path) -> None:
        """Copies everything to a new file at `path`, while reads and writes go on.

        Raises OSError, Unavailable.
        """
        async with self._one_copy:
            self._require_open()
            try:
                await self._thread.read(partial(copy, self._connection, path, self._let_others_pass))
            except sqlite3.Error as error:
                raise _unavailable(error) from error

    async def close(self) -> None:
        """Finishes what is queued and closes the file; twice is harmless."""
        if self._group.closing:
            return
        await self._group.close()
        await self._thread.end(self._connection.close)

    async def _commit(self, batch: Sequence[_Write]) -> WriteResults:
        return await self._thread.write(partial(_commit, self._connection, batch))

    def _let_others_pass(self) -> None:
        """Runs queued work between two parts of a copy, on the file's thread. Raises Unavailable."""
        until = monotonic() + PAUSE_S
        while self._thread.let_others_pass(max(0, until - monotonic())):
            pass
        self._require_open()

    def _require_open(self) -> None:
        """Raises Unavailable."""
        if self._group.closing:
            raise Unavailable("The server is stopping.")


class SqlitePart:
    """A part of the store: what it keeps is in `file`, and `damage` notes what of it cannot be read."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage


def _commit(connection: sqlite3.Connection, batch: Sequence[_Write]) -> WriteResults:
    """Writes `batch` in one durable transaction. If that fails nothing is stored, and every answer says so.

    Raises whatever a write raises by a defect of its own: the group commit then tries each alone.
    """
    pieces = _pieces(batch)
    answers: dict[int, StoreError | None] = {}
    try:
        connection.execute("BEGIN IMMEDIATE")
        for numbers in pieces:
            write_all, ops = batch[numbers[0]].write_all, [batch[number].op for number in numbers]
            write = write_all if len(pieces) == 1 else partial(_write_one_of_several, write_all)
            answers |= zip(numbers, write(connection, ops), strict=True)
        connection.execute("COMMIT")
    except StoreError as error:
        # Only what is alone gets here.
        _roll_back(connection)
        return [error] * len(batch)
    except sqlite3.Error as error:
        _roll_back(connection)
        if len(batch) > 1 and _is_defect(error):
            raise
        return [_unavailable(error) for _ in batch]
    except BaseException:
        _roll_back(connection)
        raise
    return [answers[number] for number in range(len(batch))]


def _pieces(batch: Sequence[_Write]) -> Sequence[Sequence[int]]:
    """The places in the batch of what is carried out at once."""
    pieces: dict[object, list[int]] = {}
    for number, write in enumerate(batch):
        pieces.setdefault(number if write.write_all is _write_one else write.write_all, []).append(number)
    return list(pieces.values())


def _write_one(connection: sqlite3.Connection, ops: Sequence[Write]) -> WriteResults:
    [write] = ops
    write(connection)
    return (None,)


def _write_one_of_several(write_all: WriteAll, connection: sqlite3.Connection, ops: Sequence[Any]) -> WriteResults:
    """Carries out one piece of several. If it is refused it alone is rolled back."""
    connection.execute("SAVEPOINT op")
    try:
        answers = write_all(connection, ops)
    except StoreError as error:
        connection.execute("ROLLBACK TO op")
        connection.execute("RELEASE op")
        return [error] * len(ops)
    connection.execute("RELEASE op")
    return answers


def _roll_back(connection: sqlite3.Connection) -> None:
    # A full disk can have ended the transaction already.
    with suppress(sqlite3.Error):
        connection.execute("ROLLBACK")


def _is_defect(error: sqlite3.Error) -> bool:
    """Is it the fault of one statement, rather than of the file or the machine, which all writes share?"""
    return not isinstance(error, sqlite3.OperationalError) or error.sqlite_errorcode == sqlite3.SQLITE_ERROR


def _unavailable(error: sqlite3.Error) -> Unavailable:
    return Unavailable(f"The server cannot store anything at the moment ({error}).")
