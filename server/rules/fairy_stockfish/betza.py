"""How a piece moves, in the Betza notation that Fairy-Stockfish reads, which differs from the one of variant files.

There a direction is two letters, no bent riders are known, and only steps to a neighbour and knight's leaps can be
repeated. Knows no variant.
"""

from collections import defaultdict
from collections.abc import Iterable

from server.rules.fairy_stockfish.inexpressible import Inexpressible, Part
from server.rules.variant.movement import Atom, Mode, Vector

Movement = frozenset[tuple[Vector, int, Mode]]
"""What each step is, how often it may be repeated (0: to the edge), and what it may do where it arrives."""

LETTERS = {
    (0, 1): "W", (1, 1): "F", (0, 2): "D", (1, 2): "N", (2, 2): "A",
    (0, 3): "H", (1, 3): "L", (2, 3): "Z", (3, 3): "G",
}  # fmt: skip
REPEATED = frozenset("WFN")
_MODES = {Mode.BOTH: "", Mode.MOVE: "m", Mode.CAPTURE: "c"}
_LONGEST = 9
"""A number of repeats is one digit."""


def movement(atoms: Iterable[Atom], edge: int) -> Movement:
    """The movement of plain atoms, each step named once for moving and once for capturing.

    `edge`: so many repeats reach the edge of the board from anywhere. Raises Inexpressible for bent riders, first
    moves and captures in passing.
    """
    reach: dict[Vector, dict[Mode, int]] = defaultdict(dict)
    for atom in atoms:
        if atom.onward or atom.initial or atom.en_passant:
            raise Inexpressible(Part.PIECES, "bent riders, first moves and captures in passing belong to pawns alone")
        limit = atom.limit or edge
        for step in atom.steps:
            for mode in (Mode.MOVE, Mode.CAPTURE) if atom.mode is Mode.BOTH else (atom.mode,):
                reach[step][mode] = max(min(limit, edge), reach[step].get(mode, 0))
    found = set()
    for step, limits in reach.items():
        alike = len(limits) == 2 and len(set(limits.values())) == 1
        for mode, limit in limits.items():
            found.add((step, 0 if limit == edge else limit, Mode.BOTH if alike else mode))
    return frozenset(found)


def betza(moves: Movement) -> str:
    """The movement as text. Raises Inexpressible."""
    groups: dict[tuple[str, int, str], set[Vector]] = defaultdict(set)
    for (dx, dy), limit, mode in moves:
        short, long = sorted((abs(dx), abs(dy)))
        groups[LETTERS[short, long], limit, _MODES[mode]].add((dx, dy))
    return "".join(_token(*key, steps) for key, steps in sorted(groups.items()))


def _token(letter: str, limit: int, mode: str, steps: set[Vector]) -> str:
    if limit != 1 and letter not in REPEATED:
        raise Inexpressible(Part.PIECES, f"{letter} cannot be repeated")
    if limit > _LONGEST:
        raise Inexpressible(Part.PIECES, f"a step cannot be repeated {limit} times")
    every = 8 if letter in "NLZ" else 4
    directions = "" if len(steps) == every else "".join(_direction(*step) for step in sorted(steps))
    return mode + directions + letter + {0: letter, 1: ""}.get(limit, str(limit))


def _direction(dx: int, dy: int) -> str:
    """Two letters; of an oblique leap the first says to which side it goes less far."""
    across, along = ("r" if dx > 0 else "l"), ("f" if dy > 0 else "b")
    if dx == 0 or dy == 0:
        return 2 * (along if dx == 0 else across)
    return across + along if abs(dx) <= abs(dy) else along + across
