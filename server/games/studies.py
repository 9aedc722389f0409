"""A study: chapters in an order, each an annotated game of some variant. Pure; knows no store and no rules.

Only the owner changes it; once it is shared, whoever has its id, 128 random bits, reads it. The study has a revision
for its name, its order and whether it is shared, and each chapter one of its own, so that people who write in different
chapters do not get in each other's way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.errors import NotAllowed

MAX_STUDIES: Final = 100
"""Studies of one person."""
MAX_CHAPTERS: Final = 64
"""Chapters of one study."""
MAX_BYTES: Final = 5_000_000
"""Of PGN in all chapters of one person: a thousand long games with comments."""
LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class Chapter:
    """`study`: the id of its study; `owner`: that of the person whose study it is. `rev` counts its changes from 1."""

    id: str
    study: str
    owner: str
    name: str
    variant: str
    chess960: bool
    rev: int = 1


@dataclass(frozen=True, slots=True)
class WrittenChapter:
    """A chapter and what is in it: one game as PGN, which the rules have judged."""

    chapter: Chapter
    pgn: str

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.pgn.encode())


@dataclass(frozen=True, slots=True)
class Study:
    """`chapters`: their ids, in order. `created`, `changed`: ms since the epoch. `rev` counts its changes from 1."""

    id: str
    owner: str
    name: str
    chapters: tuple[str, ...]
    created: int
    changed: int
    shared: bool = False
    rev: int = 1

    def is_open_to(self, person: str) -> bool:
        """May `person` (an id; "" for somebody unknown) read it?"""
        return self.shared or self.is_of(person)

    def is_of(self, person: str) -> bool:
        """May `person` change it?"""
        return self.owner == person


def changed(study: Study, now: int, *, name: str | None = None, shared: bool | None = None) -> Study:
    """The next revision, with what is not None. Raises NotAllowed for an empty name."""
    return replace(
        study,
        name=named(study.name if name is None else name),
        shared=study.shared if shared is None else shared,
        changed=now,
        rev=study.rev + 1,
    )


def reordered(study: Study, order: Sequence[str], now: int) -> Study:
    """The next revision, with the same chapters in that order. Raises NotAllowed if they are not the same."""
    if sorted(order) != sorted(study.chapters):
        raise NotAllowed("chapters_differ")
    return replace(study, chapters=tuple(order), changed=now, rev=study.rev + 1)


def with_chapters(study: Study, chapters: Sequence[str], now: int) -> Study:
    """The next revision, with more chapters at the end. Raises NotAllowed if they would be too many."""
    if len(study.chapters) + len(chapters) > MAX_CHAPTERS:
        raise NotAllowed("too_many_chapters", n=MAX_CHAPTERS)
    return replace(study, chapters=(*study.chapters, *chapters), changed=now, rev=study.rev + 1)


def without_chapter(study: Study, chapter: str, now: int) -> Study:
    """The next revision, without that chapter. Raises NotAllowed for the only one."""
    if study.chapters == (chapter,):
        raise NotAllowed("only_chapter")
    return replace(
        study, chapters=tuple(one for one in study.chapters if one != chapter), changed=now, rev=study.rev + 1
    )


def named(name: str) -> str:
    """`name`, if it is one. Raises NotAllowed."""
    if not name:
        raise NotAllowed("study_unnamed")
    return name


def too_many_studies() -> NotAllowed:
    """What somebody is told who has as many studies as they may have."""
    return NotAllowed("too_many_studies", n=MAX_STUDIES)


def check_size(stored: int) -> None:
    """Raises NotAllowed if nobody may keep `stored` bytes in the chapters of their studies."""
    if stored > MAX_BYTES:
        raise NotAllowed("studies_full", mb=MAX_BYTES // 1_000_000)
