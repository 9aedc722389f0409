"""Copies of the SQLite file: making them while it is in use, checking them, and putting them in place."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Final

from server.storage.errors import Unavailable
from server.storage.record_kinds import RecordKind
from server.storage.sqlite.schema import create_tables, open_as_it_is
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.tables.stores import TABLE_KINDS

STEP_PAGES = 64
"""256 KB, a third of a millisecond: the longest that a move waits for a copy in progress."""
STEPS_PER_SYNC = 4
"""Sync every megabyte: a single sync at the end held up the commits behind it for a tenth of a second."""

TIMES_THE_SIZE: Final = 2
"""So much of a disk must be free before the site's file is copied beside it: a copy, and as much again for the site."""


class Unusable(Exception):
    """The file is not a sound copy of a site; the message says why."""


def lacks_room(file: Path) -> bool:
    """Has the disk of the site's file too little room for a copy of it? Raises OSError."""
    return shutil.disk_usage(file.parent).free < TIMES_THE_SIZE * file.stat().st_size


def copy(connection: sqlite3.Connection, path: Path, between: Callable[[], None]) -> None:
    """Copies everything to a new file at `path` that only its owner can read.

    `between` is called every few pages. What it writes through `connection` is in the copy; what it raises aborts the
    copy. The end of the copy is not synced to disk yet. Raises OSError, sqlite3.Error.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    steps = count(1)

    def progress(*_: object) -> None:
        if next(steps) % STEPS_PER_SYNC == 0:
            os.fdatasync(descriptor)
        between()

    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as target:
            # Nobody reads it until it is complete, so it need not survive a crash.
            target.execute("PRAGMA journal_mode = OFF")
            target.execute("PRAGMA synchronous = OFF")
            connection.backup(target, pages=STEP_PAGES, progress=progress, sleep=0)
    finally:
        os.close(descriptor)


def copy_unused(source: Path, path: Path, wait_ms: int) -> None:
    """The same for a file that no server has open. Raises Unavailable, after `wait_ms`, if one has, OSError."""
    try:
        with closing(open_as_it_is(source, wait_ms)) as connection:
            copy(connection, path, lambda: None)
    except sqlite3.Error as error:
        raise Unavailable(f"{source} cannot be copied ({error}).") from error


def version_unused(path: Path, wait_ms: int) -> int:
    """The schema version of a file that no server has open. Raises Unavailable: InUse, after `wait_ms`, if one has."""
    with closing(open_as_it_is(path, wait_ms)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def keep_former(path: Path, wait_ms: int, opened: Callable[[], None]) -> tuple[int, Path] | None:
    """Keeps a copy of a file that this release upgrades, beside it, and returns its version and where that is.

    None if there is nothing to upgrade. Where the head of the file does not say so, it has to be opened: the head of a
    young site that crashed has no version yet, only its log has. `opened` is called then. Raises Unavailable, OSError.
    """
    if not path.exists() or _version_in_head(path) >= len(SCRIPTS):
        return None
    former = path.with_name(f"{path.stem}.before-{len(SCRIPTS)}{path.suffix}")
    try:
        # While the file is open here no other process opens it, so that there is only one draft.
        with closing(open_as_it_is(path, wait_ms)) as connection:
            opened()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 1 <= version < len(SCRIPTS):
                return None
            _copy_completely(connection, former)
    except sqlite3.Error as error:
        raise Unavailable(f"{path} cannot be copied before its upgrade ({error}).") from error
    return int(version), former


def _copy_completely(connection: sqlite3.Connection, to: Path) -> None:
    """Copies everything to `to`, durably and all at once; a file that was there is replaced."""
    draft = to.with_name(f"{to.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        copy(connection, draft, lambda: None)
        with draft.open("rb+") as copied:
            os.fsync(copied.fileno())
        draft.replace(to)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(to.parent)


def _version_in_head(path: Path) -> int:
    """The `user_version` in the head of a SQLite file, without what is in its log."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(64)[60:], "big")


def check(path: Path) -> None:
    """Raises Unusable if the file is damaged or lacks a table of its version, or has one that no site has."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise Unusable(f"{path} is in use, or was copied by hand while it was: {log.name} belongs to it. Use backup.")
    try:
        # Immutable: leaves no files behind, and works on read-only media.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            tables = _tables(connection)
    except sqlite3.Error as error:
        raise Unusable(f"{path} cannot be read as a copy of a site ({error}).") from error
    if verdict != "ok":
        raise Unusable(f"{path} is damaged ({verdict}).")
    if version > len(SCRIPTS):
        raise Unusable(f"{path} was written by a newer release of this server; run that release or a later.")
    made, may_have = _tables_of(version), _tables_of(version, TABLE_KINDS)
    if version < 1 or not made <= tables <= may_have:
        raise Unusable(f"{path} does not have the tables of a site.")


def version_of(path: Path) -> int:
    """The schema version of a copy that `check` has found sound."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _tables_of(version: int, kinds: Sequence[RecordKind] = ()) -> set[tuple[str, str, str]]:
    """The tables and indexes of a file of that version, with those of `kinds` that no script makes."""
    with closing(sqlite3.connect(":memory:")) as blank:
        for script in SCRIPTS[:version]:
            blank.executescript(script)
        create_tables(blank, kinds)
        return _tables(blank)


def put_in_place(copied: Path, path: Path, aside: Path, wait_ms: int) -> None:
    """Atomically puts a copy of the checked `copied` at `path`; a file that was there goes to `aside`.

    Raises Unavailable if a server has that file open, OSError.
    """
    draft = path.with_name(f"{path.name}.draft")
    try:
        _copy_bytes(copied, draft)
        existed = path.exists()
        with closing(_lock(path, wait_ms)):
            if existed:
                path.rename(aside)
            draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def _copy_bytes(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with source.open("rb") as read, open(descriptor, "wb") as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def sync_folder(folder: Path) -> None:
    """Makes renames in the folder durable. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(path: Path, wait_ms: int) -> sqlite3.Connection:
    """A connection that keeps servers from opening the file, and removes its log. Raises Unavailable."""
    connection = open_as_it_is(path, wait_ms, newer_too=True)
    try:
        # Otherwise the old log would be taken for that of the new file.
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        raise Unavailable(f"{path} cannot be put aside ({error}). Move it away yourself.") from error
    return connection
