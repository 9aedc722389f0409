"""A subscriber to domain events: mails people who are away when there is news of their games (`server.games.news`).

Only those who have asked for it at a confirmed address, at once, or later with other news (`digests`). The store marks
such a game in the write that is news, and the mark goes with the mail into the outbox, so whatever a crash leaves
untold is found by `tell_the_rest`. A move never waits for this.
"""

import logging
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.news import concerned
from server.games.player import Player
from server.games.state import Game
from server.mail.at_board import AtBoard
from server.mail.due import due_at
from server.mail.quiet_hours import quiet_hours_of
from server.mail.wishes import REMINDER, Often, how_often
from server.realtime.process.background import Background
from server.realtime.process.domain_events import (
    Challenged,
    DomainEvent,
    GameEnded,
    GamePaused,
    GameResumed,
    MoveReminder,
    OfferMade,
    Paired,
    TimeIsUp,
    YourTurn,
)
from server.storage.errors import StoreError, Unavailable, Unreadable
from server.storage.protocols.held import HeldNews, Mailbox
from server.storage.protocols.outbox import News, OutboxMail
from server.storage.stores import Store
from server.web.notifications.game_letter import kind_of
from server.web.notifications.heard import heard_in
from server.web.notifications.letter_writer import LetterWriter

log = logging.getLogger(__name__)

KEPT_MS: Final = 3 * DAY_MS
"""For how long the mail server may be away."""
MAX_WAITING: Final = 1_000
"""Games that were not looked at yet; others are found by their marks."""
LOOK_EVERY_S: Final = 60.0
AT_ONCE_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Telling:
    """`players` are to be told of `game`, of which `kind`."""

    game: Game
    players: Sequence[Player]
    kind: str

    @property
    def spared(self) -> Collection[str]:
        """The people of whom older news still holds: a reminder is news to one player only."""
        if self.kind != REMINDER:
            return ()
        return {player.id for player in concerned(self.game) if player != self.game.player(self.game.to_move)}


class GameMails:
    """Put together in `server.web.mail.mailing`."""

    def __init__(self, store: Store, writer: LetterWriter, background: Background, at_board: AtBoard) -> None:
        self._store = store
        self._writer = writer
        self._mailer = writer.mailer
        self._background = background
        self._at_board = at_board
        self._waiting: OrderedDict[str, _Telling] = OrderedDict()
        self._at_work = False
        self._left: frozenset[News] = frozenset()

    def hear(self, event: DomainEvent) -> None:
        """Tells whom `event` concerns, without waiting for it."""
        match event:
            case YourTurn(game, player, away) | OfferMade(game, player, _, away) | MoveReminder(game, player, away):
                self._soon(game, (player,) if away else (), isinstance(event, MoveReminder))
            case TimeIsUp(game, player, away):
                self._soon(game, (player,) if away else ())
            case Paired(game, away):
                self._soon(game, tuple(player for player in away if player == game.player(game.to_move)))
            case Challenged(game, player, _):
                self._soon(game, (player,))
            case GamePaused(game, away) | GameResumed(game, away) | GameEnded(game, away):
                self._soon(game, away)

    def _soon(self, game: Game, players: tuple[Player, ...], reminder: bool = False) -> None:
        if game.terms.control.by_the_minute:
            return
        if len(self._waiting) >= MAX_WAITING and game.id not in self._waiting:
            return
        self._waiting[game.id] = _Telling(game, players, REMINDER if reminder else kind_of(game))
        if not self._at_work:
            self._at_work = True
            self._background.spawn(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._waiting:
                game_id, telling = self._waiting.popitem(last=False)
                try:
                    await self._tell(News(game_id, telling.game.rev), telling)
                except StoreError as error:
                    log.info("game %s: its players will be told later: %s", game_id, error)
                except Exception:
                    log.exception("game %s: its players could not be told", game_id)
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

        Raises Unavailable.
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
            await self._tell(news, _Telling(game, concerned(game), kind_of(game)))

    async def _tell(self, news: News, telling: _Telling) -> None:
        """Raises Unavailable."""
        game, now = telling.game, self._mailer.now()
        mails: list[OutboxMail] = []
        held: list[HeldNews] = []
        for player in telling.players:
            if await self._at_board(game.id, player.id):
                continue
            quiet = quiet_hours_of(await self._store.how_told.of(player.id))
            for address in await self._store.addresses.of(player.id):
                often = how_often(address.wishes, telling.kind)
                if not address.in_effect or often is Often.NEVER:
                    continue
                if (due := due_at(often, now, quiet)) > now:
                    mailbox = Mailbox(address.owner, address.address)
                    held.append(HeldNews(mailbox, game.id, telling.kind, news.rev, due))
                    continue
                heard = await heard_in(self._store, game.id, player)
                letter = await self._writer.about(game, news.rev, player, heard, address)
                mails.append(await self._mailer.write(letter, address.owner, KEPT_MS, topic=game.id))
        await self._store.outbox.tell(news, mails, held, telling.spared)
        if mails:
            self._mailer.nudge()


GAME_MAILS = web.AppKey("GAME_MAILS", GameMails)
"""Only a site with mail has it."""
