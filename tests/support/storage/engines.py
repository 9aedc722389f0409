"""The engines that the suite runs on, each a place where a store can be opened, and opened again.

MongoStore runs here against nx-27017, which speaks MongoDB's wire protocol over SQLite; with `--secantus` against
SecantusDB, which speaks it as a replica set of one over WiredTiger, in two to three times the time. Neither is
MongoDB: they prove what is sent and how answers are read, and nothing about a real server's replication; where nx-27017
is known to be wrong the suite does not lean on it. With MONGODB_URI set the same suite runs on that real server too, in
a database of its own which is dropped afterwards.
"""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from server.storage.mongo.client import close_client, connect_client
from server.storage.mongo.store import MongoStore
from server.storage.sqlite.store import SqliteStore
from tests.support.free_port import free_port
from tests.support.rules.built_in import VARIANTS
from tests.support.storage import mongo_plans, secantus
from tests.support.storage.query_plans import Plans
from tests.support.storage.sqlite_file import NO_WAITING, begin

NX_THAT_DIES_WITH_US = """
import ctypes, runpy, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
runpy.run_module("nx_27017.nx_27017", run_name="__main__")
"""
"""Asked for in the new program: between fork and start, beside other threads, the question could hang for ever."""

REAL_MONGODB = os.environ.get("MONGODB_URI")
ENGINES = ["sqlite", "nx-27017", *(["mongodb"] if REAL_MONGODB else [])]


class SqlitePlace:
    """One file. Only one store can have it open, which is then as a server has it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "games.sqlite3"
        self._open = AsyncExitStack()

    async def open(self):
        begin(self.path)
        store = await SqliteStore.open(self.path, VARIANTS, wait_ms=100)
        self._open.push_async_callback(store.close)
        return store

    async def leave(self):
        await self._open.aclose()


class WatchedSqlitePlace(SqlitePlace):
    """As the suite opens it: no commit waits for the disk, and each statement is looked at."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.plans = Plans()

    async def open(self):
        store = await super().open()
        await store._file.read(lambda connection: connection.execute(NO_WAITING))
        await store._file.read(lambda connection: connection.set_trace_callback(self.plans.trace))
        return store

    def wasteful(self):
        """The statements that read more than they return, without a reason."""
        return list(self.plans.wasteful())


class MongoPlace:
    """One database. Several stores can have it open, as several servers would. `real`: it is in a replica set;
    `dropped`: it does not end with its server.
    """

    def __init__(self, uri: str, real: bool, dropped: bool = False) -> None:
        self.name = f"test_{secrets.token_hex(6)}"
        self.uri = with_database(uri, self.name)
        self._real, self._dropped = real, dropped
        self._open = AsyncExitStack()

    async def open(self, uri: str | None = None):
        store = await MongoStore.connect(uri or self.uri, VARIANTS, allow_standalone=not self._real)
        self._open.push_async_callback(store.close)
        return store

    async def leave(self):
        await self._open.aclose()
        if self._dropped:
            client = connect_client(self.uri)
            await client.drop_database(self.name)
            await close_client(client)

    def wasteful(self):
        """The questions that read more than they return, without a reason, and writes that ask for less than all."""
        return [*mongo_plans.PLANS.wasteful(self.name), *mongo_plans.PLANS.hasty(self.name)]


def with_database(uri: str, name: str) -> str:
    """`uri` naming the database `name`; who signs in there still does so where the address said."""
    parts = urlsplit(uri)
    query = parts.query
    if parts.username and "authSource" not in query:
        query = f"authSource={parts.path.strip('/') or 'admin'}&{query}".rstrip("&")
    return urlunsplit(parts._replace(path=f"/{name}", query=query))


def start_nx(folder: Path) -> tuple[subprocess.Popen, str]:
    """nx-27017 in memory, on a free loopback port, its log in `folder`, and its address. It dies with this process."""
    port = free_port()
    server = subprocess.Popen(
        [
            *(sys.executable, "-c", NX_THAT_DIES_WITH_US, "--port", str(port), "--data-dir", "memory"),
            *("--log-file", str(folder / "log"), "--pid-file", str(folder / "pid")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):
        if server.poll() is not None:
            raise RuntimeError(f"nx-27017 has ended with code {server.returncode}")
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"mongodb://127.0.0.1:{port}/"
        time.sleep(0.05)
    server.kill()
    raise RuntimeError("nx-27017 does not answer")


@contextmanager
def stand_in(folder: Path, on_secantus: bool) -> Iterator[MongoPlace]:
    """A place in a server of its own, whose other members are not looked for: so it can be reached through a proxy."""
    if on_secantus:
        with secantus.secantus_in_memory() as server:
            yield MongoPlace(server.uri.replace("replicaSet=secantus", "directConnection=true"), real=True)
        return
    database, address = start_nx(folder)
    try:
        yield MongoPlace(address, real=False)
    finally:
        database.kill()
        database.wait()


async def store_at(place: str) -> MongoStore | SqliteStore:
    """The store at the address of a MongoDB server, or else in that file."""
    if place.startswith("mongodb:"):
        return await MongoStore.connect(place, VARIANTS, allow_standalone=True)
    return await SqliteStore.open(Path(place), VARIANTS)


def place_of(engine, request):
    """A place for the suite, which looks at each question there."""
    mongo_plans.watch()
    match engine:
        case "sqlite":
            return WatchedSqlitePlace(request.getfixturevalue("tmp_path"))
        case "SecantusDB":
            return MongoPlace(request.getfixturevalue("secantus_address"), real=True)
        case "nx-27017":
            return MongoPlace(request.getfixturevalue("nx_address"), real=False)
        case "mongodb":
            return MongoPlace(REAL_MONGODB, real=True, dropped=True)
