"""Studies in MongoDB."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.games.studies.study import Chapter, Study, WrittenChapter
from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.studies import chapter_document, chapter_of, study_document, study_of, written_of


class MongoStudies:
    """A `StudyStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._studies = database["studies"]
        self._chapters = database["study_chapters"]

    async def add(self, study: Study, chapters: Sequence[WrittenChapter]) -> None:
        for one in chapters:
            await insert(self._chapters, chapter_document(one))
        await insert(self._studies, study_document(study))

    async def find(self, study: str) -> Study | None:
        found = await checked(self._studies.find_one({"_id": study}))
        with self._damage.noted("studies", study):
            return None if found is None else study_of(found)

    async def of(self, owner: str) -> Sequence[Study]:
        found = await checked(self._studies.find({"owner": owner}).sort([("changed", -1), ("_id", 1)]).to_list(None))
        return self._damage.readable("studies", found, study_of)

    async def change(self, study: Study) -> bool:
        return await _replace(self._studies, study_document(study))

    async def add_chapter(self, study: Study, added: WrittenChapter) -> bool:
        await insert(self._chapters, chapter_document(added))
        if await self.change(study):
            return True
        await checked(self._chapters.delete_one({"_id": added.chapter.id}))
        return False

    async def remove_chapter(self, study: Study, chapter: str) -> bool:
        if not await self.change(study):
            return False
        await checked(self._chapters.delete_one({"_id": chapter}))
        return True

    async def remove(self, study: Study) -> None:
        await checked(self._studies.delete_one({"_id": study.id}))
        await checked(self._chapters.delete_many({"study": study.id}))

    async def chapters(self, study: str) -> Sequence[Chapter]:
        found = await checked(self._chapters.find({"study": study}, {"pgn": 0}).to_list(None))
        return self._damage.readable("study_chapters", found, chapter_of)

    async def written(self, study: str) -> Sequence[WrittenChapter]:
        found = await checked(self._chapters.find({"study": study}).to_list(None))
        return self._damage.readable("study_chapters", found, written_of)

    async def chapter(self, chapter: str) -> WrittenChapter | None:
        found = await checked(self._chapters.find_one({"_id": chapter}))
        with self._damage.noted("study_chapters", chapter):
            return None if found is None else written_of(found)

    async def save(self, chapter: WrittenChapter, at: int) -> bool:
        if not await _replace(self._chapters, chapter_document(chapter)):
            return False
        await checked(self._studies.update_one({"_id": chapter.chapter.study}, {"$max": {"changed": at}}))
        return True

    async def size_of(self, owner: str) -> int:
        found = await checked(self._chapters.find({"owner": owner}, {"size": 1}).to_list(None))
        return sum(size for one in found if isinstance(size := one.get("size"), int))

    async def forget(self, owner: str) -> None:
        for kept in (self._studies, self._chapters):
            await checked(kept.delete_many({"owner": owner}))


async def _replace(collection: Any, document: Mapping[str, Any]) -> bool:
    """Stores the document in place of that of the revision before; False if there is none."""
    fields = dict(document)
    before = {"_id": fields.pop("_id"), "rev": fields["rev"] - 1}
    return bool((await checked(collection.update_one(before, {"$set": fields}))).matched_count)
