"""A store whose n-th call fails in a chosen way, at the level at which an engine acts at once: one transaction of the
SQLite file, one command to MongoDB.

Only the calls count that an action makes, and what it starts; what a site does meanwhile by itself goes through.
"""

import asyncio
import secrets
import sqlite3
from contextlib import ExitStack, asynccontextmanager, closing
from contextvars import ContextVar
from dataclasses import dataclass, field

from pymongo.errors import AutoReconnect

from server.storage.errors import Unavailable
from server.storage.mongo.client import close_client, connect_client
from server.storage.mongo.store import MongoStore
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import with_database
from tests.support.storage.sqlite_file import NO_WAITING

READS = frozenset({"read", "find_one", "find", "count_documents"})
COLLECTION_CALLS = (
    *("insert_one", "find_one", "update_one", "update_many", "delete_one", "delete_many", "bulk_write"),
    "count_documents",
)
REFUSED, UNKNOWN, GONE_BEFORE, GONE_AFTER = "refused", "unknown", "gone before", "gone after"
WAYS = (REFUSED, UNKNOWN, GONE_BEFORE, GONE_AFTER)
"""What becomes of a call: it has no effect; it has, and the answer is lost; the process dies before it, or after it."""


@dataclass
class Fault:
    """The call with that number (None: no call) ends in that way. `calls`: those so far, by name."""

    at: int | None = None
    way: str = REFUSED
    calls: list = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    answer: object = None
    hold: object = None
    """Waited for before each call: for what another process does meanwhile."""

    async def take(self, name, call, error):
        """Carries out a call, or lets it fail."""
        if self.gone.is_set():
            await asyncio.Future()
        number = len(self.calls)
        self.calls.append(name)
        if self.hold is not None:
            await self.hold(number)
        if number != self.at:
            return await call()
        if self.way in (UNKNOWN, GONE_AFTER):
            await call()
        if self.way in (REFUSED, UNKNOWN):
            raise error
        self.gone.set()
        return await asyncio.Future()


FAULT: ContextVar[Fault | None] = ContextVar("FAULT", default=None)


class Process:
    """One process with a store. When it is dead nothing reaches the store from it.

    `shares_writes`: what others write goes through the same queue. `written`: the collections that it may have changed.
    """

    def __init__(self, shares_writes, written=None):
        self.dead = False
        self.shares_writes = shares_writes
        self.written = set() if written is None else written

    async def call(self, name, call, error):
        if self.dead:
            raise error
        fault = FAULT.get()
        return await (call() if fault is None else fault.take(name, call, error))


class FaultyFile:
    """The SQLite file as one process has it."""

    def __init__(self, file, process):
        self._whole, self._process = file, process

    def __getattr__(self, name):
        return getattr(self._whole, name)

    async def _do(self, name, what, call):
        return await self._process.call(f"{name} {_said(what)}", call, Unavailable("down for a moment"))

    async def read(self, read):
        return await self._do("read", read, lambda: self._whole.read(read))

    async def rows(self, query, values=()):
        return await self._do("read", query, lambda: self._whole.rows(query, values))

    async def fields(self, query, values=()):
        return await self._do("read", query, lambda: self._whole.fields(query, values))

    async def write(self, write):
        return await self._do("write", write, lambda: self._whole.write(write))

    async def write_together(self, op, write_all, key):
        return await self._do("write", write_all, lambda: self._whole.write_together(op, write_all, key))

    async def change(self, statement, values=()):
        return await self._do("write", statement, lambda: self._whole.change(statement, values))

    async def close(self):
        """Other processes still use the file."""


def _said(what):
    if isinstance(what, str):
        return what[:60]
    return getattr(what, "func", what).__qualname__


class FaultyClient:
    """MongoDB as one process reaches it."""

    def __init__(self, client, process):
        self._whole, self._process = client, process

    def __getattr__(self, name):
        return getattr(self._whole, name)

    def get_default_database(self, name):
        return FaultyDatabase(self._whole.get_default_database(name), self._process)

    def close(self):
        """Other processes still use it."""


class FaultyDatabase:
    def __init__(self, database, process):
        self._whole, self._process = database, process

    def __getitem__(self, name):
        return FaultyCollection(name, self._whole[name], self._process)


