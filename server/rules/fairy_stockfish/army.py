"""The pieces of a variant for Fairy-Stockfish: a letter and a movement for each.

Those that it knows get its own names, so that it judges them by its own values; all others are custom pieces. Where a
variant writes "+n", it has one letter more for the promoted piece, which its FEN and moves write as "+n", too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase

from server.rules.fairy_stockfish.betza import Movement, betza, movement
from server.rules.fairy_stockfish.inexpressible import Inexpressible, Part
from server.rules.variant.movement import Atom, parse_betza
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant

NAMED = {
    "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "fers": "F", "alfil": "A", "fersAlfil": "FA",
    "silver": "FfW", "bers": "RF", "archbishop": "BN", "chancellor": "RN", "amazon": "QN", "knibis": "mNcB",
    "biskni": "mBcN", "kniroo": "mNcR", "rookni": "mRcN", "gold": "WfF", "dragonHorse": "BW", "wazir": "W",
    "commoner": "K", "centaur": "KN",
}  # fmt: skip
"""Pieces that have no rules of their own there."""
_PAWN = frozenset(parse_betza("fmWfcF"))
_DOUBLE_STEP = frozenset(parse_betza("ifmW2"))


@dataclass(frozen=True, slots=True)
class Army:
    """`letters`: by role, one each. `names`: how Fairy-Stockfish calls each role. `lines`: of variants.ini."""

    letters: Mapping[str, str]
    names: Mapping[str, str]
    lines: tuple[str, ...]

    def written(self, roles: Iterator[str] | tuple[str, ...]) -> str:
        """The letters of these roles, as a set; "-" for none."""
        return "".join(self.letters[role] for role in roles) or "-"


def army(variant: Variant) -> Army:
    """The pieces. Raises Inexpressible."""
    edge = max(variant.files, variant.ranks) - 1
    letters = _letters(variant)
    known = {movement(parse_betza(text), edge): name for name, text in NAMED.items()}
    custom = count(1)
    names: dict[str, str] = {}
    lines: list[str] = []
    for role in variant.roles:
        names[role.id], line = _named(role, letters[role.id], edge, known, custom, set(names.values()))
        lines.append(line)
    return Army(letters, names, (*lines, *_double_steps(variant)))


def _letters(variant: Variant) -> dict[str, str]:
    """A letter for each role: its own, or for a promoted one any that is left."""
    taken = {role.id[-1] for role in variant.roles}
    free = iter(letter for letter in ascii_lowercase if letter not in taken)
    try:
        return {role.id: next(free) if role.id[0] == "+" else role.id for role in variant.roles}
    except StopIteration:
        raise Inexpressible(Part.PIECES, "there are more kinds of piece than letters") from None


def _named(
    role: Role, letter: str, edge: int, known: Mapping[Movement, str], custom: Iterator[int], taken: set[str]
) -> tuple[str, str]:
    """The name of a role there, and the line that defines it."""
    if role.pawn:
        if "pawn" in taken or not _is_usual_pawn(role):
            raise Inexpressible(Part.PIECES, f"{role.id} is another pawn")
        return "pawn", f"pawn = {letter}"
    moves = movement(role.atoms, edge)
    if role.royal:
        usual = moves == movement(parse_betza("K"), edge)
        return "king", f"king = {letter}" if usual else f"king = {letter}:{betza(moves)}"
    name = known.get(moves)
    if name is not None and name not in taken:
        return name, f"{name} = {letter}"
    name = f"customPiece{next(custom)}"
    return name, f"{name} = {letter}:{betza(moves)}"


def _is_usual_pawn(role: Role) -> bool:
    """Whether it moves as in chess, with or without a double step and captures in passing."""
    plain = frozenset(_without_en_passant(atom) for atom in role.atoms if not atom.initial)
    return plain == _PAWN and frozenset(atom for atom in role.atoms if atom.initial) in (frozenset(), _DOUBLE_STEP)


def _without_en_passant(atom: Atom) -> Atom:
    return Atom(atom.steps, atom.limit, atom.mode, atom.initial, False, atom.onward)


def _double_steps(variant: Variant) -> Iterator[str]:
    """Where pawns may go two squares, and whether they are captured in passing."""
    pawn = next((role for role in variant.roles if role.pawn), None)
    if pawn is None or not pawn.initial_ranks:
        yield "doubleStep = false"
        return
    yield f"doubleStepRegionWhite = {region(pawn.initial_ranks)}"
    yield f"doubleStepRegionBlack = {region(pawn.initial_ranks, variant.ranks)}"
    if not any(atom.en_passant for atom in pawn.atoms):
        yield "enPassantRegion = -"


def region(ranks: frozenset[int], last: int = 0) -> str:
    """Whole ranks, counted from the own side; for Black if the board's `last` one is given. "-" for none."""
    return " ".join(f"*{last + 1 - rank if last else rank}" for rank in sorted(ranks)) or "-"
