"""What is sent of studies, and what is asked about them. Decides nothing."""

from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypedDict

from server.games.studies.study import LONGEST_NAME, MAX_CHAPTERS, Chapter, Study
from server.realtime.play.chat.text import ChatForm, clean
from server.web.analysis.judging import JudgedPgn
from server.web.forms.forms import AskedPgn, Form
from server.web.studies.finding import Found

NameField = Annotated[str, Field(max_length=4 * LONGEST_NAME)]
Revision = Annotated[int, Field(ge=1, le=2**53)]
NAME: Final = ChatForm(LONGEST_NAME)


class NewStudy(AskedPgn):
    """A study called `name`, whose first chapter is a game as PGN."""

    name: NameField
    chapter: NameField


class NewChapter(AskedPgn):
    """One more chapter, a game as PGN."""

    name: NameField


class StudyChange(Form):
    """What is to be different; null: nothing. `rev`: of the study as known. `chapters`: all ids, in a new order."""

    rev: Revision
    name: NameField | None = None
    shared: bool | None = None
    chapters: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=MAX_CHAPTERS)] | None = None


class ChapterChange(Form):
    """The same of a chapter. `rev`: of the chapter; `pgn`: all that is to be in it."""

    rev: Revision
    name: NameField | None = None
    pgn: Annotated[str, Field(min_length=1, max_length=50_000)] | None = None


class ToldChapter(TypedDict):
    """`rev` counts the changes of the chapter."""

    id: str
    name: str
    variant: str
    chess960: bool
    rev: int


class StudyHead(TypedDict):
    """`shared`: whoever has the id may read it. Times in ms.

    `rev` counts changes of the study itself, not of what is in its chapters.
    """

    id: str
    name: str
    shared: bool
    rev: int
    created: int
    changed: int


class ToldStudy(StudyHead):
    """`mine`: the asker may change it."""

    mine: bool
    chapters: list[ToldChapter]


class StudyInList(StudyHead):
    """`chapters`: how many."""

    chapters: int


class StudyList(TypedDict):
    """The asker's studies, the last changed first."""

    studies: list[StudyInList]


class ToldGame(TypedDict):
    """A chapter and the game in it."""

    chapter: ToldChapter
    game: JudgedPgn


def told_chapter(one: Chapter) -> ToldChapter:
    """The chapter in the list of its study, without moves."""
    return {"id": one.id, "name": one.name, "variant": one.variant, "chess960": one.chess960, "rev": one.rev}


def told_study(found: Found) -> ToldStudy:
    """The study with the list of its chapters."""
    return {**_head(found.study), "mine": found.mine, "chapters": [told_chapter(one) for one in found.chapters]}


def in_list(study: Study) -> StudyInList:
    """The study in the list of its owner."""
    return {**_head(study), "chapters": len(study.chapters)}


def _head(study: Study) -> StudyHead:
    return {
        "id": study.id,
        "name": study.name,
        "shared": study.shared,
        "rev": study.rev,
        "created": study.created,
        "changed": study.changed,
    }


def cleaned(name: str) -> str:
    """A name as it is kept: one line, without what could disturb a page."""
    return clean(name, NAME)
