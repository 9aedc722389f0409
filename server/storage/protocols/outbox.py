"""Mail that is to be sent, in a store, until the mail server has taken it.

A game that people play over days is marked in the very write that is news to somebody (`server.games.news`), and so is
what is said in it; the mark is removed with the write that puts their mail here, or when there is nothing to send. So
no crash loses a mail, and one may be sent twice, under the same id. All times are ms since the epoch.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from server.storage.fields import Fields, FlatRecord, flat, instant, number, text
from server.storage.protocols.held import HeldNews

MAX_WAITING: Final = 10_000
"""Mails in the outbox. Beyond that new ones are not taken, except about games, which stay marked."""


@dataclass(frozen=True, slots=True)
class OutboxMail:
    """A mail to the `address` of the user `owner` ("": nobody's), written out as RFC 5322 says.

    `topic`: a newer mail of the same takes its place, "" if none does. `next_try`: when it may be tried; `tries`: how
    often it was. `until`: when it is no longer worth sending.
    """

    id: str
    owner: str
    address: str
    topic: str
    message: str
    made: int
    next_try: int
    until: int
    tries: int = 0


@dataclass(frozen=True, slots=True)
class News:
    """A game of which the change that made its revision `rev` is still to be told."""

    game: str
    rev: int


@dataclass(frozen=True, slots=True)
class UntoldChat:
    """What `player` (an id) has said to the opponent in a game, the last of it at `at`, is still to be told."""

    game: str
    player: str
    at: int


class OutboxStore(Protocol):
    """All methods raise Unavailable."""

    async def untold(self, limit: int) -> Sequence[News]:
        """What is marked, at most `limit` games."""

    async def tell(
        self, news: News, mails: Sequence[OutboxMail], held: Sequence[HeldNews] = (), spared: Collection[str] = ()
    ) -> None:
        """Removes the mark of `news`, and stores what tells it: `mails` at once, `held` later.

        They take the place of those that wait under the game's id as topic, and of what is held of it, but for what was
        said there. That leaves alone the people `spared`, of whom older news still holds. Does nothing if the mark is
        gone, or is that of a later change.
        """

    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        """What was said and is marked, at most `limit` times something."""

    async def tell_said(self, said: UntoldChat, held: Sequence[HeldNews]) -> None:
        """Removes the marks of `said`, and has it `held`. Does nothing if they are gone."""

    async def put(self, mail: OutboxMail) -> bool:
        """Adds a mail, unless there is one of its id. False if too many wait."""

    async def waiting(self) -> int:
        """The number of mails."""

    async def due(self, now: int, limit: int) -> Sequence[OutboxMail]:
        """Mails that may be tried at `now`, those that have waited longest first."""

    async def claim(self, mail: OutboxMail, next_try: int) -> bool:
        """Counts a try of `mail`, the next of which may be at `next_try`. Of several who claim it one gets True."""

    async def drop(self, mail_id: str) -> None:
        """Deletes a mail; does nothing if it is gone."""

    async def forget(self, owner: str) -> None:
        """Deletes all mails to `owner`, and what is held for them."""


def to_document(mail: OutboxMail) -> FlatRecord:
    """The mail as a record."""
    return flat(mail, key="id")


def mail_of(document: Fields) -> OutboxMail:
    """The mail of a document. Raises as `fields` says."""
    return OutboxMail(
        id=text(document, "_id"),
        owner=text(document, "owner"),
        address=text(document, "address"),
        topic=text(document, "topic"),
        message=text(document, "message"),
        made=instant(document, "made"),
        next_try=instant(document, "next_try"),
        until=instant(document, "until"),
        tries=number(document, "tries"),
    )
