"""Studies and their chapters in a store. Every change of either is compare-and-set on its revision.

All times are ms since the epoch.
"""

from collections.abc import Sequence
from typing import Protocol

from server.games.studies.study import Chapter, Study, WrittenChapter
from server.storage.fields import Fields, FlatRecord, flag, flat, instant, number, text


class StudyStore(Protocol):
    """All methods raise Unavailable. Where one write cannot hold both, a chapter is stored before its study names it
    and removed after: what a crash leaves behind is never shown, and goes with its owner.
    """

    async def add(self, study: Study, chapters: Sequence[WrittenChapter]) -> None:
        """Stores a study and all its chapters. Raises Duplicate too."""

    async def find(self, study: str) -> Study | None:
        """The study with that id."""

    async def of(self, owner: str) -> Sequence[Study]:
        """Those of `owner`, the last changed first."""

    async def change(self, study: Study) -> bool:
        """Stores it if the stored revision is the one before. False: it is not, or the study is gone."""

    async def add_chapter(self, study: Study, added: WrittenChapter) -> bool:
        """The same with a chapter, which `study` names already."""

    async def remove_chapter(self, study: Study, chapter: str) -> bool:
        """The same without a chapter, which `study` no longer names."""

    async def remove(self, study: Study) -> None:
        """Deletes it with its chapters."""

    async def chapters(self, study: str) -> Sequence[Chapter]:
        """Its chapters, in no particular order."""

    async def written(self, study: str) -> Sequence[WrittenChapter]:
        """The same with what is in them."""

    async def chapter(self, chapter: str) -> WrittenChapter | None:
        """The chapter with that id."""

    async def save(self, chapter: WrittenChapter, at: int) -> bool:
        """Stores it if the stored revision is the one before, and notes that its study changed at `at`.

        False: it is not, or the chapter is gone.
        """

    async def size_of(self, owner: str) -> int:
        """The bytes in all chapters of `owner`."""

    async def forget(self, owner: str) -> None:
        """Deletes the studies of `owner`."""


def study_document(study: Study) -> FlatRecord:
    """The study as a record, without its chapters."""
    return flat(study, key="id")


def study_of(fields: Fields) -> Study:
    """The study of stored fields. Raises as `fields` says."""
    return Study(
        id=text(fields, "_id"),
        owner=text(fields, "owner"),
        name=text(fields, "name"),
        chapters=tuple(text(fields, "chapters").split()),
        created=instant(fields, "created"),
        changed=instant(fields, "changed"),
        shared=flag(fields, "shared"),
        rev=number(fields, "rev"),
    )


def chapter_document(written: WrittenChapter) -> FlatRecord:
    """The chapter with its moves as a record."""
    one = written.chapter
    return {
        "_id": one.id,
        "study": one.study,
        "owner": one.owner,
        "name": one.name,
        "variant": one.variant,
        "chess960": int(one.chess960),
        "rev": one.rev,
        "size": written.size,
        "pgn": written.pgn,
    }


def chapter_of(fields: Fields) -> Chapter:
    """The chapter of stored fields. Raises as `fields` says."""
    return Chapter(
        id=text(fields, "_id"),
        study=text(fields, "study"),
        owner=text(fields, "owner"),
        name=text(fields, "name"),
        variant=text(fields, "variant"),
        chess960=flag(fields, "chess960"),
        rev=number(fields, "rev"),
    )


def written_of(fields: Fields) -> WrittenChapter:
    """The same with what is in it."""
    number(fields, "size")
    return WrittenChapter(chapter_of(fields), text(fields, "pgn"))
