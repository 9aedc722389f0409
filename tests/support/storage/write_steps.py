"""Stops a part of a store at any of its writes, just before or just after it, as a process that dies there."""

WRITES = ("insert_one", "update_one", "update_many", "delete_many", "bulk_write")


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


def watch(part, steps, collections):
    """From now on `steps` decides how far this part of a store gets; on MongoDB with these of its `collections`."""
    if hasattr(part, "_file"):
        part._file = WatchedFile(part._file, steps)
        return
    for name in collections:
        setattr(part, name, Watched(getattr(part, name), steps))
