"""Live play as a whole: how it starts and stops, and what runs all the time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from server.games.changes.ending import Abort
from server.games.errors import GameDeleted, NotAllowed, Refused
from server.games.joining import Guests
from server.games.player import Player
from server.games.site_settings import SiteSettings
from server.games.status import Status
from server.realtime.cluster.bus import (
    Bus,
    Deleted,
    SessionsEnded,
)
from server.realtime.domain_events import DomainEvent, Paired
from server.realtime.lobby import EXPIRE_EVERY_S, Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.play.player_ratings import COUNT_EVERY_S, count_finished
from server.realtime.play.rounds import REMIND_EVERY_S, Rounds
from server.realtime.protocol import outbound
from server.realtime.protocol.codec import encode
from server.realtime.protocol.outbound import NoticeOut
from server.realtime.runtime.background import every
from server.realtime.runtime.timers import Now, Timers
from server.realtime.services.other_processes import OtherProcesses
from server.realtime.services.recovery import BEAT_EVERY_S, Heartbeat, StallWatchdog, recover
from server.realtime.services.sanctions import READ_EVERY_S as SANCTIONS_EVERY_S
from server.realtime.services.sanctions import SanctionWatch
from server.realtime.services.site_settings import READ_EVERY_S as SETTINGS_EVERY_S
from server.realtime.services.site_settings import LiveSettings
from server.realtime.services.ties import READ_EVERY_S as TIES_EVERY_S
from server.realtime.services.ties import Ties
from server.realtime.services.vacations import DAYS_A_YEAR, FOLLOW_EVERY_S, Vacations
from server.realtime.shared import Services
from server.realtime.studies import StudyPages
from server.realtime.tournaments import TICK_EVERY_S as TOURNAMENTS_EVERY_S
from server.realtime.tournaments import Tournaments
from server.realtime.tv import REFRESH_EVERY_S as TV_EVERY_S
from server.realtime.tv import Tv
from server.realtime.your_games import OpenPages, RunningGames
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError, Unreadable
from server.storage.stores import Store
from server.storage.tables.notices import SiteNotice

log = logging.getLogger(__name__)

PING_EVERY_S: Final = 2.5
DUE_EVERY_S: Final = 1.0
LOOK_EVERY_S: Final = 3.0
TOUCH_EVERY_S: Final = 10.0
NOTICE_EVERY_S: Final = 5.0
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
        bots_rated: bool | None = None,
    ) -> None:
        """`bots_rated`: may bots play rated games against one another? None: as the host has chosen at the desk."""
        now = now or Now()
        self.services = Services(
            store,
            now,
            Timers(now),
            bus=bus or Bus(),
            sleep=sleep,
        )
        self._bots_rated = bots_rated
        self.services.bots.may_be_rated = bool(bots_rated)
        self.settings = LiveSettings(store.site_settings, self._follow_settings)
        self.rounds = Rounds(self.services)
        self.vacations = Vacations(self.rounds, vacation_days)
        self.running_games = RunningGames(self.services)
        self.lobby = Lobby(self.services, variants, self.running_games)
        self.ties = Ties(self.rounds, self.lobby)
        self.sanctions = SanctionWatch(self.services, self.lobby)
        self.pages = OpenPages(self.services, self.lobby.pages, self.lobby.games)
        self.tv = Tv(self.rounds, variants)
        self.studies = StudyPages(self.services)
        self.tournaments = Tournaments(self.rounds, variants)
        self.services.observers.extend((self.lobby, self.running_games, self.lobby.games, self.tv, self.tournaments))
        self.notice = ShownNotice(self.services, self._show_everybody)
        self._heartbeat = Heartbeat(self.services)
        self._watchdog = StallWatchdog(self.rounds)
        parts = (self.rounds, self.lobby, self.running_games, self.ties, self.pages, self.studies, self.tournaments)
        self.others = OtherProcesses(self.services, *parts, self.sanctions)
        self._loops: list[asyncio.Task[None]] = []
        self._reading_bots = asyncio.Lock()
        self.services.events.subscribe(self._check_begun)

    async def start(self, sessions_ended: Callable[[SessionsEnded], None] | None = None) -> None:
        """Gives players back the time without a server, then runs. Call it before accepting connections.

        `sessions_ended` is called with sessions that another process has ended. Raises Unavailable.
        """
        self.others.sessions_ended = sessions_ended
        await recover(self.rounds, self._heartbeat)
        await self._heartbeat.beat()
        await self.ties.load_blocks()
        await self.sanctions.load_sanctions()
        await self.read_bots()
        await self.lobby.load_seeks()
        await self.notice.refresh()
        await self.settings.refresh()
        self._watchdog.start()
        loops = (
            self.services.timers.run(),
            self.services.bus.run(self.others.hear_notice, self.others.resync),
            every(BEAT_EVERY_S, self._heartbeat.beat),
            every(BEAT_EVERY_S, self._heartbeat.tell_nodes, at_once=True),
            every(BEAT_EVERY_S, self.leave_pages_if_cut_off),
            every(PING_EVERY_S, self._ping),
            every(DUE_EVERY_S, self.rounds.check_deadlines),
            every(LOOK_EVERY_S, self._look),
            every(TOUCH_EVERY_S, self.others.keep_in_touch),
            every(EXPIRE_EVERY_S, self.lobby.expire_seeks),
            every(REMIND_EVERY_S, self.rounds.remind_players),
            every(FOLLOW_EVERY_S, self.vacations.follow),
            every(COUNT_EVERY_S, partial(count_finished, self.services.store.ratings)),
            every(TV_EVERY_S, self.tv.refresh),
            every(TOURNAMENTS_EVERY_S, self.tournaments.tick),
            every(TOURNAMENTS_EVERY_S, self.tournaments.tick_sections),
            every(TIES_EVERY_S, self.ties.catch_up),
            every(NOTICE_EVERY_S, self.notice.refresh),
            every(SETTINGS_EVERY_S, self.settings.refresh),
            every(BOTS_EVERY_S, self.read_bots),
            every(SANCTIONS_EVERY_S, self.sanctions.read_sanctions),
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
        self._dismiss(encode(outbound.Restart(within=RETURN_WITHIN_MS)))
        for one in self.rounds:
            one.stop()

    @property
    def cut_off(self) -> bool:
        """As `Heartbeat.cut_off`: while True, new connections are refused."""
        return self._heartbeat.cut_off

    def _dismiss(self, farewell: str = "") -> None:
        """Closes all connections, after `farewell` if it says anything."""
        for one in self.rounds:
            one.feed.dismiss(farewell, RESTART)
        self.lobby.pages.dismiss(farewell, RESTART)
        self.tv.dismiss(farewell, RESTART)
        self.studies.dismiss(farewell, RESTART)
        self.tournaments.dismiss(farewell, RESTART)

    async def leave_pages_if_cut_off(self) -> None:
        """Closes all connections while this process can store and hear nothing, so that pages find one that can.

        To the others its players are away, and may lose their games for it, but would see no sign of that here.
        """
        if self.cut_off:
            self._dismiss()

    async def read_bots(self) -> None:
        """Reads from the store which accounts are bots. Raises Unavailable."""
        bots = self.services.bots
        # One read at a time, so that an older answer never replaces a newer one. New bots of this process stay bots.
        async with self._reading_bots:
            before = bots.people
            stored = await self.services.store.accounts.bots()
            bots.replace_all({**stored, **{id: name for id, name in bots.people.items() if id not in before}})

    async def become_bot(self, player: Player) -> None:
        """Turns an account that is stored as a bot into one here, too: removes its seeks, some of which may be rated,
        and aborts its rated games not yet begun. Calling it again completes it. Raises Busy, Unavailable.
        """
        self.services.bots.add_bot(player.id, player.name)
        await self.lobby.withdraw_seeks_of(player.id)
        for game in await self.services.store.running_of(player.id):
            if game.rated:
                await self._abort_unfit(game.id)

    def _check_begun(self, event: DomainEvent) -> None:
        """A player of a rated game may have become a bot while it was made: either that is known once it is stored, or
        `become_bot` finds it. Or the host has taken rated games from one of them, and it is a rematch.
        """
        if isinstance(event, Paired) and event.game.terms.rated:
            self.services.background.spawn(self._check_rated(event.game.id))

    async def _check_rated(self, game_id: str) -> None:
        try:
            if not self.services.alone:
                await self.read_bots()
            await self._abort_unfit(game_id)
        except (Busy, StoreError) as error:
            log.warning("whether the game %s may be rated is not known: %s", game_id, error)

    async def _abort_unfit(self, game_id: str) -> None:
        """Aborts a game that may no longer be rated, unless its play has begun. Raises Busy, Unavailable."""
        try:
            found = await self.rounds.get(game_id)
            if found is None or found.game.status is Status.OVER:
                return
            try:
                self.services.check_rated(*(one.id for one in found.game.players))
            except NotAllowed:
                bots, sanctions, now = self.services.bots, self.services.sanctions, self.services.now()
                unfit = next(
                    color
                    for color in Color
                    if (one := found.game.player(color)) and (one.id in bots or sanctions.is_unrated(one.id, now))
                )
                await found.submit(Abort(unfit), now)
        except (Refused, GameDeleted, Unreadable) as error:
            log.info("the game %s stays rated: %s", game_id, error)

    def deleted(self, deleted: Deleted) -> None:
        """Tells everybody, also on other processes, that this one has deleted a game."""
        self.rounds.forget(deleted)
        self.services.bus.tell(deleted)

    def _follow_settings(self, settings: SiteSettings) -> None:
        chosen = settings.house.bots_rated
        self.services.bots.may_be_rated = chosen if self._bots_rated is None else self._bots_rated
        self.services.guests.chosen = settings.joining.guests
        self.services.house.chat = settings.house.chat
        self.services.house.variants = settings.house.variants
        if settings.joining.guests is not Guests.ALL:
            self.others.try_to("what guests seek", self.lobby.withdraw_seeks_of_guests())

    async def _show_everybody(self, text: str) -> None:
        self.lobby.pages.show_all(text)
        await self.rounds.do_in_each(lambda one: one.feed.show_text(text))

    # --- what runs all the time -------------------------------------------------------------------------------------

    async def _ping(self) -> None:
        await self.rounds.do_in_each(lambda one: one.feed.ping_players(self.services.now()))

    async def _look(self) -> None:
        await self.rounds.unload_idle()
        await self.others.look()


class ShownNotice:
    """What the host has to say to everybody: this process shows it on every page, and at once on those that are open.

    The store is looked at every few seconds, so it does not matter which process, or which command line, has changed
    it. `current`: the notice to be shown now. `tell`: sends a text to every open page. The services learn whether it
    announces a restart.
    """

    def __init__(self, services: Services, tell: Callable[[str], Awaitable[None]]) -> None:
        self._services = services
        self._tell = tell
        self._began = services.now()
        self.current: SiteNotice | None = None

    @property
    def restarts_in(self) -> int | None:
        """In how many ms the site is to be restarted, 0 for now; None: nothing of that kind is announced."""
        if self.current is None or not self.current.restarts:
            return None
        return max(0, self.current.restarts - self._services.now())

    async def refresh(self) -> None:
        """Shows what the store has now, and tells the open pages if that is new. Raises Unavailable."""
        services = self._services
        found = await services.store.notices.current()
        is_due = found is not None and found.is_due(services.now(), self._began, alone=services.bus.alone)
        due = found if is_due else None
        if due != self.current:
            self.current = due
            services.restart.announced = due is not None and due.restarts > 0
            told = NoticeOut(text=None if due is None else due.text, restarts_in=self.restarts_in)
            await self._tell(encode(told))
