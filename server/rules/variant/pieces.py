"""Colours, and roles: the kinds of piece of a variant, and which pieces of chess they are made of."""

from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Final

from server.rules.variant.movement import Atom, parse_betza


class Color(Enum):
    """A side. Its value is the side's number in the rules: 0 moves first."""

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
    """Can such a piece and the king force mate? For the insufficient-material rule."""
    initial_ranks: frozenset[int] = frozenset()
    """Ranks (from 1, as that side sees them) from which first moves are allowed."""
    passing_ranks: frozenset[int] = frozenset()
    """Those of them from which a double step may be answered en passant."""
    first_move: str = ""
    """Lower-case letter of the first-move right in the FEN; "" if there is no such right."""
    value: float = 0
    """Its approximate value in pawns, for readers; 0 = unknown. No rule uses it."""
    captured_as: str = ""
    """The role that goes to the captor's pocket: its own, unless the piece is demoted."""


MOVES: Final = {"knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K"}
"""How the pieces of chess move, by name, as the variant files write it."""
PAWN: Final = "fmWfceFifmW2"
_ATOMS: Final = {name: frozenset(parse_betza(moves)) for name, moves in MOVES.items()}
_PAWN: Final = frozenset(parse_betza(PAWN))
MOST: Final = 3


def is_chess_piece(role: Role) -> bool:
    """Is it a piece of chess, by its name and by the way it moves?"""
    atoms = frozenset(role.atoms)
    return atoms == (_PAWN if role.name == "pawn" else _ATOMS.get(role.name))


def chess_pieces_in(atoms: tuple[Atom, ...]) -> tuple[str, ...]:
    """The fewest pieces of chess that together move exactly like this: ("bishop", "knight"); () if none do."""
    wanted = frozenset(atoms)
    for number in range(1, MOST + 1):
        for names in combinations(("bishop", "rook", "queen", "king", "knight"), number):
            if frozenset().union(*(_ATOMS[name] for name in names)) == wanted:
                return names
    return ()
