"""Live play as a whole: how it starts and stops, and what runs all the time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from server.games.state import Game
from server.realtime.lobby.lobby import EXPIRE_EVERY_S, Lobby
from server.realtime.lobby.second_chance import put_back
from server.realtime.open_pages import OpenPages
from server.realtime.other_processes import OtherProcesses
from server.realtime.play.players.player_ratings import COUNT_EVERY_S, count_finished
from server.realtime.play.reminders import REMIND_EVERY_S, remind_players
from server.realtime.play.rounds import Rounds
from server.realtime.play.stall_watchdog import StallWatchdog
from server.realtime.process.background import every
from server.realtime.process.bus import (
    Bus,
    Deleted,
    LocalBus,
    SessionsEnded,
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
from server.storage.stores import Store

log = logging.getLogger(__name__)

PING_EVERY_S: Final = 2.5
DUE_EVERY_S: Final = 1.0
LOOK_EVERY_S: Final = 3.0
TOUCH_EVERY_S: Final = 10.0
BOTS_EVERY_S: Final = 10.0
"""Another process may have made an account a bot; it has no games yet, so that is soon enough."""
FINISH_S: Final = 5.0
RETURN_WITHIN_MS: Final = 5_000
RESTART: Final = 1012


class LivePlay:
    """All parts of live play. The caller opens `store`, and closes it after `stop`."""

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
        parts = (self.rounds, self.lobby, self.running_games, self.ties, self.pages)
        self.others = OtherProcesses(self.services, *parts)
        self._loops: list[asyncio.Task[None]] = []

    async def start(self, sessions_ended: Callable[[SessionsEnded], None] | None = None) -> None:
        """Gives players back the time without a server, then runs. Call it before accepting connections.

        `sessions_ended` is called with sessions that another process has ended. Raises Unavailable.
        """
        self.others.sessions_ended = sessions_ended
        await recover(self.rounds, self._heartbeat)
        await self._heartbeat.beat()
        await self.ties.open()
        await self.read_bots()
        await self.lobby.open()
        await self.notice.look()
        self._watchdog.start()
        loops = (
            self.services.timers.run(),
            self.services.bus.run(self.others.hear, self.others.resync),
            every(BEAT_EVERY_S, self._heartbeat.beat),
            every(PING_EVERY_S, self._ping),
            every(DUE_EVERY_S, self.rounds.check_deadlines),
            every(LOOK_EVERY_S, self._look),
            every(TOUCH_EVERY_S, self.others.keep_in_touch),
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
        self.others.try_to("who is on vacation", self.vacations.follow())

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
        await self.others.look()
