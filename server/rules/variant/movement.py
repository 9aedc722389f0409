"""How pieces move, as data: Betza notation parsed into atoms.

The supported part of Betza notation:

* atoms W (0,1) F (1,1) D (0,2) N (1,2) A (2,2) H (0,3) C or L (1,3) Z (2,3) G (3,3); R = W0, B = F0, Q = RB, K = WF;
* a number after an atom says how often the step may repeat, 0 or a doubled letter without limit (W3, NN = N0);
* before an atom: f b s v directions (forward, backward, sideways, vertical), m only without capturing,
  c only capturing, e may also take en passant, i only as a first move;
* t[FR], t[NB]: a bent rider. It makes the first step, may stop or take there, and if that square was empty
  it may run on as the second atom, outward only.

Where a first move (i) is allowed it replaces a shorter move along the same line: fmWfmiW2 is a pawn's push.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

Vector = tuple[int, int]

_LEAPS: dict[str, Vector] = {
    "W": (0, 1), "F": (1, 1), "D": (0, 2), "N": (1, 2), "A": (2, 2),
    "H": (0, 3), "C": (1, 3), "L": (1, 3), "Z": (2, 3), "G": (3, 3),
}  # fmt: skip
_COMPOUNDS = {"R": (("W", 0),), "B": (("F", 0),), "Q": (("W", 0), ("F", 0)), "K": (("W", 1), ("F", 1))}
_TOKEN = re.compile(r"([fbsvmcei]*)(?:t\[([A-Z])([RB])\]|([A-Z])(\4|\d{1,2})?)")
_MODIFIERS_OF_BENT = "i"


class Mode(Enum):
    """What a move may do on its target square."""

    BOTH = "both"
    MOVE = "move"
    CAPTURE = "capture"


@dataclass(frozen=True, slots=True)
class Atom:
    """One kind of step as White sees it; for Black dy is negated."""

    steps: tuple[Vector, ...]
    limit: int
    """How often the step may repeat; 0 = to the edge of the board."""
    mode: Mode
    initial: bool = False
    en_passant: bool = False
    onward: tuple[tuple[Vector, ...], ...] = ()
    """Bent riders only: for each step, the directions in which it continues."""

    def mirrored(self) -> "Atom":
        """The same atom for Black."""
        onward = self.onward or ((),) * len(self.steps)
        turned = sorted(
            ((dx, -dy), tuple(sorted((x, -y) for x, y in runs)))
            for (dx, dy), runs in zip(self.steps, onward, strict=True)
        )
        return replace(
            self,
            steps=tuple(step for step, _ in turned),
            onward=tuple(runs for _, runs in turned) if self.onward else (),
        )


def parse_betza(text: str) -> tuple[Atom, ...]:
    """The atoms of a Betza text. Raises ValueError with the reason if it cannot be parsed."""
    atoms: list[Atom] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"cannot read the movement {text!r} from {text[at:]!r} on")
        modifiers, first, second, letter, repeat = token.groups()
        if first is not None:
            atoms.append(_bent(modifiers, first, second))
        else:
            atoms.extend(_plain(modifiers, letter, repeat))
        at = token.end()
    if not atoms:
        raise ValueError("the movement is empty")
    return tuple(atoms)


def _plain(modifiers: str, letter: str, repeat: str | None) -> list[Atom]:
    if letter not in _LEAPS and letter not in _COMPOUNDS:
        raise ValueError(f"unknown atom {letter!r}")
    if "m" in modifiers and "c" in modifiers:
        raise ValueError("m and c exclude each other")
    mode = Mode.MOVE if "m" in modifiers else Mode.CAPTURE if "c" in modifiers else Mode.BOTH
    if "e" in modifiers and mode is Mode.MOVE:
        raise ValueError("a move that never captures cannot take en passant")
    limit = None if repeat is None else 0 if repeat == letter else int(repeat)
    found = []
    for leap, own_limit in _COMPOUNDS.get(letter, ((letter, 1),)):
        steps = _directed(_all_signs(_LEAPS[leap]), modifiers)
        reach = own_limit if limit is None else limit
        found.append(Atom(steps, reach, mode, "i" in modifiers, "e" in modifiers))
    return found


def _bent(modifiers: str, first: str, second: str) -> Atom:
    if first not in _LEAPS:
        raise ValueError(f"a bent rider must begin with a single leap, not {first!r}")
    if set(modifiers) - set(_MODIFIERS_OF_BENT):
        raise ValueError(f"a bent rider takes no modifiers but i, found {modifiers!r}")
    steps = _all_signs(_LEAPS[first])
    runs = _all_signs(_LEAPS[_COMPOUNDS[second][0][0]])
    onward = tuple(tuple(run for run in runs if _outward(step, run)) for step in steps)
    return Atom(steps, 1, Mode.BOTH, "i" in modifiers, False, onward)


def _all_signs(vector: Vector) -> tuple[Vector, ...]:
    a, b = vector
    signs = (1, -1)
    return tuple(sorted({v for x, y in ((a, b), (b, a)) for v in ((x * s, y * t) for s in signs for t in signs)}))


def _directed(steps: tuple[Vector, ...], modifiers: str) -> tuple[Vector, ...]:
    wanted = set(modifiers) & set("fbsv")
    if not wanted:
        return steps
    tests = {
        "f": lambda dx, dy: dy > 0 and dy >= abs(dx),
        "b": lambda dx, dy: dy < 0 and -dy >= abs(dx),
        "s": lambda dx, dy: abs(dx) > abs(dy),
        "v": lambda dx, dy: abs(dy) > abs(dx),
    }
    return tuple(step for step in steps if any(tests[letter](*step) for letter in wanted))


def _outward(step: Vector, run: Vector) -> bool:
    """Does the run lead away from the start: not against the step, nor sideways to it?"""
    along = (step[0] * run[0], step[1] * run[1])
    return min(along) >= 0 and sum(along) > 0
