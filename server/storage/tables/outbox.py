"""Mail that is to be sent, and news that people are told of later, in a store.

A game that people play over days is marked in the very write that is news to somebody (`server.games.news`), and so is
what is said in it. The mark is removed with the write that puts their mail into the outbox, where it stays until the
mail server has taken it, or holds the news for later; or when there is nothing to tell.

What is held and due in a mailbox becomes one mail, or one push. Whoever tells it first claims all that is in it, under
the mail's id, and it is deleted with the write that puts that mail into the outbox, or when it was pushed. If they die,
the next one writes the same mail under the same id, or pushes it again under the same topics. So no crash loses a mail,
and one may be sent twice, under the same id. All times are ms since the epoch.
"""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from server.storage.fields import Fields, FlatRecord, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import NoneOf, OwnedTableStore, Step, Table, TableStore, below

BY_PUSH: Final = ""
"""The address of a mailbox that means the owner's browsers, by web push."""
MESSAGE: Final = "message"
"""The kind of news that an opponent has said something. It is kept beside other news of the game, which does not say
that.
"""
MAX_WAITING: Final = 10_000
"""Mails in the outbox. Beyond that new ones are not taken, except about games, which stay marked."""


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


def _key(news: HeldNews) -> str:
    key = f"{news.mailbox.owner} {news.mailbox.address} {news.game}"
    return f"{key} {MESSAGE}" if news.kind == MESSAGE else key


def held_document(news: HeldNews) -> FlatRecord:
    """The news as a record."""
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


OUTBOX: Final = RecordKind(
    "outbox",
    typed_fields("_id owner address topic message #made #next_try #until #tries"),
    indexes=("owner", "topic", "next_try"),
    read=mail_of,
)
HELD: Final = RecordKind(
    "held",
    typed_fields("_id owner address game kind #rev #due digest"),
    indexes=("due", "game", "digest", "owner address"),
    read=held_of,
)


class OutboxStore(OwnedTableStore):
    """Mails that are to be sent, and the marks of what is still to be told, which each engine has in its own way."""

    kinds = (OUTBOX, HELD)

    def __init__(self, table: Table, held: Table) -> None:
        super().__init__(table)
        self._held = held

    @abstractmethod
    async def untold(self, limit: int) -> Sequence[News]:
        """What is marked, at most `limit` games."""

    @abstractmethod
    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        """What was said and is marked, at most `limit` times something."""

    @abstractmethod
    def _unmark_step(self, news: News) -> Step:
        """Removes the mark of that revision of a game, if it is there."""

    @abstractmethod
    def _unmark_chat_step(self, said: UntoldChat) -> Step:
        """Removes the marks of what `said` says, if they are there."""

    async def tell(
        self, news: News, mails: Sequence[OutboxMail], held: Sequence[HeldNews] = (), spared: Collection[str] = ()
    ) -> None:
        """Removes the mark of `news`, and stores what tells it: `mails` at once, `held` later.

        They take the place of those that wait under the game's id as topic, and of what is held of it, but for what was
        said there. That leaves alone the people `spared`, of whom older news still holds. Does nothing if the mark is
        gone, or is that of a later change.
        """
        if mails and await self.waiting() >= MAX_WAITING:
            return
        others, kept = NoneOf(frozenset(spared)), NoneOf(frozenset(mail.id for mail in mails))
        await self._table.settle(
            self._unmark_step(news),
            self._table.delete_step(topic=news.game, owner=others, _id=kept),
            self._held.delete_step(game=news.game, owner=others, kind=NoneOf(frozenset({MESSAGE}))),
            *(self._table.add_if_new_step(flat(mail, key="id")) for mail in mails),
            *(self._held.put_step(held_document(one)) for one in held),
        )

    async def tell_said(self, said: UntoldChat, held: Sequence[HeldNews]) -> None:
        """Removes the marks of `said`, and has it `held`. Does nothing if they are gone."""
        await self._table.settle(
            self._unmark_chat_step(said), *(self._held.put_step(held_document(one)) for one in held)
        )

    async def put(self, mail: OutboxMail) -> bool:
        """Adds a mail, unless there is one of its id. False if too many wait."""
        if await self.waiting() >= MAX_WAITING:
            return False
        await self._table.add_if_new(flat(mail, key="id"))
        return True

    async def waiting(self) -> int:
        """The number of mails."""
        return await self._table.count()

    async def due(self, now: int, limit: int) -> Sequence[OutboxMail]:
        """Mails that may be tried at `now`, those that have waited longest first."""
        return await self._table.read(mail_of, "next_try _id", limit, next_try=below(now + 1))

    async def claim_mail(self, mail: OutboxMail, next_try: int) -> bool:
        """Claims `mail` for one try and sets the next at `next_try`. Of concurrent claims, one returns True."""
        claimed = {"next_try": next_try, "tries": mail.tries + 1}
        return await self._table.set(claimed, _id=mail.id, next_try=mail.next_try, tries=mail.tries) > 0

    async def drop_mail(self, mail_id: str) -> None:
        """Deletes a mail; does nothing if it is gone."""
        await self._table.delete(_id=mail_id)

    async def forget(self, owner: str) -> None:
        """Deletes all mails to `owner`, and what is held for them."""
        await self._table.write(self._table.delete_step(owner=owner), self._held.delete_step(owner=owner))


