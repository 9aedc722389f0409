"""A position: everything the rules depend on at one moment, frozen.

The slots whose names begin with an underscore are caches that `legal` fills at most once.
"""

from dataclasses import dataclass, field

from server.rules.movegen.moves import Move
from server.rules.movegen.tables import Tables
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant


@dataclass(frozen=True, slots=True)
class Position:
    """Created by `notation.fen` and `movegen.legal` only."""

    tables: Tables = field(repr=False)
    chess960: bool
    board: bytes
    """One piece code for each square."""
    side: int
    """0 when White is to move, 1 when Black is."""
    pockets: tuple[bytes, bytes]
    """By side: the count of each role, in the order of the variant's pocket."""
    castling: int
    """A bit for each square with a rook that may still castle."""
    gates: int
    """A bit for each square with an unmoved piece behind which one may be gated."""
    en_passant: int
    """The square that a pawn jumped over, if an enemy pawn attacks it, be it pinned or not; otherwise -1."""
    halfmoves: int
    """Plies since the last progress, for the variant's move rule."""
    fullmove: int
    kings: tuple[int, int]
    """Squares of the kings; -1 while one is in the pocket, if there is none, or once it has exploded."""
    to_check: tuple[int, int] = (0, 0)
    """How many checks each side still has to give, where a number of them wins."""
    _legal: "tuple[Move, ...] | None" = field(default=None, init=False, repr=False, compare=False)
    _check: "bool | None" = field(default=None, init=False, repr=False, compare=False)

    @property
    def variant(self) -> Variant:
        return self.tables.variant

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color.BLACK if self.side else Color.WHITE

    def castling_king(self, side: int) -> int:
        """Where the piece is, or would be, that castles."""
        homes = self.tables.castling_homes
        return homes[side] if homes else self.kings[side]

    def letter_at(self, square: int) -> str:
        """The FEN letter of the piece there, with its mark; a space for an empty square."""
        return self.tables.codes.symbols[self.board[square]]
