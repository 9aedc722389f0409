"""Live play as a whole: how it starts and stops, and what runs all the time."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final, assert_never

from server.games.state import Game
from server.realtime.lobby.lobby import EXPIRE_EVERY_S, Lobby
from server.realtime.lobby.second_chance import put_back
from server.realtime.open_pages import OpenPages
from server.realtime.play.command_queue import Busy
from server.realtime.play.players.player_ratings import COUNT_EVERY_S, count_finished
from server.realtime.play.reminders import REMIND_EVERY_S, remind_players
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.play.stall_watchdog import StallWatchdog
from server.realtime.process.background import every
from server.realtime.process.bus import (
    BlocksChanged,
    Bus,
    ChallengeMade,
    ChatPosted,
    Deleted,
    GameStored,
    LocalBus,
    MessageLeft,
    Missed,
    Notice,
    PeopleOnNode,
    PresenceChanged,
    RematchOffered,
    SeeksChanged,
    SessionsEnded,
    TurnPassed,
    WaitedInVain,
)
from server.realtime.process.heartbeat import BEAT_EVERY_S, Heartbeat
from server.realtime.process.now import Now
from server.realtime.process.services import Services
from server.realtime.process.timers import Timers
from server.realtime.protocol import outbound
from server.realtime.protocol.codec import encode
from server.realtime.recovery import recover
from server.realtime.site_notice import LOOK_EVERY_S as NOTICE_EVERY_S
from server.realtime.site_notice import ShownNotice
from server.realtime.ties import READ_EVERY_S as TIES_EVERY_S
from server.realtime.ties import Ties
from server.realtime.tv.tv import REFRESH_EVERY_S as TV_EVERY_S
from server.realtime.tv.tv import Tv
from server.realtime.vacations import DAYS_A_YEAR, FOLLOW_EVERY_S, Vacations
from server.realtime.your_games.running_games import RunningGames
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError
from server.storage.stores import ChatLine, Store

log = logging.getLogger(__name__)

PING_EVERY_S: Final = 2.5
DUE_EVERY_S: Final = 1.0
LOOK_EVERY_S: Final = 3.0
TOUCH_EVERY_S: Final = 10.0
BOTS_EVERY_S: Final = 10.0
"""Another process may have made an account a bot; it has no games yet, so that is soon enough."""
LATELY_MS: Final = 30_000
"""Chat is stored at most this long after it was written; a node that stalled longer has told nobody of it."""
FINISH_S: Final = 5.0
RETURN_WITHIN_MS: Final = 5_000
RESTART: Final = 1012


class LivePlay:
    """All parts of live play. The caller opens `store`, and closes it after `stop`."""

    __slots__ = (
        "_heartbeat", "_loops", "_sessions_ended", "_watchdog", "lobby", "notice", "pages", "rounds",
        "running_games", "services", "ties", "tv", "vacations",
    )  # fmt: skip

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant],
        now: Callable[[], int] | None = None,
        bus: Bus | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        vacation_days: int = DAYS_A_YEAR,
        bots_rated: bool = False,
    ) -> None:
        now = now or Now()
        self.services = Services(
            *(store, now, Timers(now), self._game_changed, self._game_deleted, self._waited_in_vain),
            bus=bus or LocalBus(),
            sleep=sleep,
        )
        self.services.bots.may_be_rated = bots_rated
        self.rounds = Rounds(self.services)
        self.vacations = Vacations(self.rounds, vacation_days)
        self.running_games = RunningGames(self.services)
        self.lobby = Lobby(self.services, variants, self.running_games)
        self.ties = Ties(self.rounds, self.lobby)
        self.pages = OpenPages(self.services, self.lobby.feed, self.lobby.games)
        self.tv = Tv(self.rounds, variants)
        self.notice = ShownNotice(store.notices, now, self._tell_everybody)
        self._heartbeat = Heartbeat(self.services)
        self._watchdog = StallWatchdog(self.rounds)
        self._sessions_ended: Callable[[SessionsEnded], None] | None = None
        self._loops: list[asyncio.Task[None]] = []

    async def start(self, sessions_ended: Callable[[SessionsEnded], None] | None = None) -> None:
        """Gives players back the time without a server, then runs. Call it before accepting connections.

        `sessions_ended` is called with sessions that another process has ended. Raises Unavailable.
        """
        self._sessions_ended = sessions_ended
        await recover(self.rounds, self._heartbeat)
        await self._heartbeat.beat()
        await self.ties.open()
        await self.read_bots()
        await self.lobby.open()
        await self.notice.look()
        self._watchdog.start()
        loops = (
            self.services.timers.run(),
            self.services.bus.run(self._hear, self._resync),
            every(BEAT_EVERY_S, self._heartbeat.beat),
            every(PING_EVERY_S, self._ping),
            every(DUE_EVERY_S, self.rounds.check_deadlines),
            every(LOOK_EVERY_S, self._look),
            every(TOUCH_EVERY_S, self._keep_in_touch),
            every(EXPIRE_EVERY_S, self.lobby.expire),
            every(REMIND_EVERY_S, partial(remind_players, self.rounds)),
            every(FOLLOW_EVERY_S, self.vacations.follow),
            every(COUNT_EVERY_S, partial(count_finished, self.services.store.ratings)),
            every(TV_EVERY_S, self.tv.refresh),
            every(TIES_EVERY_S, self.ties.make_up),
            every(NOTICE_EVERY_S, self.notice.look),
            every(BOTS_EVERY_S, self.read_bots),
        )
        self._loops = [asyncio.create_task(loop) for loop in loops]
        self._try("who is on vacation", self.vacations.follow())

    async def stop(self) -> None:
        """Accepts no more commands, finishes the running ones, tells everybody, and closes all connections."""
        self.rounds.stopping = True
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self.services.background.finish(FINISH_S)
        try:
            await self._heartbeat.beat()
        except StoreError as error:
            log.warning("the last heartbeat was not stored: %s", error)
        farewell = encode(outbound.Restart(within=RETURN_WITHIN_MS))
        for one in self.rounds:
            one.feed.dismiss(farewell, RESTART)
            one.stop()
        self.lobby.feed.dismiss(farewell, RESTART)
        self.tv.dismiss(farewell, RESTART)

    async def read_bots(self) -> None:
        """Takes over who the store says is a bot. Raises Unavailable."""
        self.services.bots.replace_all(await self.services.store.accounts.bots())

    def deleted(self, deleted: Deleted) -> None:
        """Tells everybody, also on other processes, that this one has deleted a game."""
        self.rounds.forget(deleted)
        self.services.bus.tell(deleted)

    # --- who hears what happens in a game ---------------------------------------------------------------------------

    def _game_changed(self, game: Game) -> None:
        self.lobby.opponents.note(game, self.services.now())
        self.running_games.changed(game)
        self.lobby.games.changed(game)
        self.tv.changed(game)

    async def _tell_everybody(self, text: str) -> None:
        self.lobby.feed.tell(text)
        await self.rounds.do_in_each(lambda one: one.feed.tell(text))

    def _game_deleted(self, deleted: Deleted) -> None:
        self.running_games.deleted(deleted)
        self.lobby.games.deleted(deleted)
        self.tv.deleted(deleted)

    def _waited_in_vain(self, waited: WaitedInVain) -> None:
        # To all processes: only the one that paired them knows their seeks.
        self.services.bus.tell(waited)
        put_back(self.lobby, self.services, waited)

    # --- what runs all the time -------------------------------------------------------------------------------------

    async def _ping(self) -> None:
        await self.rounds.do_in_each(lambda one: one.feed.presence_feed.ping_players(self.services.now()))

    async def _look(self) -> None:
        await self.rounds.unload_idle()
        if not self.services.alone:
            await self._make_up_for_lost_notices()

    async def _keep_in_touch(self) -> None:
        """Say again who is here, and look again at the seeks: what was told may have been lost without a sign."""
        if self.services.bus.alone:
            return
        self.lobby.online.say_again()
        await self.rounds.do_in_each(Round.repeat_presence)
        await self.lobby.look_again()

    async def _make_up_for_lost_notices(self, games: Iterable[str] | None = None) -> None:
        """Shows what other processes have stored in these games, as far as they are followed here; None: in any.

        Raises Unavailable.
        """
        followed = self.rounds if games is None else filter(None, map(self.rounds.in_memory, games))
        rounds = {one.game.id: one for one in followed}
        if not rounds:
            return
        progress = await self.services.store.progress(tuple(rounds), self.services.now() - LATELY_MS)
        # A game without a revision may be deleted or damaged: refreshing it tells.
        moved = [one for game, one in rounds.items() if one.game.rev < progress.revs.get(game, one.game.rev + 1)]
        await asyncio.gather(*(self._tried(f"game {one.game.id}", one.refresh()) for one in moved))
        said: dict[str, list[ChatLine]] = defaultdict(list)
        for line in progress.said:
            said[line.game].append(line)
        for game, lines in said.items():
            rounds[game].feed.catch_up_chat(lines)

    def _hear(self, notice: Notice) -> None:
        """Handles a notice of another process. One about a game matters if that game is followed here."""
        match notice:
            case GameStored(game, rev, players):
                self.running_games.forget(players)
                one = self.rounds.in_memory(game)
                if one is None:
                    self._try(f"game {game}", self.lobby.games.hear(notice))
                elif one.game.rev < rev:
                    self._try(f"game {game}", one.refresh())
            case PresenceChanged(game):
                self.services.boards_elsewhere.hear(notice, self.services.now())
                one = self.rounds.in_memory(game)
                if one is not None:
                    one.hear(notice)
            case ChatPosted(game):
                one = self.rounds.in_memory(game)
                if one is not None:
                    self._try(f"what was said in game {game}", one.fetch_chat())
            case Deleted():
                self.rounds.forget(notice)
            case ChallengeMade() | MessageLeft() | RematchOffered() | TurnPassed():
                self.pages.show(notice)
            case WaitedInVain():
                put_back(self.lobby, self.services, notice)
            case SeeksChanged():
                self._try("the open seeks", self.lobby.look_again())
            case PeopleOnNode():
                self.lobby.online.hear(notice)
            case BlocksChanged(person):
                self._try("a block", self.ties.read(person))
            case SessionsEnded():
                if self._sessions_ended is not None:
                    self._sessions_ended(notice)
            case _:
                assert_never(notice)

    def _resync(self, missed: Missed) -> None:
        """Looks again at everything of which notices may have been lost."""
        if missed.games:
            self._try("games that are followed", self._make_up_for_lost_notices(missed.games))
        if missed.people:
            self._try("the games of people here", self.lobby.games.catch_up(missed.people))
        if missed.rest:
            self._try("the open seeks", self.lobby.look_again())
            self._try("all blocks", self.ties.make_up())

    def _try(self, what: str, look: Coroutine[Any, Any, None]) -> None:
        """Looks at `what` another process has changed. If that fails, a regular look makes up for it."""
        self.services.background.spawn(self._tried(what, look))

    async def _tried(self, what: str, look: Coroutine[Any, Any, None]) -> None:
        try:
            await look
        except (Busy, StoreError, TimeoutError) as error:
            log.info("%s could not be looked at: %s", what, error)
