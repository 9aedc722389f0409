"""Opens the SQLite file, and creates and upgrades its tables."""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from server.storage.errors import InUse, Unavailable
from server.storage.record_kinds import RecordKind
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.tables.accounts import fold
from server.storage.tables.stores import TABLE_KINDS


def open_file(path: Path, wait_ms: int) -> sqlite3.Connection:
    """The only connection to the file at `path`. A missing file is created, readable for its owner only.

    Waits up to `wait_ms` for a server that is about to close it. Raises Unavailable, saying what to do, if another
    server has it or it cannot be read or written.
    """
    connection = open_as_it_is(path, wait_ms)
    try:
        _upgrade(connection)
        create_tables(connection, TABLE_KINDS)
        _refold(connection)
    except sqlite3.Error as error:
        connection.close()
        raise _refusal(path, error) from error
    return connection


def open_as_it_is(path: Path, wait_ms: int, *, newer_too: bool = False) -> sqlite3.Connection:
    """The same, without upgrading an older file. With `newer_too` it may be a newer release's: to be put aside."""
    try:
        # SQLite gives the file of the write-ahead log the mode of the main file.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(
            f"The file {path} cannot be opened for writing ({error}). Set FAIRYHOUSE_DATA_DIR elsewhere."
        ) from error
    try:
        _prepare(connection, wait_ms)
        version = _version_locked(connection)
        if version > len(SCRIPTS) and not newer_too:
            raise Unavailable(
                f"The file {path} was written by a newer release of this server; run that release or a later."
                f" (Its schema version is {version}, this release has {len(SCRIPTS)}.)"
            )
    except sqlite3.Error as error:
        connection.close()
        raise _refusal(path, error) from error
    except Unavailable:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, wait_ms: int) -> None:
    # The order matters: without the time-out two processes that start together fail at journal_mode, and the exclusive
    # lock must be asked for before the first access, or another process could map the log's index.
    connection.execute(f"PRAGMA busy_timeout = {wait_ms}")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise Unavailable(f"This file system cannot keep SQLite's write-ahead log (it offers {mode}).")
    # A damaged text is read as well as possible, so that it does not hide the other rows of a query.
    connection.text_factory = _readable_text
    # Every commit waits for the disk. Group commit makes that cheap.
    connection.execute("PRAGMA synchronous = FULL")


def _readable_text(stored: bytes) -> str:
    return stored.decode(errors="replace")


def _version_locked(connection: sqlite3.Connection) -> int:
    # Even an empty write takes the exclusive lock, which detects a second server now and not at its first move.
    connection.execute("BEGIN IMMEDIATE")
    version = _version(connection)
    connection.execute("COMMIT")
    return version


def _upgrade(connection: sqlite3.Connection) -> None:
    """All at once: an upgrade that fails leaves the file as it was, and the disk is waited for once."""
    if missing := SCRIPTS[_version(connection) :]:
        connection.executescript(f"BEGIN IMMEDIATE; {''.join(missing)} PRAGMA user_version = {len(SCRIPTS)}; COMMIT;")


def create_tables(connection: sqlite3.Connection, kinds: Iterable[RecordKind]) -> None:
    """Creates the tables of `kinds` that are missing, each with its indexes.

    Older ones were created by scripts, and what changes one is a script. Raises sqlite3.Error.
    """
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for kind in kinds:
        if kind.name in there:
            continue
        columns = [f"{name} {'INTEGER' if type is int else 'TEXT'} NOT NULL" for name, type in kind.fields.items()]
        steps = [f"CREATE TABLE {kind.name} ({', '.join(columns)}, PRIMARY KEY ({', '.join(kind.key)})) STRICT"]
        for number, index in enumerate(kind.indexes):
            by = ", ".join(name.removesuffix("-") + " DESC" * name.endswith("-") for name in index.split())
            steps.append(f"CREATE INDEX {kind.name}_{number} ON {kind.name} ({by})")
        connection.executescript(f"BEGIN IMMEDIATE; {'; '.join(steps)}; COMMIT;")


def _refold(connection: sqlite3.Connection) -> None:
    """Rekeys accounts by the folded names of this release; of two that are alike, only one."""
    rows = connection.execute("SELECT folded, name FROM accounts").fetchall()
    changed = [(fold(name), folded) for folded, name in rows if fold(name) != folded]
    connection.executemany("UPDATE OR IGNORE accounts SET folded = ? WHERE folded = ?", changed)


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _refusal(path: Path, error: sqlite3.Error) -> Unavailable:
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
        return InUse(f"Another server is using {path}. Stop it, or give this one a FAIRYHOUSE_DATA_DIR of its own.")
    return Unavailable(_why_not(path, error))


def _why_not(path: Path, error: sqlite3.Error) -> str:
    match error.sqlite_errorcode & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            return (
                f"{path} is not a file of this server, or so damaged that it looks like none. Put a backup in its place"
                " (`fairyhouse restore FILE --replace`), move it away, or set FAIRYHOUSE_DATA_DIR elsewhere."
            )
        case sqlite3.SQLITE_CORRUPT:
            return (
                f"The file {path} is damaged ({error}). `fairyhouse check` says what can still be read;"
                " `fairyhouse restore FILE --replace` puts a backup in its place and keeps this one aside."
            )
        case sqlite3.SQLITE_FULL:
            return f"There is no room for the file {path} ({error}). Make room, or set FAIRYHOUSE_DATA_DIR elsewhere."
        case _:
            return f"The file {path} cannot be used ({error}). May the server write there, and is the disk sound?"
