"""What people have done of the lessons, in the SQLite file."""

from collections.abc import Sequence
from functools import partial

from server.storage.damage import Damage
from server.storage.protocols.lessons import StepDone, step_done_of, to_document
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert


class SqliteLessons:
    """A `LessonStore`."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage

    async def note(self, done: StepDone) -> None:
        await self._file.write(partial(insert, table="lessons", fields=to_document(done), or_else="OR IGNORE"))

    async def of(self, owner: str) -> Sequence[StepDone]:
        found = await self._file.fields("SELECT * FROM lessons WHERE owner = ?", (owner,))
        return list(self._damage.readable("lessons", found, step_done_of))

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM lessons WHERE owner = ?", (owner,))
