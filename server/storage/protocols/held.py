"""News that people are told later, as values that wait in a store (`digests`, `outbox`)."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from server.storage.fields import Fields, FlatRecord, instant, number, text

BY_PUSH: Final = ""
"""The address of a mailbox that means the owner's browsers, by web push."""


MESSAGE: Final = "message"
"""The kind of news that an opponent has said something. It is kept beside other news of the game, which does not say
that.
"""


class Mailbox(NamedTuple):
    """An address of the user `owner`."""

    owner: str
    address: str


@dataclass(frozen=True, slots=True)
class HeldNews:
    """What the owner of `mailbox` is told there of `game`, of which `kind` (`server.mail.wishes`), from `due` on.

    `rev`: the revision of the game that was the news. `digest`: the id of the mail that is being written of it, "":
    none is. Newer news of the same mailbox and game takes its place; MESSAGE replaces only MESSAGE.
    """

    mailbox: Mailbox
    game: str
    kind: str
    rev: int
    due: int
    digest: str = ""


def _key(news: HeldNews) -> str:
    key = f"{news.mailbox.owner} {news.mailbox.address} {news.game}"
    return f"{key} {MESSAGE}" if news.kind == MESSAGE else key


def to_document(news: HeldNews) -> FlatRecord:
    """The news as a record; what is only for one kind of news is left out where it is missing."""
    return {
        "_id": _key(news),
        "owner": news.mailbox.owner,
        "address": news.mailbox.address,
        "game": news.game,
        "kind": news.kind,
        "rev": news.rev,
        "due": news.due,
        "digest": news.digest,
    }


def held_of(document: Fields) -> HeldNews:
    """The news of a document. Raises as `fields` says."""
    return HeldNews(
        mailbox=Mailbox(text(document, "owner"), text(document, "address")),
        game=text(document, "game"),
        kind=text(document, "kind"),
        rev=number(document, "rev"),
        due=instant(document, "due"),
        digest=text(document, "digest"),
    )
