"""A subscriber to domain events: has people who are away told of news of their games (`server.games.news`).

By mail, at confirmed addresses where they have asked for it, and by web push: at once, or later with other news
(`digests`). The store marks such a game in the write that is news, and what is said there when it is stored. The mark
goes with the write that puts the mails into the outbox and has the rest held, that for web push also if it is told at
once. So whatever a crash leaves untold is found: by `tell_the_rest`, or by `digests`. A move never waits for this.
"""

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.news import concerned, is_played_at_board, spoken_to
from server.games.player import Player
from server.games.state import Game
from server.mail.delivery import AtBoard
from server.mail.quiet_hours import due_at, quiet_hours_of
from server.mail.wishes import MESSAGE, REMINDER, Frequency, how_often, push_frequency
from server.realtime.domain_events import (
    CameToBoard,
    Challenged,
    DomainEvent,
    GameEnded,
    GamePaused,
    GameResumed,
    MessageWritten,
    MoveReminder,
    OfferDeclined,
    OfferMade,
    Paired,
    TimeIsUp,
    YourTurn,
)
from server.realtime.runtime.background import every, running
from server.realtime.shared import Services
from server.settings import reader_of
from server.storage.errors import StoreError, Unavailable, Unreadable
from server.storage.stores import Store
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import BY_PUSH, HeldNews, Mailbox, News, OutboxMail, UntoldChat
from server.web.budgets.buckets import RateLimit
from server.web.notifications.digests import Digests
from server.web.notifications.game_news import GameNews, is_kept_apart, kind_of, last_moved_at, read_unanswered
from server.web.notifications.letters import MAIL_KEPT_MS, LetterWriter
from server.web.notifications.notifier import Notifier

log = logging.getLogger(__name__)

TOLD_WITHIN_MS: Final = 3 * DAY_MS
"""The end of a game, and what was said, is not told later than this: while a site has neither mail nor web push, nobody
removes the marks.
"""
MANY_MS: Final = 600_000
"""At the end of each such stretch of time somebody who gets many mails is told the rest, in one."""
MORE_SAID_MS: Final = 60_000
"""How long mail waits after a message, for the next one."""
TAKEN_BACK: Final = "mail.taken_back"
MAX_WAITING: Final = 1_000
"""Games that were not looked at yet; others are found by their marks."""
LOOK_EVERY_S: Final = 60.0
AT_ONCE_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Telling:
    """`players` are to be told of `game`, of which `kind`. `note`: as in `GameNews`."""

    game: Game
    players: Sequence[Player]
    kind: str
    note: str = ""

    @property
    def spared(self) -> Collection[str]:
        """The people for whom older news is still true: a reminder is news to one player only, and so is a refusal."""
        game = self.game
        if game.declined is not None:
            told = game.player(game.declined.by)
        elif self.kind == REMINDER:
            told = game.player(game.to_move)
        else:
            return ()
        return {player.id for player in concerned(game) if player != told}


def _told_late(game: Game) -> _Telling:
    """Who is to be told of `game` by the mark alone. Whoever declined an offer has seen what else waits for them."""
    told = [one for one in concerned(game) if game.declined is None or one == game.player(game.declined.by)]
    return _Telling(game, told, kind_of(game))


