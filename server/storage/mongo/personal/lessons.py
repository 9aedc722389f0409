"""What people have done of the lessons, in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.lessons import StepDone, step_done_of, to_document


class MongoLessons:
    """A `LessonStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._lessons = database["lessons"]
        self._damage = damage

    async def note(self, done: StepDone) -> None:
        await upsert(self._lessons, to_document(done), "$setOnInsert")

    async def of(self, owner: str) -> Sequence[StepDone]:
        found = await checked(self._lessons.find({"owner": owner}).to_list(None))
        return list(self._damage.readable("lessons", found, step_done_of))

    async def forget(self, owner: str) -> None:
        await checked(self._lessons.delete_many({"owner": owner}))
