"""What a game is played for: the variant, the start and the time, agreed on before the first move.

Also how long an unstarted game may wait, which follows from them. Knows no seats and no moves.
"""

from dataclasses import dataclass

from server.games.clock import DAY_MS, ClockKind, TimeControl
from server.games.errors import BadTerms
from server.rules.notation.fen import format_fen, start_position
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant

CHESS_SIZE = 8
"""Squares along a side of the board of chess."""
FIRST_MOVE_MS = ((30_000, 15_000), (180_000, 20_000), (480_000, 25_000), (1_500_000, 30_000))
"""A side expected to need less than the first number in the whole game makes its first move within the second."""
SLOW_FIRST_MOVE_MS = 35_000
UNHURRIED_MS = 60_000
"""At least so long where there is more to look at before the first move than in chess: a larger board, pieces that
enter from beside it, or a variant that one of the two plays for the first time."""
SETUP_MS = 45_000
"""More for the first move where an army has to be set up first: one has to think before it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`start_fen` is the full FEN of the position before the first move, also when it is the variant's usual one."""

    variant: Variant
    chess960: bool
    start_fen: str
    control: TimeControl
    rated: bool

    def check_rated(self) -> None:
        """Raises BadTerms for a game that cannot be rated: it would not be an equal one."""
        if self.control.kind is ClockKind.UNLIMITED:
            raise BadTerms("rated_clock")
        if self.control.has_odds:
            raise BadTerms("rated_odds")
        if not self.chess960 and self.start_fen != format_fen(start_position(self.variant)):
            raise BadTerms("rated_start")

    def first_move_ms(self, color: Color, *, unhurried: bool = False) -> int:
        """How long `color` may take for the first move once both players have been at the board.

        `unhurried`: one of them has not played this variant before.
        """
        variant = self.variant
        setup = variant.pocket is not None and variant.pocket.setup
        large = max(variant.files, variant.ranks) > CHESS_SIZE
        estimate = self.control.estimate_ms(color)
        usual = next((ms for below, ms in FIRST_MOVE_MS if estimate < below), SLOW_FIRST_MOVE_MS)
        least = UNHURRIED_MS if unhurried or setup or large or variant.gates else 0
        return max(usual, least) + (SETUP_MS if setup else 0)

    def first_move_due(self, color: Color, now: int, *, both_met: bool, unhurried: bool = False) -> int | None:
        """Until when (ms) `color`, whose turn began at `now`, may leave a game unstarted; None: for ever.

        Without `both_met` one of them may not know yet that the other has come, so it takes a day. `unhurried` as in
        `first_move_ms`.
        """
        match self.control.kind:
            case ClockKind.REALTIME:
                return now + (self.first_move_ms(color, unhurried=unhurried) if both_met else DAY_MS)
            case ClockKind.CORRESPONDENCE:
                return now + (self.control.turn_ms(color) or 0)
            case ClockKind.UNLIMITED:
                return None
