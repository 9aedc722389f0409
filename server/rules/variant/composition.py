"""Which pieces of chess a piece is made of, and which pieces chess does not have: from their movements.

Knows no variant and no board.
"""

from itertools import combinations
from typing import Final

from server.rules.variant.movement import Atom, parse_betza
from server.rules.variant.pieces import Role

MOVES: Final = {"knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K"}
"""How the pieces of chess move, by name, as the variant files write it."""
PAWN: Final = "fmWfceFifmW2"
_ATOMS: Final = {name: frozenset(parse_betza(moves)) for name, moves in MOVES.items()}
_PAWN: Final = frozenset(parse_betza(PAWN))
MOST: Final = 3


def is_ordinary(role: Role) -> bool:
    """Is it a piece of chess, by its name and by the way it moves?"""
    atoms = frozenset(role.atoms)
    return atoms == (_PAWN if role.name == "pawn" else _ATOMS.get(role.name))


def made_of(atoms: tuple[Atom, ...]) -> tuple[str, ...]:
    """The fewest pieces of chess that together move exactly like this: ("bishop", "knight"); () if none do."""
    wanted = frozenset(atoms)
    for number in range(1, MOST + 1):
        for names in combinations(("bishop", "rook", "queen", "king", "knight"), number):
            if frozenset().union(*(_ATOMS[name] for name in names)) == wanted:
                return names
    return ()
