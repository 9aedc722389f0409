"""What people with an account have done of the lessons, in a store. Guests keep that in their browser."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore


@dataclass(frozen=True, slots=True)
class StepDone:
    """The user `owner` has done the step (a task, or one of the introduction) of a lesson, first at `at` (ms)."""

    owner: str
    lesson: str
    step: str
    at: int


def step_done_of(document: Fields) -> StepDone:
    """What a document says. Raises as `fields` says."""
    return StepDone(text(document, "owner"), text(document, "lesson"), text(document, "step"), instant(document, "at"))


LESSONS: Final = RecordKind(
    "lessons", typed_fields("_id owner lesson step #at"), indexes=("owner",), read=step_done_of, people=("owner",)
)


class LessonStore(OwnedTableStore):
    """What people have done of the lessons."""

    kinds = (LESSONS,)

    async def note(self, done: StepDone) -> None:
        """Stores that a step is done; once it is, nothing changes."""
        await self._table.add_if_new({"_id": f"{done.owner} {done.lesson} {done.step}", **flat(done)})

    async def of(self, owner: str) -> Sequence[StepDone]:
        """What `owner` has done, in no particular order."""
        return await self._table.read(step_done_of, owner=owner)
