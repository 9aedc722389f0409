"""The commands that the server gives of its own accord: for time that has passed, stood still or nearly run out."""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.adjourning import resume_adjourned
from server.games.changes.beginning import both_here
from server.games.changes.ending import expire, flag
from server.games.changes.pausing import credit, pause, resume
from server.games.changes.vacation import end_vacations
from server.games.command import ADJOURNED, ALWAYS, LIVE, Command
from server.games.events import Transition
from server.games.reminders import remind
from server.games.state import Game


@dataclass(frozen=True, slots=True)
class EndVacations(Command):
    """End the vacations whose time has come."""

    taken_in: ClassVar = LIVE

    def apply(self, game: Game, now: int) -> Transition:
        return end_vacations(game, now)


@dataclass(frozen=True, slots=True)
class Flag(Command):
    """End the game if the running side is out of time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return flag(game, now)


@dataclass(frozen=True, slots=True)
class BothHere(Command):
    """Both players have been seen at the board: the first moves are due soon. Repeating it changes nothing.

    `unhurried`: at least one of them plays this variant for the first time.
    """

    taken_in: ClassVar = LIVE
    unhurried: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return both_here(game, now, unhurried=self.unhurried)


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """End the game without result if nobody came, or no first move was made, in time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return expire(game, now)


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Pause the clock as of `since` (ms): the server was down afterwards."""

    taken_in: ClassVar = LIVE
    outlasts_time: ClassVar = True
    since: int

    def apply(self, game: Game, now: int) -> Transition:
        return pause(game, self.since)


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Resume a paused clock, or an adjourned game."""

    taken_in: ClassVar = LIVE | ADJOURNED
    outlasts_time: ClassVar = True

    def apply(self, game: Game, now: int) -> Transition:
        return resume(game, now) if game.adjourned is None else resume_adjourned(game, now)


@dataclass(frozen=True, slots=True)
class CreditStall(Command):
    """Give the running side back `ms` for which the server stalled.

    `busy`: it stalled because it was overloaded, which players can cause; so there is a limit.
    """

    taken_in: ClassVar = LIVE
    outlasts_time: ClassVar = True
    ms: int
    busy: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return credit(game, self.ms, now, busy=self.busy)


@dataclass(frozen=True, slots=True)
class Remind(Command):
    """Note that the side to move is reminded that its time runs out, if that is due: `reminders`."""

    taken_in: ClassVar = LIVE

    def apply(self, game: Game, now: int) -> Transition:
        return remind(game, now), ()
