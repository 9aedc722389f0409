"""The terms of a game, agreed on before it: variant, start position, time control, rated or casual.

They also say how long an unstarted game may wait.
"""

from dataclasses import dataclass

from server.games.clocks.time_control import DAY_MS, ClockKind, TimeControl
from server.games.errors import BadTerms
from server.rules.notation.fen import format_fen, start_position
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant

CHESS_SIZE = 8
"""Squares along a side of an orthodox board."""
FIRST_MOVE_MS = ((30_000, 15_000), (180_000, 20_000), (480_000, 25_000), (1_500_000, 30_000))
"""(estimate, limit): below that estimated time for the whole game, the first move is due within the limit (ms)."""
SLOW_FIRST_MOVE_MS = 35_000
UNHURRIED_MS = 60_000
"""The least where there is more to look at before the first move than in chess: a larger board, pieces that enter
later, or a variant that is new to one of the players."""
LONGEST_FIRST_MOVE_MS = 14 * DAY_MS
"""Nobody waits longer to see whether a game begins, though a time bank may hold more."""
SETUP_MS = 45_000
"""Extra time for the first move if the players set up their armies first: that takes thought."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`start_fen`: the full FEN before the first move, even if it is the variant's usual one."""

    variant: Variant
    chess960: bool
    start_fen: str
    control: TimeControl
    rated: bool

    def check_rated(self) -> None:
        """Raises BadTerms for a game that would be unequal, or has no limit, and so cannot be rated."""
        if self.control.kind is ClockKind.UNLIMITED:
            raise BadTerms("rated_clock")
        if self.control.has_odds:
            raise BadTerms("rated_odds")
        if not self.chess960 and self.start_fen != format_fen(start_position(self.variant)):
            raise BadTerms("rated_start")

    def first_move_ms(self, color: Color, *, unhurried: bool = False) -> int:
        """How long (ms) `color` may take for its first move once both players have been at the board.

        `unhurried`: the variant is new to one of them.
        """
        variant = self.variant
        setup = variant.pocket is not None and variant.pocket.setup
        large = max(variant.files, variant.ranks) > CHESS_SIZE
        estimate = self.control.estimate_ms(color)
        usual = next((ms for below, ms in FIRST_MOVE_MS if estimate < below), SLOW_FIRST_MOVE_MS)
        least = UNHURRIED_MS if unhurried or setup or large or variant.gates else 0
        return max(usual, least) + (SETUP_MS if setup else 0)

    def first_move_due(self, color: Color, now: int, *, both_met: bool, unhurried: bool = False) -> int | None:
        """When (ms) the first move of `color`, whose turn began at `now`, is due; None: never.

        Until `both_met` it is due within a day: one player may not know yet that the other has come. `unhurried` as
        in `first_move_ms`.
        """
        match self.control.kind:
            case ClockKind.REALTIME:
                return now + (self.first_move_ms(color, unhurried=unhurried) if both_met else DAY_MS)
            case ClockKind.CORRESPONDENCE:
                return now + min(self.control.turn_ms(color) or 0, LONGEST_FIRST_MOVE_MS)
            case ClockKind.UNLIMITED:
                return None
