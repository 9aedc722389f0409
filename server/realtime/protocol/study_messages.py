"""The messages of a study's page, in and out: what has changed in it, to be asked for by HTTP, and who is there."""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.feed import FeedHi
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbound import Error, PongOut, Reload, Restart
from server.realtime.protocol.wire import Message


class StudyHi(FeedHi):
    """First message: the study to follow."""

    t: Literal["hi"]
    study: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{22}$")]


Inbound = Annotated[StudyHi | Ping | Bye, Field(discriminator="t")]


class ChapterHead(Message):
    """A chapter without what is in it; `rev` counts its changes."""

    id: str
    name: str
    variant: str
    rev: int


class StudyShown(Message):
    """The study as it stands: first, and whenever its name, its chapters or its members have changed.

    `writes`: the reader may change it. `here`: the names of its members who have it open, for its members.
    """

    t: Literal["study"] = "study"
    name: str
    rev: int
    writes: Literal[1] | None = None
    chapters: list[ChapterHead]
    here: list[str] | None = None


class StudyPeople(Message):
    """The names of its members who have it open."""

    t: Literal["study_people"] = "study_people"
    here: list[str]


class ChapterChanged(Message):
    """Something else is in a chapter, or it has another name. `by`: the name of whoever changed it."""

    t: Literal["chapter_changed"] = "chapter_changed"
    chapter: str
    rev: int
    by: str


class StudyGone(Message):
    """The reader may not read it, or not any more; the connection ends."""

    t: Literal["study_gone"] = "study_gone"


Outbound = Annotated[
    StudyShown | StudyPeople | ChapterChanged | StudyGone | PongOut | Error | Reload | Restart, Field(discriminator="t")
]