class DigestStore(TableStore):
    """News held back until a mail or a push delivers it.

    The first item due in a mailbox stands for all of them: it is claimed by one write, in which only one server can
    succeed.
    """

    kinds = (HELD, OUTBOX)

    def __init__(self, table: Table, outbox: Table) -> None:
        super().__init__(table)
        self._outbox = outbox

    async def hold_news(self, news: HeldNews) -> None:
        """Stores news, instead of older ones of the same mailbox and game."""
        await self._table.put(held_document(news))

    async def heard(self, owner: str, game: str, address: str | None = None) -> bool:
        """Deletes what is held for `owner` of what was said in that game, as they read it; None: at every address.

        False if nothing was held.
        """
        # Most often there is nothing, and a write waits for the disk.
        found = await self._table.find(only=("address",), game=game, kind=MESSAGE, owner=owner)
        keys = frozenset(str(one["_id"]) for one in found if address is None or one.get("address") == address)
        return bool(keys) and await self._table.delete(_id=keys) > 0

    async def ripe_mailboxes(self, now: int, limit: int) -> Sequence[Mailbox]:
        """Mailboxes with something due at `now`, at most `limit`."""
        due = await self._table.find("due", limit, ("owner", "address"), due=below(now + 1))
        return list(dict.fromkeys(Mailbox(str(one.get("owner")), str(one.get("address"))) for one in due))

    async def claim_news(self, mailbox: Mailbox, digest: str, now: int, until: int) -> Sequence[HeldNews]:
        """Claims the news for one mail, whose id is in `HeldNews.digest`; unless sent, it is due again at `until`.

        An earlier claim that has come due again goes first, under the id that it has. Otherwise this claims all news
        due at `now`, and other held news of the same games, under the id `digest`. Of concurrent claims, one succeeds.
        """
        there = await self._table.find("_id", owner=mailbox.owner, address=mailbox.address)
        found = [one for one in there if _is_whole(one)]
        due = sorted((one for one in found if one["due"] <= now), key=itemgetter("digest"), reverse=True)
        if not due or any(one["digest"] and one["due"] > now for one in found):
            # Nothing, or somebody is at it.
            return []
        first, begun = due[0], due[0]["digest"]
        claimed = {"digest": begun or digest, "due": until}
        if not await self._table.set(claimed, _id=first["_id"], digest=begun, due=first["due"]):
            return []
        theirs = {"owner": mailbox.owner, "address": mailbox.address}
        await self._table.set(claimed, **theirs, digest=begun, due=below(now + 1))
        if not begun:
            games = frozenset(str(one["game"]) for one in await self._table.find(digest=digest))
            await self._table.set(claimed, **theirs, game=games, digest="")
        return await self._table.read(held_of, "_id", digest=begun or digest)

    async def postpone_news(self, mailbox: Mailbox, now: int, due: int) -> None:
        """Makes what is due there at `now` due at `due`."""
        await self._table.set({"due": due}, owner=mailbox.owner, address=mailbox.address, due=below(now + 1))

    async def tell_digest(self, digest: str, mail: OutboxMail | None) -> bool:
        """Deletes what was claimed under that id, and puts `mail` into the outbox, which says it, if there is anything.

        Does nothing if it has been deleted. False, and nothing is changed, if too much mail waits.
        """
        if mail is not None and await self._outbox.count() >= MAX_WAITING:
            return not await self._table.find(limit=1, digest=digest)
        mails = [] if mail is None else [self._outbox.add_if_new_step(flat(mail, key="id"))]
        await self._table.settle(self._table.delete_step(digest=digest), *mails)
        return True


def _is_whole(document: Fields) -> bool:
    """Does it have a due time and the id of a digest, though that may be empty?"""
    return isinstance(document.get("due"), int) and isinstance(document.get("digest"), str)
