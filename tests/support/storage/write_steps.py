"""Stops a part of a store at any of its writes, just before or just after it, as a process that dies there."""

from copy import copy
from itertools import count

from server.storage.tables.table import Table

WRITES = ("insert_one", "update_one", "update_many", "delete_one", "delete_many", "bulk_write")


class Stopped(BaseException):
    """The process is gone; nothing in it can react to that."""


class Steps:
    """Lets so many writes through, then stops the process: before the next one is done, or just after it."""

    def __init__(self, let, after):
        self.let = let
        self.after = after

    async def take(self, call):
        if self.let == 0 and not self.after:
            raise Stopped
        answer = await call()
        if self.let == 0:
            raise Stopped
        self.let -= 1
        return answer


def every_stop():
    """Before anything is written, then after each write, which is as before the next one."""
    yield Steps(0, after=False)
    yield from (Steps(let, after=True) for let in count())


class Watched:
    """A collection whose every write is a step."""

    def __init__(self, collection, steps):
        self._collection = collection
        self._steps = steps

    def __getattr__(self, name):
        method = getattr(self._collection, name)
        if name not in WRITES:
            return method
        return lambda *args, **options: self._steps.take(lambda: method(*args, **options))


class WatchedFile:
    """A SQLite file whose every write is a step."""

    def __init__(self, file, steps):
        self._file = file
        self._steps = steps

    def __getattr__(self, name):
        return getattr(self._file, name)

    async def write(self, work):
        return await self._steps.take(lambda: self._file.write(work))


class WatchedDatabase:
    """A database whose collections are watched."""

    def __init__(self, database, steps):
        self._database = database
        self._steps = steps

    def __getitem__(self, name):
        return Watched(self._database[name], self._steps)


def watch_tables(part, steps):
    """From now on `steps` decides how far this part of a store gets, which has only tables."""
    for name, table in vars(part).items():
        if isinstance(table, Table):
            watched, engine = copy(table), copy(table._engine)
            if hasattr(engine, "_file"):
                engine._file = WatchedFile(engine._file, steps)
            else:
                engine._database = WatchedDatabase(engine._database, steps)
            watched._engine = engine
            setattr(part, name, watched)


def watch(part, steps, collections):
    """From now on `steps` decides how far this part of a store gets; on MongoDB with these of its `collections`."""
    watch_tables(part, steps)
    if hasattr(part, "_file"):
        part._file = WatchedFile(part._file, steps)
        return
    for name in collections:
        setattr(part, name, Watched(getattr(part, name), steps))
