"""A subscriber to domain events: mails people who are away when there is news of their games (`server.games.news`).

Only those who have asked for it at a confirmed address. The store marks such a game in the write that is news, and the
mark goes with the mail into the outbox, so whatever a crash leaves untold is found by `tell_the_rest`. A move never
waits for this.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from aiohttp import web

from server.games.clock import DAY_MS
from server.games.game import Game
from server.games.news import concerned
from server.games.player import Player
from server.language import FIRST, Language
from server.mail.composing import Reply
from server.mail.mailer import Mailer
from server.mail.tokens import mark_of
from server.mail.wishes import UNSUBSCRIBE, is_wanted
from server.realtime.process.background import Background
from server.realtime.process.domain_events import Challenged, DomainEvent, GameEnded, OfferMade, Paired, YourTurn
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError, Unavailable, Unreadable
from server.storage.protocols.addresses import MailAddress
from server.storage.protocols.outbox import News, OutboxMail
from server.storage.stores import Store
from server.web.notifications.game_letter import Links, Reader, game_letter, heard_last, kind_of, seat_of
from server.web.variant_words import Names

log = logging.getLogger(__name__)

LINK_KEPT_MS: Final = 400 * DAY_MS
KEPT_MS: Final = 3 * DAY_MS
"""For how long the mail server may be away."""
MAX_WAITING: Final = 1_000
"""Games that were not looked at yet; others are found by their marks."""
LOOK_EVERY_S: Final = 60.0
AT_ONCE_MOST: Final = 1_000
LINES_READ: Final = 20
"""Of the chat in a game."""

ReplyOf = Callable[[Game, Color, str, Language], Reply | None]
"""Where the player of that colour, who is written to at that address, can answer by mail, if they can."""


def no_reply(_game: Game, _color: Color, _address: str, _language: Language) -> Reply | None:
    return None


class GameMails:
    """`names` are those of the variants, by language and id; `site`: the address that links begin with."""

    def __init__(
        self,
        store: Store,
        mailer: Mailer,
        languages: Mapping[str, Language],
        names: Mapping[str, Mapping[str, Names]],
        background: Background,
        site: str,
        reply_of: ReplyOf = no_reply,
    ) -> None:
        self._store = store
        self._mailer = mailer
        self._languages = languages
        self._names = names
        self._background = background
        self._site = site
        self._reply_of = reply_of
        self._waiting: OrderedDict[str, tuple[Game, tuple[Player, ...]]] = OrderedDict()
        self._at_work = False
        self._left: frozenset[News] = frozenset()

    def hear(self, event: DomainEvent) -> None:
        """Tells whom `event` concerns, without waiting for it."""
        match event:
            case YourTurn(game, player, away) | OfferMade(game, player, _, away):
                self._soon(game, (player,) if away else ())
            case Paired(game, away):
                self._soon(game, tuple(player for player in away if player == game.player(game.to_move)))
            case Challenged(game, player, _):
                self._soon(game, (player,))
            case GameEnded(game, away):
                self._soon(game, away)

    def _soon(self, game: Game, players: tuple[Player, ...]) -> None:
        if game.terms.control.by_the_minute:
            return
        if len(self._waiting) >= MAX_WAITING and game.id not in self._waiting:
            return
        self._waiting[game.id] = game, players
        if not self._at_work:
            self._at_work = True
            self._background.spawn(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._waiting:
                _, (game, players) = self._waiting.popitem(last=False)
                try:
                    await self._tell(News(game.id, game.rev), game, players)
                except StoreError as error:
                    log.info("game %s: its players will be told later: %s", game.id, error)
                except Exception:
                    log.exception("game %s: its players could not be told", game.id)
        finally:
            self._at_work = False

    async def tell_from_before(self) -> None:
        """Tells all news that are untold now, when this process has just started and is the only one.

        Raises Unavailable.
        """
        self._left = frozenset(await self._store.outbox.untold(AT_ONCE_MOST))
        await self.tell_the_rest()

    async def tell_the_rest(self) -> None:
        """Tells the news that were untold at the last look already: whoever should have told has stopped.

        Its players may be at the board; a mail too many is better than none. Raises Unavailable.
        """
        untold = await self._store.outbox.untold(AT_ONCE_MOST)
        for news in untold:
            if news in self._left:
                try:
                    await self._tell_late(news)
                except Unavailable:
                    raise
                except Exception:
                    # The others do not wait for it.
                    log.exception("game %s: its players could not be told", news.game)
        self._left = frozenset(untold)

    async def _tell_late(self, news: News) -> None:
        try:
            game = await self._store.load(news.game)
        except Unreadable:
            # It has been logged, and counted as damaged.
            game = None
        if game is None:
            await self._store.outbox.tell(news, [])
        else:
            await self._tell(news, game, concerned(game))

    async def _tell(self, news: News, game: Game, players: Sequence[Player]) -> None:
        wanted = [
            (player, address)
            for player in players
            for address in await self._store.addresses.of(player.id)
            if address.in_effect and is_wanted(address.wishes, kind_of(game))
        ]
        said = await self._store.chat(game.id, LINES_READ) if wanted else ()
        mails = [self._mail(news, game, player, heard_last(said, player), address) for player, address in wanted]
        await self._store.outbox.tell(news, mails)
        if mails:
            self._mailer.nudge()

    def _mail(self, news: News, game: Game, player: Player, heard: Sequence[str], one: MailAddress) -> OutboxMail:
        language = self._languages.get(one.language) or self._languages[FIRST]
        reader = Reader(player, language, self._names[language.code][game.terms.variant.id], heard)
        token = self._mailer.token(UNSUBSCRIBE, one.owner, mark_of(one.address), kept_ms=LINK_KEPT_MS)
        links = Links(f"{self._site}/{game.id}", f"{self._site}/mail/unsubscribe/{token}")
        reply = self._reply_of(game, seat_of(game, player), one.address, language)
        letter = game_letter(game, news.rev, one.address, reader, self._mailer.now(), links, reply)
        return self._mailer.for_outbox(letter, one.owner, KEPT_MS, topic=game.id)


GAME_MAILS = web.AppKey("GAME_MAILS", GameMails)
"""Only a site with mail has it."""
