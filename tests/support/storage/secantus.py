"""SecantusDB, a MongoDB-compatible server on WiredTiger, as a process of the tests, for whoever has installed it.

It is GPL-2.0 and so never a part of the site, it is not MongoDB, and its packages are large: so the tests do not ask
for it. `make secantus` puts it into an environment of its own, which `.ci/run` does.
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
needs_secantus = pytest.mark.skipif(
    not INSTALLED, reason="no SecantusDB: a database killed in mid-write is NOT tested; make secantus"
)
IN_MEMORY = Path("/dev/shm")
"""A disk at which nobody waits for a disk."""
THAT_DIES_WITH_US = """
import ctypes, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
from secantus.cli import main
main()
"""


class Secantus:
    """One process at a time, over one folder. Each commit is on disk before it is acknowledged."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self._port}/?replicaSet=secantus"

    def start(self) -> None:
        """Returns when it takes writes."""
        where = ("--port", str(self._port), "--storage-path", str(self._folder), "--cache-size", "64M")
        self._process = subprocess.Popen(
            [str(PYTHON), "-c", THAT_DIES_WITH_US, *where, "--sync-on-commit", "--log-level", "ERROR"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = monotonic() + PATIENCE_S
        with MongoClient(self.uri, serverSelectionTimeoutMS=500) as client:
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
def secantus_in_memory() -> Iterator[Secantus]:
    """It runs until the block ends, and leaves nothing."""
    memory = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="secantus-", dir=memory) as folder:
        server = Secantus(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
