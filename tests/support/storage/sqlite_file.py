"""The file of the embedded store itself: how tests make many of them, and what they ask one."""

import functools
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from server.storage.sqlite.schema import open_file


@functools.cache
def new_file():
    """The bytes of a new file. A hundred statements make one, which takes ten times as long as to open it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.sqlite3"
        open_file(path, wait_ms=0).close()
        return path.read_bytes()


def begin(path):
    """Leaves a new file at `path` for a store to open, unless something is there or nothing can be."""
    with suppress(OSError), os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(new_file())


NO_WAITING = "PRAGMA synchronous = OFF"
"""Nobody pulls the plug of a test, and a disk that others use lets each commit wait for milliseconds. That the store
itself waits is shown in tests/storage/sqlite/test_sqlite_file.py."""


def open_begun(path, wait_ms):
    """As `open_file`, but no commit waits for the disk."""
    begin(path)
    connection = open_file(path, wait_ms)
    connection.execute(NO_WAITING)
    return connection


async def pragma(store, text):
    """What the store's own connection answers, asked on its own thread."""
    return await store._file.read(lambda connection: connection.execute(f"PRAGMA {text}").fetchone())
