"""What people have done of the lessons, in the SQLite file."""

from collections.abc import Sequence
from functools import partial

from server.storage.protocols.lessons import StepDone, step_done_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteLessons(SqlitePart):
    """A `LessonStore`."""

    async def note(self, done: StepDone) -> None:
        await self._file.write(partial(insert, table="lessons", fields=to_document(done), or_else="OR IGNORE"))

    async def of(self, owner: str) -> Sequence[StepDone]:
        found = await self._file.fields("SELECT * FROM lessons WHERE owner = ?", (owner,))
        return list(self._damage.readable("lessons", found, step_done_of))

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM lessons WHERE owner = ?", (owner,))
