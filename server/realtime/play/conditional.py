"""Judges the conditional moves that a player sends, in slices, and makes a command of them.

The game goes on meanwhile: the command says from which position they were judged, and is refused if that has passed.
"""

from typing import Final

from server.games.changes.playing import PrepareMoves
from server.games.conditional import judged
from server.games.errors import NotAllowed, Stale
from server.games.state import Game
from server.realtime.process.limits.person_limiter import PersonLimiter
from server.realtime.protocol.inbound import Conditional
from server.rules.variant.pieces import Color
from server.storage.time_slices import run_sliced

MOVES: Final = 1_500
SAVING: Final = 30
"""As how many moves it counts to store them."""
WINDOW_MS: Final = 60_000


class PreparationLimiter:
    """How much each player has had judged lately in this process."""

    __slots__ = ("_people",)

    def __init__(self) -> None:
        self._people = PersonLimiter(MOVES, WINDOW_MS)

    def charge(self, player: str, moves: int, now: int) -> None:
        """Counts so many moves at `now` (ms). Raises Refusal if that is too much."""
        self._people.charge(player, now, moves + SAVING)


async def prepared(
    message: Conditional, game: Game, color: Color, limiter: PreparationLimiter, now: int
) -> PrepareMoves:
    """The command of the player of `color`, whose message arrived at `now` (ms). Raises Refusal."""
    if not game.terms.control.by_days:
        raise NotAllowed("conditional_not_by_days")
    if message.ply != len(game.plies):
        raise Stale
    player = game.player(color)
    assert player is not None
    limiter.charge(player.id, len(message.steps), now)
    return PrepareMoves(color, game.position, await run_sliced(judged(game.position, message.steps)))
