"""A subscriber to domain events: mails people who are away when it becomes their turn in a game of days.

Only those who have asked for it at a confirmed address. The store marks each turn as it begins, and the mark goes with
the mail into the outbox, so whatever a crash leaves untold is found by `tell_the_rest`. A move never waits for this.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from aiohttp import web

from server.games.clock import DAY_MS
from server.games.game import Game
from server.games.player import Player
from server.games.status import Status
from server.language import FIRST, Language
from server.mail.composing import Reply
from server.mail.mailer import Mailer
from server.mail.tokens import mark_of
from server.mail.wishes import AT_ONCE, TURN, UNSUBSCRIBE, how_often
from server.realtime.process.background import Background
from server.realtime.process.domain_events import DomainEvent, Paired, YourTurn
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError, Unreadable
from server.storage.protocols.addresses import MailAddress
from server.storage.protocols.outbox import OutboxMail, Turn
from server.storage.stores import Store
from server.web.notifications.turn_letter import Links, turn_letter
from server.web.variant_words import Names

log = logging.getLogger(__name__)

LINK_KEPT_MS: Final = 400 * DAY_MS
KEPT_MS: Final = 3 * DAY_MS
"""For how long the mail server may be away."""
MAX_WAITING: Final = 1_000
"""Turns that were not looked at yet; others are found by their marks."""
LOOK_EVERY_S: Final = 60.0
AT_ONCE_MOST: Final = 1_000

ReplyOf = Callable[[Game, Color, str, Language], Reply | None]
"""Where the player of that colour, who is written to at that address, can answer by mail, if they can."""


def no_reply(_game: Game, _color: Color, _address: str, _language: Language) -> Reply | None:
    return None


class TurnMails:
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
        self._waiting: OrderedDict[str, tuple[Game, Player | None]] = OrderedDict()
        self._at_work = False
        self._left: frozenset[Turn] = frozenset()

    def hear(self, event: DomainEvent) -> None:
        """Tells whom `event` concerns, without waiting for it."""
        match event:
            case YourTurn(game, player, away):
                self._soon(game, player if away else None)
            case Paired(game, away) if not game.terms.control.by_the_minute:
                mover = game.player(game.to_move)
                self._soon(game, mover if mover in away else None)

    def _soon(self, game: Game, player: Player | None) -> None:
        if len(self._waiting) >= MAX_WAITING and game.id not in self._waiting:
            return
        self._waiting[game.id] = game, player
        if not self._at_work:
            self._at_work = True
            self._background.spawn(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._waiting:
                _, (game, player) = self._waiting.popitem(last=False)
                try:
                    await self._tell(Turn(game.id, game.rev), game, player)
                except StoreError as error:
                    log.info("game %s: the player to move will be told later: %s", game.id, error)
        finally:
            self._at_work = False

    async def tell_from_before(self) -> None:
        """Tells of all turns that are untold now, when this process has just started and is the only one.

        Raises Unavailable.
        """
        self._left = frozenset(await self._store.outbox.untold(AT_ONCE_MOST))
        await self.tell_the_rest()

    async def tell_the_rest(self) -> None:
        """Tells of the turns that were untold at the last look already: whoever should have told has stopped.

        Their players may be at the board; a mail too many is better than none. Raises Unavailable.
        """
        turns = await self._store.outbox.untold(AT_ONCE_MOST)
        for turn in turns:
            if turn in self._left:
                await self._tell_late(turn)
        self._left = frozenset(turns)

    async def _tell_late(self, turn: Turn) -> None:
        try:
            game = await self._store.load(turn.game)
        except Unreadable:
            # It has been logged, and counted as damaged.
            game = None
        if game is None or game.status is not Status.LIVE:
            await self._store.outbox.tell(turn, [])
        else:
            await self._tell(turn, game, game.player(game.to_move))

    async def _tell(self, turn: Turn, game: Game, player: Player | None) -> None:
        addresses = await self._store.addresses.of(player.id) if player else ()
        wanted = [one for one in addresses if one.in_effect and how_often(one.wishes, TURN) == AT_ONCE]
        await self._store.outbox.tell(turn, [self._mail(turn, game, one) for one in wanted])
        if wanted:
            self._mailer.nudge()

    def _mail(self, turn: Turn, game: Game, one: MailAddress) -> OutboxMail:
        language = self._languages.get(one.language) or self._languages[FIRST]
        called = self._names[language.code][game.terms.variant.id]
        token = self._mailer.token(UNSUBSCRIBE, one.owner, mark_of(one.address), kept_ms=LINK_KEPT_MS)
        links = Links(f"{self._site}/{game.id}", f"{self._site}/mail/unsubscribe/{token}")
        reply = self._reply_of(game, game.to_move, one.address, language)
        letter = turn_letter(game, turn.rev, one.address, language, called, self._mailer.now(), links, reply)
        return self._mailer.for_outbox(letter, one.owner, KEPT_MS, topic=game.id)


TURN_MAILS = web.AppKey("TURN_MAILS", TurnMails)
"""Only a site with mail has it."""
