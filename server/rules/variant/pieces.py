"""Colours, and roles: the kinds of piece a variant has. Knows no board and no position."""

from dataclasses import dataclass
from enum import Enum

from server.rules.variant.movement import Atom


class Color(Enum):
    """A side. The value is its number inside the rules core: 0 moves first."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Color":
        return Color.BLACK if self is Color.WHITE else Color.WHITE

    @property
    def letter(self) -> str:
        """ "w" or "b", as in a FEN."""
        return "b" if self is Color.BLACK else "w"


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of piece."""

    id: str
    """Its FEN letter in lower case, with "+" before it for a promoted piece: "n", "+n"."""
    name: str
    san: str
    """Its upper-case letter in SAN."""
    atoms: tuple[Atom, ...]
    royal: bool = False
    pawn: bool = False
    """Written without a letter in SAN, resets the move-rule clock, cannot be gated."""
    mates: bool = True
    """Whether one such piece and the king can force mate, for the insufficient-material rule."""
    initial_ranks: frozenset[int] = frozenset()
    """Own ranks (from 1) from which first moves are allowed."""
    first_move: str = ""
    """Letter (lower case) in the FEN's rights field of the right to first moves; "" = no such right."""
    value: float = 0
    """Its rough worth in pawns, for readers; no rule uses it. 0 = nobody says."""
    captured_as: str = ""
    """The role that goes to the captor's pocket; its own id unless the piece is demoted."""
