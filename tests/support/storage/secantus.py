"""SecantusDB, a MongoDB-compatible server on WiredTiger, as a process of the tests, for whoever has installed it.

It is GPL-2.0 and so never a part of the site, it is not MongoDB, and its packages are large: so the tests do not ask
for it. `make secantus` puts it into an environment of its own, which `.ci/run` does.
"""

import shutil
import signal
import subprocess
from pathlib import Path
from time import monotonic, sleep

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from tests.support.free_port import free_port

OF_ITS_OWN = Path(__file__).parents[3] / ".secantus" / "bin"
PROGRAM = shutil.which("secantusd-py", path=OF_ITS_OWN) or shutil.which("secantusd-py")
needs_secantus = pytest.mark.skipif(
    PROGRAM is None, reason="no secantusd-py: a database killed in mid-write is NOT tested; make secantus"
)
STARTS_WITHIN_S = 60


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
            [str(PROGRAM), *where, "--sync-on-commit", "--log-level", "ERROR"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = monotonic() + STARTS_WITHIN_S
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
