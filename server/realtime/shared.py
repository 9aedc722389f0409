"""What all rounds of one process share: the store, the clock, the bus, and the parts that show games."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Set
from dataclasses import dataclass, field
from typing import Final

from server.games.errors import NotAllowed
from server.games.seeks import Seek
from server.games.state import Game
from server.realtime.cluster.bus import Bus, Deleted, NoShow
from server.realtime.cluster.presence import HEARSAY_MS, BoardsElsewhere
from server.realtime.domain_events import Publisher
from server.realtime.moderation import Blocks, Bots, ComingRestart, GuestRules, HouseRules, Playbans, Sanctions
from server.realtime.runtime.background import Background
from server.realtime.runtime.limits import BoundedDict, LoopThrottle
from server.realtime.runtime.stats import Stats
from server.realtime.runtime.timers import Timers
from server.storage.stores import Store

MAX_GAMES: Final = 10_000
"""The newest ones: older games started long ago."""


class UnstartedGames:
    """Games from the lobby that have not started yet, by id, with their seeks, which are put back if one is called off.

    They are kept in memory, for a limited number of games, by the process that paired them. If it ends, a player who
    waits in vain sees that nobody came, and has to seek again.
    """

    def __init__(self) -> None:
        self._seeks: BoundedDict[str, tuple[Seek, ...]] = BoundedDict(MAX_GAMES)

    def __contains__(self, game: str) -> bool:
        return game in self._seeks

    def note_game(self, game: str, seeks: Iterable[Seek]) -> None:
        """Notes that `seeks` have led to `game`; not for correspondence games, whose players need not wait."""
        self._seeks[game] = tuple(seek for seek in seeks if not seek.waits_for_days)

    def take_seek_of(self, game: str, player: str) -> Seek | None:
        """The seek of `player` that led to `game`, to be made again under other ids; None if it is unknown here.

        Works once.
        """
        seek = next((one for one in self._seeks.get(game, ()) if one.maker.player.id == player), None)
        if seek is None:
            return None
        del self._seeks[game]
        return seek


MESSAGES_PER_ITERATION: Final = 16
"""A move takes some tenths of a millisecond; a whole game that nobody has asked for before takes one. With only four
messages per iteration a busy server spent an eighth more on each move."""
WRITES_PER_ITERATION: Final = 30
"""Each takes about a hundredth of a millisecond, most of it in the kernel."""
GAP_MS: Final = 5_000
"""A process from which nothing has come for longer is not heard; it beats once a second."""
FORGET_MS: Final = 3_600_000
ALIVE_MS: Final = 15_000
"""A process that has stored no heartbeat for so long does not serve anybody."""


class Hearing:
    """The processes of the site that this one hears, and since when without a gap. `node`: its own name, at random.

    Silence says nothing as long as it may be the bus that is silent. So every process beats on the bus, behind all that
    it tells of where players are, and hears itself, too: a process that has heard all beats for a while has heard where
    everybody was. What it may conclude from not having heard something, it may conclude only then.
    """

    def __init__(self) -> None:
        self.node = secrets.token_hex(4)
        self._heard: dict[str, tuple[int, int]] = {}
        """By process: since when it has been heard without a gap, and when last (ms)."""
        self.store_missed_at = 0
        """When the store last took no heartbeat of this process (ms). The others may have had to wait for it, too."""
        self.alive: Set[str] = frozenset()
        """The processes that store heartbeats, as of the last look a few seconds ago."""

    def hear_beat(self, node: str, now: int) -> None:
        """A beat of `node` has come at `now` (ms)."""
        since = self.since(node, now)
        self._heard[node] = now if since is None else since, now
        self._heard = {name: heard for name, heard in self._heard.items() if now - heard[1] < FORGET_MS}

    def since(self, node: str, now: int) -> int | None:
        """Since when (ms) that process has been heard; None: it is not, at `now` (ms)."""
        since, last = self._heard.get(node, (0, now - GAP_MS - 1))
        return None if now - last > GAP_MS else since

    def hears_all(self, nodes: Iterable[str], now: int) -> int | None:
        """Since when (ms) these processes, and this one itself, have all been heard; None: one is not."""
        heard = [self.since(node, now) for node in {self.node, *nodes}]
        return None if None in heard else max(since for since in heard if since is not None)


class GameObserver:
    """A part of this process that shows or lists games elsewhere than at their own board."""

    def show_game(self, game: Game) -> None:
        """`game` is new, or has changed in a way that matters away from its board."""

    def remove_game(self, deleted: Deleted) -> None:
        """A game must not be shown any more."""

    def report_no_show(self, waited: NoShow) -> None:
        """A player was alone at the board of a game that was called off."""


@dataclass(frozen=True, slots=True)
class Services:
    """`now` gives the time in ms; `sleep` waits for seconds (tests bring their own of both).

    `observers`: shown what happens in games, in this order; `LivePlay`, which puts the parts together, adds them.
    """

    store: Store
    now: Callable[[], int]
    timers: Timers
    observers: list[GameObserver] = field(default_factory=list)
    background: Background = field(default_factory=Background)
    bus: Bus = field(default_factory=Bus)
    events: Publisher = field(default_factory=Publisher)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    stats: Stats = field(default_factory=Stats)
    playbans: Playbans = field(default_factory=Playbans)
    blocks: Blocks = field(default_factory=Blocks)
    guests: GuestRules = field(default_factory=GuestRules)
    house: HouseRules = field(default_factory=HouseRules)
    bots: Bots = field(default_factory=Bots)
    sanctions: Sanctions = field(default_factory=Sanctions)
    restart: ComingRestart = field(default_factory=ComingRestart)
    boards_elsewhere: BoardsElsewhere = field(default_factory=BoardsElsewhere)
    unstarted: UnstartedGames = field(default_factory=UnstartedGames)
    throttle: LoopThrottle = field(default_factory=lambda: LoopThrottle(MESSAGES_PER_ITERATION))
    """For connections with messages to handle."""
    crowds: LoopThrottle = field(default_factory=lambda: LoopThrottle(WRITES_PER_ITERATION))
    """For sockets that are sent what many others are sent."""

    hearing: Hearing = field(default_factory=Hearing)

    @property
    def hears_others(self) -> bool:
        """Would this process know by now if a player was at another one?"""
        return self.bus.alone or self.hearing.hears_all(self.hearing.alive, self.now()) is not None

    def has_heard_since(self, at: int) -> bool:
        """Has this process heard all others since `at` (ms), or so long that they have said again where players are?"""
        now = self.now()
        since = self.hearing.hears_all(self.hearing.alive, now)
        return self.bus.alone or (since is not None and since <= max(at, now - HEARSAY_MS))

    def check_rated(self, asking: str, *others: str) -> None:
        """Raises NotAllowed if no rated game of these people (ids) may be; why is told of the one who asks alone."""
        self.bots.check_rated(asking, *others)
        self.sanctions.check_rated(asking, self.now())
        if any(self.sanctions.is_unrated(other, self.now()) for other in others):
            raise NotAllowed("unrated_other")

    @property
    def alone(self) -> bool:
        """Is this the only process that changes the store?"""
        return self.bus.alone and not self.store.shared

    def show_game(self, game: Game) -> None:
        """Shows `game`, which is new or has changed, away from its board."""
        for observer in self.observers:
            observer.show_game(game)

    def remove_game(self, deleted: Deleted) -> None:
        """Has a deleted game shown nowhere any more."""
        for observer in self.observers:
            observer.remove_game(deleted)

    def report_no_show(self, waited: NoShow) -> None:
        """Says that a player was alone at the board of a game that was called off."""
        for observer in self.observers:
            observer.report_no_show(waited)
