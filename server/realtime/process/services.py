"""What all rounds of one process share. Knows no round."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from server.games.game import Game
from server.realtime.process.background import Background
from server.realtime.process.bus import Bus, Deleted, LocalBus, SessionsEnded, WaitedInVain
from server.realtime.process.loop_throttle import LoopThrottle
from server.realtime.process.playbans import Playbans
from server.realtime.process.stats import Stats
from server.realtime.process.timers import Timers
from server.realtime.process.unstarted_games import UnstartedGames
from server.storage.stores import Store

MESSAGES_IN_A_ROUND: Final = 16
"""To move takes some tenths of a millisecond, and to get a whole game that nobody has asked for before takes one.
With four in a round a busy server spent an eighth more on each move."""


@dataclass(frozen=True, slots=True)
class Services:
    """`now` gives the time in ms; `sleep` waits for seconds (tests bring their own of both)."""

    store: Store
    now: Callable[[], int]
    timers: Timers
    background: Background = field(default_factory=Background)
    bus: Bus = field(default_factory=LocalBus)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    stats: Stats = field(default_factory=Stats)
    playbans: Playbans = field(default_factory=Playbans)
    unstarted: UnstartedGames = field(default_factory=UnstartedGames)
    throttle: LoopThrottle = field(default_factory=lambda: LoopThrottle(MESSAGES_IN_A_ROUND))
    """Of the lines on which messages have come."""
    showings: list[Callable[[Game], None]] = field(default_factory=list)
    """Who shows games elsewhere than at their own boards, and wants to know when one stands otherwise."""
    deletions: list[Callable[[Deleted], None]] = field(default_factory=list)
    """The same, and must not show one that is gone."""
    sessions_ended: list[Callable[[SessionsEnded], None]] = field(default_factory=list)
    """Who holds lines open, and wants to know whose another process has ended."""
    waits_in_vain: list[Callable[[WaitedInVain], None]] = field(default_factory=list)
    """Who finds another opponent for whoever sat at a board alone."""

    @property
    def alone(self) -> bool:
        """Does nobody but this process change what is stored?"""
        return self.bus.alone and not self.store.shared

    def show(self, game: Game) -> None:
        """Tell all of `showings` how it stands now."""
        for show in self.showings:
            show(game)

    def tell_waited(self, waited: WaitedInVain) -> None:
        """Tell all processes, as only the one that has paired them knows what they sought."""
        self.bus.tell(waited)
        for hear in self.waits_in_vain:
            hear(waited)

    def deleted(self, deleted: Deleted) -> None:
        """Tell all of `deletions` that there is no such game any more."""
        for take_away in self.deletions:
            take_away(deleted)
