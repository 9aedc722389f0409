"""Castling: the squares it needs, and the moves.

UCI names the king's target in the standard game and the rook's square in the chess960 form.
"""

from dataclasses import dataclass
from functools import lru_cache

from server.rules.movegen.moves import Castle
from server.rules.variant.variant import Variant


@dataclass(frozen=True, slots=True)
class CastlingPlan:
    """Castling of a king with one rook."""

    move: Castle
    gated: tuple[Castle, ...]
    """The move with each gated role: on the king's square, then on the rook's."""
    empty: tuple[int, ...]
    """Squares that must be empty but for this king and rook."""
    safe: tuple[int, ...]
    """Squares that the king crosses, without the last."""


@lru_cache(maxsize=1024)
def castling_plan(variant: Variant, chess960: bool, king: int, rook: int) -> CastlingPlan:
    """The plan for a king and a rook on the same first rank; the variant must have castling."""
    castling = variant.castling
    if castling is None:
        raise ValueError("this variant has no castling")
    wing = 0 if rook > king else 1
    rank = king - king % variant.files
    king_to, rook_to = rank + castling.king_to[wing], rank + castling.rook_to[wing]
    crossed = _between(king, king_to)
    needed = {*crossed, *_between(rook, rook_to)} - {king, rook}
    names = variant.geometry.names
    forth, back = (names[king], names[rook]) if chess960 else (names[king], names[king_to])
    gated = []
    for square, text in ((king, forth + back), (rook, names[rook] + names[king])):
        if square not in (king_to, rook_to):
            for gate in variant.gates:
                gated.append(Castle(king, king_to, rook, rook_to, gate, square, text + gate))
    plain = Castle(king, king_to, rook, rook_to, None, -1, forth + back)
    return CastlingPlan(plain, tuple(gated), tuple(sorted(needed)), tuple(set(crossed) - {king_to}))


def _between(origin: int, target: int) -> range:
    """The squares from `origin` to `target`, both included."""
    return range(min(origin, target), max(origin, target) + 1)


def castled(board: bytes, move: Castle) -> bytearray:
    """The board after castling, without a gated piece."""
    after = bytearray(board)
    king, rook = board[move.origin], board[move.rook_origin]
    after[move.origin] = after[move.rook_origin] = 0
    after[move.target] = king
    after[move.rook_target] = rook
    return after
