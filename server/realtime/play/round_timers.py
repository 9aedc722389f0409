"""The timers of a round, for what happens without a request: flags, unstarted games, paused clocks, vacations, claims.

They are set from the state of the game after every change. A timer submits a command, and the game decides whether it
is time.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from server.games.changes.adjourning import Resume, both_ready
from server.games.changes.beginning import BothHere
from server.games.changes.ending import Expire, Flag
from server.games.changes.vacation import EndVacations
from server.games.command import Command
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.round_presence import RoundPresence
from server.realtime.process.timers import Timers
from server.rules.variant.pieces import Color

FLAG: Final = Flag()
EXPIRE: Final = Expire()
END_VACATIONS: Final = EndVacations()
AGAIN_MS: Final = 2_000
"""How often a game retries after a store failure."""


Submit = Callable[[Command], None]
"""Submits a command without waiting. It refers to the round, so only timers keep it: otherwise an unloaded round would
stay until a full garbage collection, which hardly ever happens."""


def command_at_deadline(game: Game) -> Command:
    """What the game needs when its deadline has come."""
    if game.on_vacation:
        return END_VACATIONS
    return FLAG if game.clock.turn is not None else EXPIRE


class RoundTimers:
    """The timers of one round. `absence`: called when a claim becomes possible."""

    __slots__ = ("_absence", "_ended", "_met", "_timers")

    def __init__(self, timers: Timers, absence: Callable[[], None]) -> None:
        self._timers = timers
        self._absence = absence
        self._ended = False
        self._met = False

    def update(self, game: Game, presence: RoundPresence, now: int, submit: Submit) -> None:
        """Sets all timers for the state at `now` (ms). Repeating it is harmless."""
        if self._ended:
            return
        self._watch_deadline(game, submit)
        self._watch_pause(game, presence, now, submit)
        self._watch_absence(game, presence, now)
        if both_ready(game) and presence.players_here == 2:
            submit(Resume())
        if not game.both_met and not self._met and game.status is Status.LIVE and presence.players_here == 2:
            self._met = True
            submit(BothHere())

    def retry_later(self, game: Game, now: int, submit: Submit) -> None:
        """Retries in a moment: the last command could not be stored."""
        self._met = False
        if self._ended:
            return
        self._timers.set((game.id, "deadline"), now + AGAIN_MS, partial(submit, FLAG))

    def end(self, game: Game) -> None:
        """Clears all timers of the game, and sets none again: its players still leave, and a move may be under way."""
        self._ended = True
        for kind in ("deadline", "resume", *Color):
            self._timers.clear((game.id, kind))

    def _watch_deadline(self, game: Game, submit: Submit) -> None:
        deadline = game.deadline
        if deadline is None:
            self._timers.clear((game.id, "deadline"))
            return
        self._timers.set((game.id, "deadline"), deadline, partial(submit, command_at_deadline(game)))

    def _watch_pause(self, game: Game, presence: RoundPresence, now: int, submit: Submit) -> None:
        at = presence.resumes_at(game, now)
        if at is None:
            self._timers.clear((game.id, "resume"))
        else:
            self._timers.set((game.id, "resume"), at, partial(submit, Resume()))

    def _watch_absence(self, game: Game, presence: RoundPresence, now: int) -> None:
        for color in Color:
            at = presence.claimable_at(game, color)
            if at is None or at <= now:
                self._timers.clear((game.id, color))
            else:
                self._timers.set((game.id, color), at, self._absence)
