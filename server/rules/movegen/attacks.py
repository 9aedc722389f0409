"""Attacks on a square, checks and pins.

They are looked up from the attacker's side, because a bent rider's attack is not symmetric: the squares that must be
empty on its way there are not those on its way back.
"""

from itertools import compress

from server.rules.movegen.tables import Tables
from server.rules.variant.piece_codes import OWN


def squares_of(tables: Tables, board: bytes, side: int) -> list[int]:
    """The squares of that side's pieces."""
    return list(compress(tables.squares, board.translate(OWN[side])))


def is_attacked(tables: Tables, board: bytes, target: int, attackers: list[int], ignored: int = -1) -> bool:
    """Could a piece on one of the squares `attackers` capture on `target`?

    `ignored`: a square to treat as empty, the king's own, so that it cannot hide behind itself.
    """
    captures = tables.captures
    for square in attackers:
        path = captures[board[square]][square].get(target)
        if path is not None:
            for between in path:
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
