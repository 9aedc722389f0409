"""Attacks: which squares the pieces of a side could capture on, checks and pins.

Attacks are looked up from the attacker's side, because a bent rider's attack is not symmetric: the squares that must be
empty on its way there are not those on its way back.
"""

from itertools import compress

from server.rules.movegen.tables import Path, Tables
from server.rules.variant.piece_codes import OWN


def squares_of(tables: Tables, board: bytes, side: int) -> list[int]:
    """The squares of that side's pieces."""
    return list(compress(tables.squares, board.translate(OWN[side])))


def is_attacked(tables: Tables, board: bytes, target: int, attackers: list[int], ignored: int = -1) -> bool:
    """Could a piece on one of the squares `attackers` capture on `target`?

    `ignored`: a square to treat as empty, the king's own, so that it cannot hide behind itself.
    """
    return is_reached(board, target, reaches_of(tables, board, attackers), ignored)


def is_in_check(tables: Tables, board: bytes, kings: tuple[int, int], side: int) -> bool:
    """Is that side's king attacked? Where captures explode, not beside the other king, which would go with it."""
    king = kings[side]
    if tables.around and (king < 0 or kings[1 - side] in tables.around[king]):
        return False
    return is_attacked(tables, board, king, squares_of(tables, board, 1 - side))


def reaches_of(tables: Tables, board: bytes, squares: list[int]) -> list[dict[int, Path]]:
    """Where each of the pieces on `squares` could capture, with the squares that must be empty on its way."""
    captures = tables.captures
    return [captures[board[square]][square] for square in squares]


def is_reached(board: bytes, target: int, reaches: list[dict[int, Path]], ignored: int = -1) -> bool:
    """`is_attacked` by pieces whose `reaches` are known, for many targets."""
    for reach in reaches:
        if target in reach:
            for between in reach[target]:
                if board[between] and between != ignored:
                    break
            else:
                return True
    return False


def checks_and_pins(
    tables: Tables, board: bytes, king: int, attackers: list[int]
) -> tuple[list[frozenset[int]], dict[int, frozenset[int]]]:
    """The checks on a king, and the pinned pieces.

    For each check, the squares on which it can be met: the checker's and those it passes. For each square of a pinned
    piece, the squares it may still move to.
    """
    captures = tables.captures
    checks: list[frozenset[int]] = []
    pins: dict[int, frozenset[int]] = {}
    for square in attackers:
        path = captures[board[square]][square].get(king)
        if path is None:
            continue
        blockers = [between for between in path if board[between]]
        if not blockers:
            checks.append(frozenset((square, *path)))
        elif len(blockers) == 1:
            still = frozenset((square, *path))
            pins[blockers[0]] = pins[blockers[0]] & still if blockers[0] in pins else still
    return checks, pins
