"""A study: chapters in an order, each an annotated game of some variant. Pure; knows no store and no rules.

Its owner changes it, and members whom the owner has invited to write; other members read it, and once it is shared,
whoever has its id, 128 random bits. The study has a revision for its name, its order and whether it is shared, and each
chapter one of its own, so that people who write in different chapters do not get in each other's way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from server.games.errors import NotAllowed
from server.games.player import Player

MAX_STUDIES: Final = 100
"""Studies of one person."""
MAX_CHAPTERS: Final = 64
"""Chapters of one study."""
MAX_BYTES: Final = 5_000_000
"""Of PGN in all chapters of one person: a thousand long games with comments."""
MAX_MEMBERS: Final = 30
"""Of one study, beside its owner."""
LONGEST_NAME: Final = 80


class Role(StrEnum):
    """What a member may do in a study."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Member:
    """`person`, with the name they had then, was invited to `study`, which belongs to `owner` (ids), at `at` (ms)."""

    study: str
    owner: str
    person: Player
    role: Role
    at: int


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

    def is_open_to(self, person: str, role: Role | None = None) -> bool:
        """May `person` (an id; "" for somebody unknown), a member with that role, or None, read it?"""
        return self.shared or role is not None or self.is_of(person)

    def is_written_by(self, person: str, role: Role | None = None) -> bool:
        """May they change its name and its chapters?"""
        return role is Role.WRITE or self.is_of(person)

    def is_of(self, person: str) -> bool:
        """Is it theirs, so that they may share it, invite people to it and delete it?"""
        return self.owner == person


@dataclass(frozen=True, slots=True)
class SeenStudy:
    """A study, and what whoever asks may do in it. `reader`: their id, "" if they are unknown; `role`: as a member."""

    study: Study
    reader: str
    role: Role | None = None

    @property
    def owns(self) -> bool:
        """May they share it, invite to it and delete it?"""
        return self.study.is_of(self.reader)

    @property
    def belongs(self) -> bool:
        """Are they its owner or a member, who may know who the others are?"""
        return self.owns or self.role is not None

    @property
    def writes(self) -> bool:
        """May they change its name and its chapters?"""
        return self.study.is_written_by(self.reader, self.role)


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


def too_many_members() -> NotAllowed:
    """What somebody is told who has invited as many people as a study may have."""
    return NotAllowed("too_many_members", n=MAX_MEMBERS)


def check_size(stored: int) -> None:
    """Raises NotAllowed if nobody may keep `stored` bytes in the chapters of their studies."""
    if stored > MAX_BYTES:
        raise NotAllowed("studies_full", mb=MAX_BYTES // 1_000_000)