class Teller:
    """`writer` is None on a site without mail. `now` gives ms. `mails`: how many go to one reader."""

    def __init__(
        self,
        services: Services,
        writer: LetterWriter | None,
        pushes: Notifier,
        digests: Digests,
        now: Callable[[], int],
        at_board: AtBoard,
        mails: Sequence[RateLimit],
    ) -> None:
        self._mails = mails
        self._store: Store = services.store
        self._writer = writer
        self._pushes = pushes
        self._digests = digests
        self._background = services.background
        self._now = now
        self._at_board = at_board
        self._waiting: OrderedDict[str, dict[str, Callable[[], Awaitable[object]]]] = OrderedDict()
        """What is to be done, by the game, and by who has said something there, "" for its other news."""
        self._at_work = False
        self._left: frozenset[News | UntoldChat] = frozenset()

    @property
    def _can_tell(self) -> bool:
        return self._writer is not None or self._pushes.push is not None

    def hear(self, event: DomainEvent) -> None:
        """Tells whom `event` concerns, without waiting for it."""
        match event:
            case YourTurn(game, player, away, answered, taken_back):
                self._tell_soon(game, (*((player,) if away else ()), *answered), note=TAKEN_BACK if taken_back else "")
            case (
                OfferMade(game, player, _, away)
                | OfferDeclined(game, player, _, away)
                | MoveReminder(game, player, away)
            ):
                self._tell_soon(game, (player,) if away else (), isinstance(event, MoveReminder))
            case TimeIsUp(game, player, away):
                self._tell_soon(game, (player,) if away else ())
            case Challenged(game, player, _):
                self._tell_soon(game, (player,))
            case MessageWritten(game, player, speaker, at, away):
                said = UntoldChat(game.id, speaker, at)
                self._do_soon(game, speaker, partial(self._tell_said, said, game, player if away else None))
            case CameToBoard(game, player):
                self._do_soon(game, f"{player.id} is here", partial(self._store.digests.heard, player.id, game.id))
            case Paired(game, away) | GamePaused(game, away) | GameResumed(game, away) | GameEnded(game, away):
                self._tell_soon(game, away)

    def _tell_soon(self, game: Game, players: tuple[Player, ...], reminder: bool = False, note: str = "") -> None:
        if not is_played_at_board(game):
            telling = _Telling(game, players, REMINDER if reminder else kind_of(game), note)
            self._do_soon(game, "", partial(self._tell, News(game.id, game.rev), telling))

    def _do_soon(self, game: Game, what: str, tell: Callable[[], Awaitable[object]]) -> None:
        if not self._can_tell or (len(self._waiting) >= MAX_WAITING and game.id not in self._waiting):
            return
        self._waiting.setdefault(game.id, {})[what] = tell
        if not self._at_work:
            self._at_work = True
            self._background.spawn(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._waiting:
                game_id, tells = self._waiting.popitem(last=False)
                # A letter about other news tells what was said, too, so that comes first.
                for what in sorted(tells, key=lambda what: not what):
                    await self._do(game_id, tells[what])
        finally:
            self._at_work = False

    async def _do(self, game_id: str, tell: Callable[[], Awaitable[object]]) -> None:
        try:
            await tell()
        except StoreError as error:
            log.info("game %s: its players will be told later: %s", game_id, error)
        except Exception:
            log.exception("game %s: its players could not be told", game_id)

    async def tell_from_before(self) -> None:
        """Tells all news that is untold now, when this process has just started and is the only one.

        Raises Unavailable.
        """
        self._left = frozenset(await self._untold())
        await self.tell_the_rest()

    async def tell_the_rest(self) -> None:
        """Tells the news that was untold at the last look already: whoever should have told it has stopped.

        Raises Unavailable.
        """
        if not self._can_tell:
            return
        untold = await self._untold()
        for news in untold:
            if news in self._left:
                try:
                    await self._tell_late(news)
                except Unavailable:
                    raise
                except Exception:
                    # The other news does not wait for it.
                    log.exception("game %s: its players could not be told", news.game)
        self._left = frozenset(untold)

    async def _untold(self) -> Sequence[News | UntoldChat]:
        outbox = self._store.outbox
        return [*await outbox.untold(AT_ONCE_MOST), *await outbox.unheard(AT_ONCE_MOST)]

    async def _tell_late(self, news: News | UntoldChat) -> None:
        try:
            game = await self._store.load(news.game)
        except Unreadable:
            # It has been logged, and counted as damaged.
            game = None
        since = self._now() - TOLD_WITHIN_MS
        if isinstance(news, UntoldChat):
            reader = None if game is None or news.at < since else spoken_to(game, news.player)
            await self._tell_said(news, game, reader)
        elif game is None or (game.ended is not None and game.ended < since):
            await self._store.outbox.tell(news, [])
        else:
            await self._tell(news, _told_late(game))

    async def _tell_said(self, said: UntoldChat, game: Game | None, reader: Player | None) -> None:
        """`reader`: who is told, None: nobody. Raises Unavailable."""
        now = self._now()
        held: list[HeldNews] = []
        if game is not None and reader is not None:
            for one, address in await self._wanted(game, reader, MESSAGE, game.rev, now):
                waits = address is not None and one.due <= now
                held.append(replace(one, due=now + MORE_SAID_MS) if waits else one)
        await self._store.outbox.tell_said(said, held)
        self._digests.tell_soon([one.mailbox for one in held if one.due <= now])

    async def _tell(self, news: News, telling: _Telling) -> None:
        """Raises Unavailable."""
        game, now = telling.game, self._now()
        mails: list[OutboxMail] = []
        held: list[HeldNews] = []
        for player in telling.players:
            for one, address in await self._wanted(game, player, telling.kind, news.rev, now):
                if self._writer is None or address is None or one.due > now:
                    held.append(one)
                    continue
                reader = reader_of(address.address)
                if any(limit.wait(reader, now) for limit in self._mails):
                    held.append(replace(one, due=(now // MANY_MS + 1) * MANY_MS))
                    continue
                for limit in self._mails:
                    limit.force(reader, now, 1)
                # First: what is said from now on is not in the letter.
                untold = await self._store.digests.heard(player.id, game.id, address.address)
                # What was held is told here, also if it was said before a move that a conditional one answered.
                since = 0 if untold else last_moved_at(game, player)
                heard = await read_unanswered(self._store, game.id, player, since=since)
                letter = await self._writer.write_letter(
                    GameNews(game, player, heard, [telling.kind], telling.note), news.rev, address
                )
                mails.append(await self._writer.mailer.write_mail(letter, address.owner, MAIL_KEPT_MS, topic=game.id))
        await self._store.outbox.tell(news, mails, held, telling.spared)
        if mails and self._writer is not None:
            self._writer.mailer.nudge()
        self._digests.tell_soon([one.mailbox for one in held if one.due <= now])

    async def _wanted(
        self, game: Game, player: Player, kind: str, rev: int, now: int
    ) -> Sequence[tuple[HeldNews, MailAddress | None]]:
        """What `player` is to be told, who has not the board open, in each mailbox where they want such news.

        Each with the mail address, None for web push. Raises Unavailable.
        """
        if await self._at_board(game.id, player.id) or await is_kept_apart(self._store, game, player.id):
            return []
        how = await self._store.notification_settings.of(player.id)
        own = () if self._writer is None else await self._store.addresses.of(player.id)
        wishes = [(one, one.address, how_often(one.wishes, kind)) for one in own if one.in_effect]
        by_push = [(None, BY_PUSH, push_frequency(how.silent, kind))] if await self._pushes.reaches(player.id) else []
        quiet = quiet_hours_of(how)
        return [
            (HeldNews(Mailbox(player.id, box), game.id, kind, rev, due_at(often, now, quiet)), address)
            for address, box, often in (*wishes, *by_push)
            if often is not Frequency.NEVER
        ]


@asynccontextmanager
async def telling(teller: Teller, services: Services) -> AsyncIterator[None]:
    """Has `teller` tell what is published, and what others left untold, until the block ends."""
    services.events.subscribe(teller.hear)
    if services.alone:
        services.background.spawn(teller.tell_from_before())
    async with running(every(LOOK_EVERY_S, teller.tell_the_rest)):
        yield


TELLER = web.AppKey("TELLER", Teller)