class FaultyCollection:
    def __init__(self, name, collection, process):
        self._name, self._whole, self._process = name, collection, process

    def __getattr__(self, name):
        method = getattr(self._whole, name)
        if name not in COLLECTION_CALLS:
            return method
        if name not in READS:
            self._process.written.add(self._name)
        return lambda *args, **options: self._process.call(
            f"{name} {self._name}", lambda: method(*args, **options), AutoReconnect("down for a moment")
        )

    def find(self, *args, **options):
        return FaultyCursor(self._name, self._whole.find(*args, **options), self._process)


class FaultyCursor:
    def __init__(self, name, cursor, process):
        self._name, self._whole, self._process = name, cursor, process

    def __getattr__(self, name):
        return lambda *args: FaultyCursor(self._name, getattr(self._whole, name)(*args), self._process)

    def __aiter__(self):
        return self._whole.__aiter__()

    async def to_list(self, length):
        return await self._process.call(
            f"find {self._name}", lambda: self._whole.to_list(length), AutoReconnect("down for a moment")
        )


def is_read(call):
    return call.split()[0] in READS


WITHOUT_MEANING = frozenset({"alive", "probe", "filled", "sqlite_sequence"})
"""Where nothing is kept that anybody was promised."""


class SqliteContent:
    """What is stored in a file, which several processes here use as if they were one after the other."""

    samples, partners, alike = 3, 1, True
    """Unless all are asked for: of an action so many cases and others that come between; and actions that are alike."""
    needs_no = frozenset({"chore Archive.file_the_rest"})
    """Actions that have nothing to do on this engine."""

    def __init__(self, file, kept):
        self._file = file
        self._kept = kept

    def process(self):
        """A store as a new process has it."""
        process = Process(True)
        store = SqliteStore(FaultyFile(self._file, process), VARIANTS)
        return process, store

    async def prepare(self, store):
        """What an engine does at the start of a process: nothing."""

    async def snapshot(self):
        def copy(connection):
            kept = self._kept.enter_context(closing(sqlite3.connect(":memory:", check_same_thread=False)))
            connection.backup(kept)
            return kept

        return await self._file.read(copy)

    async def restore(self, snapshot):
        await self._file.read(snapshot.backup)

    async def rows(self):
        def all_rows(connection):
            found = {}
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (table,) in tables:
                if table not in WITHOUT_MEANING:
                    cursor = connection.execute(f"SELECT * FROM {table}")
                    names = [one[0] for one in cursor.description]
                    found[table] = [dict(zip(names, row, strict=True)) for row in cursor]
            return found

        return await self._file.read(all_rows)


class MongoContent:
    """What is stored in a database."""

    samples, partners, alike = 1, 0, False
    needs_no = frozenset({"chore Archive.file_the_rest"})
    """It is done when a process starts; only a store that was away leaves something for later."""

    def __init__(self, client, database):
        self._client, self._database = client, database
        self._written = set()

    def process(self):
        process = Process(False, self._written)
        return process, MongoStore(FaultyClient(self._client, process), VARIANTS)

    async def prepare(self, store):
        """What `MongoStore.connect` does, but that the indexes are there."""
        await store._fill()

    async def snapshot(self):
        self._written.clear()
        return await self.rows(())

    async def restore(self, snapshot):
        for name in self._written:
            await self._database[name].delete_many({})
            if documents := snapshot.get(name):
                await self._database[name].insert_many(documents)
        self._written.clear()

    async def rows(self, without=WITHOUT_MEANING):
        names = [name for name in await self._database.list_collection_names() if name not in without]
        return {name: await self._database[name].find({}).to_list(None) for name in names}


@asynccontextmanager
async def content_on(request, folder):
    """An empty store on the engine that is the parameter of `request`."""
    if request.param == "sqlite":
        file = await SqliteFile.open(folder / "games.sqlite3", 100)
        await file.read(lambda connection: connection.execute(NO_WAITING))
        with ExitStack() as kept:
            yield SqliteContent(file, kept)
        await file.close()
        return
    uri = with_database(request.getfixturevalue("secantus").uri, f"repeated_{secrets.token_hex(4)}")
    await (await MongoStore.connect(uri, VARIANTS)).close()
    client = connect_client(uri)
    yield MongoContent(client, client.get_default_database())
    await client.drop_database(client.get_default_database().name)
    await close_client(client)
