"""A store whose n-th call fails in a chosen way, at the level at which an engine acts at once: one transaction of the
SQLite file, one command to MongoDB.

Only the calls count that an action makes, and what it starts; what a site does meanwhile by itself goes through.
"""

import asyncio
import pickle
import secrets
import sqlite3
from contextlib import ExitStack, asynccontextmanager, closing
from contextvars import ContextVar
from dataclasses import dataclass, field

from pymongo import DeleteOne, ReplaceOne
from pymongo.errors import AutoReconnect

from server.storage.errors import Unavailable
from server.storage.mongo import client as mongo_client
from server.storage.mongo.client import close_client
from server.storage.mongo.store import MongoStore
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.store import SqliteStore
from tests.support.patience import PATIENCE_MS
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import with_database
from tests.support.storage.sqlite_file import NO_WAITING

PATIENT = dict.fromkeys(("wTimeoutMS", "socketTimeoutMS", "serverSelectionTimeoutMS", "connectTimeoutMS"), PATIENCE_MS)
"""Calls fail here when they are to; how long one takes says how busy the machine is."""
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
    """The call with that number (None: no call) ends in that way. `calls`: those so far, by name; `seen`: what each
    read has answered, if there is a `hold`; `crossed`: those that were under way
    at the same time as another.
    """

    at: int | None = None
    way: str = REFUSED
    calls: list = field(default_factory=list)
    seen: dict = field(default_factory=dict)
    crossed: set = field(default_factory=set)
    _under_way: set = field(default_factory=set)
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
        if self._under_way:
            self.crossed |= {number, *self._under_way}
        self._under_way.add(number)
        try:
            if self.hold is not None:
                await self.hold(number)
            answer = await (call() if number != self.at else self._failed(call, error))
            if self.hold is not None and is_read(name):
                self.seen[number] = written_down(answer)
            return answer
        finally:
            self._under_way.discard(number)

    async def _failed(self, call, error):
        if self.way in (UNKNOWN, GONE_AFTER):
            await call()
        if self.way in (REFUSED, UNKNOWN):
            raise error
        self.gone.set()
        return await asyncio.Future()

    def same_until(self, other, at):
        """The first call from `at` on that is not, as far as its process can tell, the same read with the same answer
        in both.
        """
        while self._is_same_read(other, at):
            at += 1
        return at

    def _is_same_read(self, other, at):
        answer = self.seen.get(at)
        if answer is None or answer != other.seen.get(at) or at in self.crossed | other.crossed:
            return False
        return self.calls[at] == other.calls[at]


def written_down(answer):
    """All that it says; None if that cannot be written down."""
    try:
        return pickle.dumps(answer)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


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
        self._found, self._written = {}, set()
        """What was there when it was read last, and the collections that were written since."""

    def process(self):
        process = Process(False, self._written)
        return process, MongoStore(FaultyClient(self._client, process), VARIANTS)

    async def prepare(self, store):
        """What `MongoStore.connect` does, but that the indexes are there."""
        await store._fill()

    async def snapshot(self):
        return await self.rows(())

    async def restore(self, snapshot):
        """Writes the documents that differ, which are few."""
        found = await self.rows(())
        for name in found.keys() | snapshot.keys():
            was, now = ({one["_id"]: one for one in rows.get(name, ())} for rows in (snapshot, found))
            changes = [DeleteOne({"_id": key}) for key in now.keys() - was.keys()]
            changes += [ReplaceOne({"_id": key}, one, upsert=True) for key, one in was.items() if now.get(key) != one]
            if changes:
                await self._database[name].bulk_write(changes, ordered=False)
                self._found[name] = list(was.values())

    async def rows(self, without=WITHOUT_MEANING):
        for name in sorted(self._written):
            self._found[name] = await self._database[name].find({}).to_list(None)
        self._written.clear()
        return {name: rows for name, rows in self._found.items() if name not in without}


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
    client = mongo_client.DRIVER(uri, **mongo_client.OPTIONS | PATIENT)
    yield MongoContent(client, client.get_default_database())
    await client.drop_database(client.get_default_database().name)
    await close_client(client)
