"""The engines that the suite runs on, each a place where a store can be opened, and opened again.

MongoStore runs here against SecantusDB, which speaks MongoDB's protocol as a replica set of one over WiredTiger. It
is not MongoDB: it proves what is sent, how answers are read and what outlives a kill, and nothing about a real server's
replication. With FAIRYHOUSE_MONGODB_URI set the same suite runs on that real server too, in a database of its own which
is dropped afterwards.
"""

import os
import secrets
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from pymongo import MongoClient

from server.storage.mongo.client import OPTIONS
from server.storage.mongo.store import MongoStore
from server.storage.mongo.table import INDEXES
from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage import mongo_plans
from tests.support.storage.mongo_explained import Explained
from tests.support.storage.query_plans import Plans
from tests.support.storage.sqlite_file import NO_WAITING, begin

REAL_MONGODB = os.environ.get("FAIRYHOUSE_MONGODB_URI")
ENGINES = ["sqlite", "SecantusDB", *(["mongodb"] if REAL_MONGODB else [])]


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
    """A database of its own, which ends with its server. Several stores can have it open, as several servers would."""

    def __init__(self, uri: str) -> None:
        self.name = f"test_{secrets.token_hex(6)}"
        self.uri = with_database(uri, self.name)
        self._open = AsyncExitStack()

    async def open(self, uri: str | None = None):
        store = await MongoStore.connect(uri or self.uri, VARIANTS)
        self._open.push_async_callback(store.close)
        return store

    async def leave(self):
        await self._open.aclose()


class SuiteDatabase:
    """One database for all tests of a process in turn: it gets its indexes once, and each test finds it empty.

    To make a database with its indexes, and to drop it, takes SecantusDB longer than most tests do.
    """

    def __init__(self, uri: str, exceptions: Iterable[str] = ()) -> None:
        """`exceptions`: parts of the questions that its server explains otherwise than MongoDB."""
        mongo_plans.watch()
        self.name = f"suite_{secrets.token_hex(6)}"
        self.uri = with_database(uri, self.name)
        self.prepared = False
        self._client: MongoClient = MongoClient(self.uri, **OPTIONS)
        self.explained = Explained(self._client[self.name], exceptions)

    def check(self) -> None:
        """Fails if a test has left a document in it, or an index more or less than a store makes."""
        stats = self._client[self.name].command("dbStats")
        own = stats["indexes"] - stats["collections"]
        assert stats["objects"] == 0, "a test before this one has left documents"
        assert own == (sum(map(len, INDEXES.values())) if self.prepared else 0), "a test has changed the indexes"

    def empty(self) -> None:
        """Where this process has written; if something is left, another has, and all is looked through."""
        database = self._client[self.name]
        for collection in mongo_plans.PLANS.written(self.name):
            database[collection].delete_many({})
        if database.command("dbStats")["objects"]:
            for collection in database.list_collection_names():
                database[collection].delete_many({})

    def close(self) -> None:
        """Nothing is left of it."""
        self._client.drop_database(self.name)
        self._client.close()


class WatchedMongoPlace(MongoPlace):
    """As the suite opens it: the database is there already, and each command is looked at."""

    def __init__(self, database: SuiteDatabase) -> None:
        super().__init__(database.uri)
        self.name, self.uri, self._database = database.name, database.uri, database
        database.check()
        mongo_plans.PLANS.forget(self.name)

    async def open(self):
        """As a server does when it starts, but that the indexes are there."""
        if not self._database.prepared:
            store = await super().open()
            self._database.prepared = True
            return store
        store = await MongoStore.connect(self.uri, VARIANTS, prepare=False)
        self._open.push_async_callback(store.close)
        await store._fill()
        return store

    async def leave(self):
        await super().leave()
        self._database.empty()

    def wasteful(self):
        """The questions that read more than they return, without a reason, and writes that ask for less than all."""
        plans = mongo_plans.PLANS
        scans = self._database.explained.scans(plans.asked(self.name))
        return [*plans.wasteful(self.name), *plans.hasty(self.name), *scans]


def with_database(uri: str, name: str) -> str:
    """`uri` naming the database `name`; who signs in there still does so where the address said."""
    parts = urlsplit(uri)
    query = parts.query
    if parts.username and "authSource" not in query:
        query = f"authSource={parts.path.strip('/') or 'admin'}&{query}".rstrip("&")
    return urlunsplit(parts._replace(path=f"/{name}", query=query))


async def store_at(place: str) -> MongoStore | SqliteStore:
    """The store at the address of a MongoDB server, or else in that file."""
    if place.startswith("mongodb:"):
        return await MongoStore.connect(place, VARIANTS)
    return await SqliteStore.open(Path(place), VARIANTS)


def place_of(engine, request):
    """A place for the suite, which looks at each question there."""
    match engine:
        case "sqlite":
            return WatchedSqlitePlace(request.getfixturevalue("tmp_path"))
        case "SecantusDB":
            return WatchedMongoPlace(request.getfixturevalue("secantus_database"))
        case "mongodb":
            return WatchedMongoPlace(request.getfixturevalue("mongodb_database"))
