"""The timers of a round, for what happens without a request: flags, unstarted games, paused clocks, vacations, claims.

They are set from the state of the game after every change. A timer submits a command, and the game decides whether it
is time.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from server.games.changes.beginning import BothHere
from server.games.changes.ending import Expire, Flag
from server.games.changes.pausing import EndVacations, KeepTurn, Resume, both_ready
from server.games.command import Command
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.round_presence import RoundPresence
from server.realtime.runtime.timers import Timers
from server.rules.variant.pieces import Color

FLAG: Final = Flag()
EXPIRE: Final = Expire()
END_VACATIONS: Final = EndVacations()
AGAIN_MS: Final = 2_000
"""How often a game retries after a store failure, or while it is in doubt whether a flag has fallen."""
DOUBT_MS: Final = 30_000
"""How long a process waits with the flag of a player whom it does not serve, so that the one that does can store what
it has given back: after a stall, of which a page waits for ten seconds, or a write that took long."""
KEEP_AFTER_MS: Final = 1_000
"""By then a quick answer has stored, with itself, what was given back in the turn before."""
KEEP_BEFORE_MS: Final = 5_000
"""So long before others take the time of a player to be over it is stored; mostly the answer has come by then. On a
slow store, which gives back much, each turn would otherwise cost it another write."""
SIDES: Final = tuple(Color)
"""To go through the class itself takes ten times as long, after every move."""
KEPT_FROM_MS: Final = 250
"""Less than that given back in a turn is stored with its move only: every move is shown a little later than it came."""


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

    def update(self, game: Game, presence: RoundPresence, now: int, submit: Submit, *, in_doubt: bool) -> None:
        """Sets all timers for the state at `now` (ms). Repeating it is harmless.

        `in_doubt`: this process cannot tell by itself that the side to move is out of time.
        """
        if self._ended:
            return
        self._watch_deadline(game, now, submit, in_doubt=in_doubt)
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

    def keep_turn(self, game: Game, given_ms: int, submit: Submit) -> None:
        """Has the beginning of the turn stored in time, if `given_ms` of it were given back that other processes do not
        know of.
        """
        runs = game.clock.turn is not None and game.clock.paused_at is None and game.terms.control.by_the_minute
        if self._ended or given_ms < KEPT_FROM_MS or not runs:
            self._timers.clear((game.id, "turn"))
            return
        since, deadline = game.clock.since, game.clock.deadline
        soon = since + KEEP_AFTER_MS
        at = soon if deadline is None else max(soon, deadline - given_ms - KEEP_BEFORE_MS)
        self._timers.set((game.id, "turn"), at, partial(submit, KeepTurn(len(game.plies), since)))

    def end(self, game: Game) -> None:
        """Clears all timers of the game, and sets none again: its players still leave, and a move may be under way."""
        self._ended = True
        for kind in ("deadline", "resume", "turn", *SIDES):
            self._timers.clear((game.id, kind))

    def restart(self) -> None:
        """Timers may be set again."""
        self._ended = False

    def _watch_deadline(self, game: Game, now: int, submit: Submit, *, in_doubt: bool) -> None:
        deadline = game.deadline
        if deadline is None:
            self._timers.clear((game.id, "deadline"))
            return
        at = max(deadline, now + AGAIN_MS) if in_doubt else deadline
        self._timers.set((game.id, "deadline"), at, partial(submit, command_at_deadline(game)))

    def _watch_pause(self, game: Game, presence: RoundPresence, now: int, submit: Submit) -> None:
        at = presence.resumes_at(game, now)
        if at is None:
            self._timers.clear((game.id, "resume"))
        else:
            self._timers.set((game.id, "resume"), at, partial(submit, Resume()))

    def _watch_absence(self, game: Game, presence: RoundPresence, now: int) -> None:
        for color in SIDES:
            at = presence.claimable_at(game, color)
            if at is None or at <= now:
                self._timers.clear((game.id, color))
            else:
                self._timers.set((game.id, color), at, self._absence)
