"""SecantusDB, a MongoDB-compatible server on WiredTiger, as a process of the tests.

It is GPL-2.0 and no part of ours: `make secantus`, which `make test` begins with, puts it into an environment of its
own. Where there is none for a machine, whatever asks for it is skipped, and the summary says so.
"""

import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S

PYTHON = Path(__file__).parents[3] / ".secantus" / "bin" / "python"
INSTALLED = PYTHON.with_name("secantusd-py").exists()
IN_MEMORY = Path("/dev/shm")
"""A disk at which nobody waits for a disk."""
THAT_DIES_WITH_US = """
import ctypes, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
import threading
from secantus import storage, transactions
from secantus.cli import main
transactions._RETRYABLE_RECORD_MAX = 256

known = threading.local()
Storage = storage.Storage
release, cursor, listed, mark = (
    Storage.release_thread_snapshot, Storage._cursor, Storage._iter_indexes, Storage._maybe_mark_multikey
)

def release_and_forget(self):
    known.indexes = {}
    return release(self)

def cursor_in(self, table, **options):
    if table == storage._IDX_TABLE:
        known.indexes = {}
    return cursor(self, table, **options)

def listed_once(self, db, coll):
    if (db, coll) not in (found := getattr(known, "indexes", {})):
        rows = tuple(listed(self, db, coll))
        found = known.indexes
        found[db, coll] = rows
    return iter(found[db, coll])

def marked_if_new(self, db, coll, doc, indexes, already):
    new = any(name not in already and storage._doc_makes_multikey(doc, keys) for name, keys, *_ in indexes)
    return mark(self, db, coll, doc, indexes, already) if new else already

Storage.release_thread_snapshot, Storage._cursor = release_and_forget, cursor_in
Storage._iter_indexes, Storage._maybe_mark_multikey = listed_once, marked_if_new
main()
"""
"""At each write it looks twice through all that it remembers of earlier ones, up to 10,000: a third of its time. And in
each command it reads the indexes of a collection about ten times, a third of what is left: once will do.
"""


class Secantus:
    """One process at a time, over one folder. Each commit is on disk before it is acknowledged."""

    def __init__(self, folder: Path, *options: str) -> None:
        if not INSTALLED:
            pytest.skip("no SecantusDB: the store in MongoDB is NOT tested; make secantus")
        self._folder, self._options = folder, options
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self._port}/?replicaSet=secantus"

    @property
    def direct_uri(self) -> str:
        """Its other members are not looked for: so it can be reached through a proxy."""
        return f"mongodb://127.0.0.1:{self._port}/?directConnection=true"

    @property
    def pid(self) -> int:
        """Of the process that was started last."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when it takes writes."""
        where = ("--port", str(self._port), "--storage-path", str(self._folder), "--cache-size", "64M")
        self._process = subprocess.Popen(
            [str(PYTHON), "-c", THAT_DIES_WITH_US, *where, *self._options, "--sync-on-commit", "--log-level", "ERROR"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = monotonic() + PATIENCE_S
        with MongoClient(self.direct_uri, serverSelectionTimeoutMS=500) as client:
            while monotonic() < until:
                try:
                    client.admin.command("ping")
                    return
                except PyMongoError:
                    sleep(0.05)
        raise AssertionError("SecantusDB did not start")

    def kill(self) -> None:
        """As kill -9 does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


@contextmanager
def secantus_in_memory(*options: str) -> Iterator[Secantus]:
    """It runs until the block ends, and leaves nothing."""
    memory = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="secantus-", dir=memory) as folder:
        server = Secantus(Path(folder), *options)
        server.start()
        try:
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="session")
def secantus() -> Iterator[Secantus]:
    """One for all tests of a process that ask for it."""
    with secantus_in_memory() as server:
        yield server
