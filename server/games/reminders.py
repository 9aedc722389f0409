"""When the side to move in a correspondence game is reminded: when half and a tenth of the time for the move are left.
If their fallen flag is for the opponent to claim, the opponent is notified when it falls.

Decided from the clock alone, which also holds what was reminded in this turn. So a reminder and the note that it was
given are one write, which loses against a move that was stored first. Knows no player and no way to reach one.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.command import LIVE, Command
from server.games.events import Transition
from server.games.frozen import replace
from server.games.state import Game
from server.games.status import Status

SHARES: Final = (2, 10)
"""One reminder when a half of the time is left, one when a tenth is."""
TIME_IS_UP: Final = 1_000
"""Noted after these, when the opponent is notified that they can claim."""
SHORTEST_TURN_MS: Final = 6 * 60 * 60 * 1_000
"""Nobody is reminded of a move for which they have less time."""


@dataclass(frozen=True, slots=True)
class Remind(Command):
    """Note that the side to move is reminded that its time runs out, if that is due: `reminders`."""

    taken_in: ClassVar = LIVE

    def apply(self, game: Game, now: int) -> Transition:
        return note_reminder(game, now), ()


def next_reminder_at(game: Game) -> int | None:
    """When (ms) the side to move is to be reminded next; None: never in this turn, if nothing changes."""
    coming = _coming(game)
    return min(at for _, at in coming) if coming else None


def note_reminder(game: Game, now: int) -> Game:
    """`game` with the latest reminder noted that is due at `now` (ms), and so those before it; itself if none is."""
    due = [share for share, at in _coming(game) if at <= now]
    return replace(game, clock=replace(game.clock, reminded=max(due))) if due else game


def _coming(game: Game) -> list[tuple[int, int]]:
    """The shares that were not told of in this turn, each with when (ms) that is due."""
    clock = game.clock
    if not clock.control.by_days or game.status is not Status.LIVE:
        return []
    deadline = clock.deadline
    if deadline is None:
        return []
    given = deadline - clock.since
    coming = [(share, deadline - given // share) for share in SHARES]
    if given < SHORTEST_TURN_MS:
        coming = []
    if game.is_flagged_by_hand:
        coming.append((TIME_IS_UP, deadline))
    return [(share, at) for share, at in coming if share > clock.reminded]


def time_is_up(game: Game) -> bool:
    """Was the opponent of the side to move told that they can claim the game?"""
    return game.clock.reminded == TIME_IS_UP
