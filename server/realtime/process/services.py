"""What all rounds of one process share."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from server.games.state import Game
from server.realtime.bots import Bots
from server.realtime.process.background import Background
from server.realtime.process.blocks import Blocks
from server.realtime.process.boards_elsewhere import BoardsElsewhere
from server.realtime.process.bus import Bus, Deleted, LocalBus, WaitedInVain
from server.realtime.process.domain_events import Publisher
from server.realtime.process.loop_throttle import LoopThrottle
from server.realtime.process.playbans import Playbans
from server.realtime.process.stats import Stats
from server.realtime.process.timers import Timers
from server.realtime.process.unstarted_games import UnstartedGames
from server.storage.stores import Store

MESSAGES_PER_ITERATION: Final = 16
"""A move takes some tenths of a millisecond; a whole game that nobody has asked for before takes one. With only four
messages per iteration a busy server spent an eighth more on each move."""
WRITES_PER_ITERATION: Final = 30
"""Each takes about a hundredth of a millisecond, most of it in the kernel."""


@dataclass(frozen=True, slots=True)
class Services:
    """`now` gives the time in ms; `sleep` waits for seconds (tests bring their own of both).

    `LivePlay`, which puts the parts together, decides who hears what happens. `game_changed`: a game has changed in a
    way that pages other than its own show. `game_deleted`: it must no longer be shown. `waited_in_vain`: somebody was
    at a board alone.
    """

    store: Store
    now: Callable[[], int]
    timers: Timers
    game_changed: Callable[[Game], None]
    game_deleted: Callable[[Deleted], None]
    waited_in_vain: Callable[[WaitedInVain], None]
    background: Background = field(default_factory=Background)
    bus: Bus = field(default_factory=LocalBus)
    events: Publisher = field(default_factory=Publisher)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    stats: Stats = field(default_factory=Stats)
    playbans: Playbans = field(default_factory=Playbans)
    blocks: Blocks = field(default_factory=Blocks)
    bots: Bots = field(default_factory=Bots)
    boards_elsewhere: BoardsElsewhere = field(default_factory=BoardsElsewhere)
    unstarted: UnstartedGames = field(default_factory=UnstartedGames)
    throttle: LoopThrottle = field(default_factory=lambda: LoopThrottle(MESSAGES_PER_ITERATION))
    """For connections with messages to handle."""
    crowds: LoopThrottle = field(default_factory=lambda: LoopThrottle(WRITES_PER_ITERATION))
    """For sockets that are told what many others are told."""

    @property
    def alone(self) -> bool:
        """Is this the only process that changes the store?"""
        return self.bus.alone and not self.store.shared
