"""Builds positions that show a few pieces, with the kings that a legal position needs placed out of the way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from server.rules.errors import InvalidFen
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.movegen.tables import tables_of
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Extinction, Variant

TRIES = 4000
"""Placements of the missing pieces to try before giving up."""


@dataclass(frozen=True, slots=True)
class StagedPosition:
    """A position, and the squares of the pieces that are there only to make it legal."""

    fen: str
    position: Position
    hidden: frozenset[int]


@dataclass(frozen=True, slots=True)
class PieceSetup:
    """Some pieces of a position, which may lack others that make it legal. `pieces`: FEN letters by square."""

    variant: Variant
    pieces: Mapping[int, str]
    side: str = "w"
    rights: str = "-"
    pocket: str = ""
    chess960: bool = False


def stage(
    setup: PieceSetup, shows: Callable[[Position], bool], keep_free: frozenset[int] = frozenset()
) -> StagedPosition | None:
    """The setup with missing pieces added outside `keep_free` such that `shows` holds; None if there is no way."""
    for extra in islice(_extras(setup, keep_free), TRIES):
        fen = write_fen(setup, extra)
        try:
            position = parse_fen(setup.variant, fen, setup.chess960)
        except InvalidFen:
            continue
        if not king_can_be_taken(position) and shows(position):
            return StagedPosition(fen, position, frozenset(extra))
    return None


def _extras(setup: PieceSetup, keep_free: frozenset[int]) -> Iterator[dict[int, str]]:
    """Placements of the missing pieces, those far from the setup first."""
    variant = setup.variant
    king = variant.king
    present = set(setup.pieces.values())
    missing = [
        letter
        for letter, absent in zip((king.upper(), king), variant.kingless, strict=True)
        if not absent and letter not in present
    ]
    if variant.endings.extinction is not None:
        missing += [letter for letter in _to_keep(variant, variant.endings.extinction) if letter not in present]
    if variant.endings.bare_king_loses:
        missing += [pawn for pawn in (variant.pawn.upper(), variant.pawn) if not _has_company(setup, pawn)]
    free = [s for s in range(variant.geometry.size) if s not in setup.pieces and s not in keep_free]
    free.sort(key=lambda square: (-_distance(variant, square, setup.pieces), square))
    yield from _placements(variant, missing, free, {})


def _to_keep(variant: Variant, rule: Extinction) -> Iterator[str]:
    """Pieces without which the game would be over: one of each kind, or enough of any, beside a king."""
    for kind in rule.kinds:
        yield from (kind.upper(), kind)
    for letter, kingless in zip((variant.pawn.upper(), variant.pawn), variant.kingless, strict=True):
        if not rule.kinds:
            yield from letter * (rule.left + kingless)


def _has_company(setup: PieceSetup, pawn: str) -> bool:
    """Has the king of that pawn's side another piece beside it? A bare king may have lost."""
    letters = (letter for letter in setup.pieces.values() if letter.isupper() == pawn.isupper())
    return any(letter.lower() != setup.variant.king for letter in letters)


def _distance(variant: Variant, square: int, pieces: Mapping[int, str]) -> int:
    geometry = variant.geometry
    return min(
        (
            max(abs(geometry.file(square) - geometry.file(piece)), abs(geometry.rank(square) - geometry.rank(piece)))
            for piece in pieces
        ),
        default=0,
    )


def _placements(
    variant: Variant, missing: list[str], free: list[int], placed: dict[int, str]
) -> Iterator[dict[int, str]]:
    if not missing:
        yield dict(placed)
        return
    letter, *others = missing
    royal, pawnless = variant.king, tables_of(variant).pawnless
    for square in free:
        rank = variant.geometry.rank_for(square, 0 if letter.isupper() else 1)
        if square in placed or (letter.lower() != royal and rank in pawnless):
            continue
        placed[square] = letter
        yield from _placements(variant, others, free, placed)
        del placed[square]


def write_fen(setup: PieceSetup, extra: Mapping[int, str]) -> str:
    """The FEN of the setup with more pieces, without en passant."""
    geometry = setup.variant.geometry
    pieces = {**setup.pieces, **extra}
    rows = []
    for rank in range(geometry.ranks - 1, -1, -1):
        row, run = "", 0
        for file in range(geometry.files):
            letter = pieces.get(geometry.square(file, rank))
            if letter is None:
                run += 1
                continue
            row += (str(run) if run else "") + letter
            run = 0
        rows.append(row + (str(run) if run else ""))
    pocket = f"[{setup.pocket}]" if setup.variant.pocket else ""
    return f"{'/'.join(rows)}{pocket} {setup.side} {setup.rights} - 0 1"


def letter_of(role_id: str, white: bool = True) -> str:
    """The FEN letter of the role."""
    return role_id.upper() if white else role_id
