"""Who attacks a square, who gives check, who is pinned. Knows boards and tables, no turn order and no endings.

All of it is looked up from the attacker's side, because a bent rider's attack is not symmetric: what must be
empty for it to come is not what must be empty for it to go back.
"""

from collections.abc import Iterable
from itertools import compress

from server.rules.movegen.tables import Tables
from server.rules.variant.piece_codes import OWN


def squares_of(tables: Tables, board: bytes, side: int) -> list[int]:
    """The squares where pieces of that side stand."""
    return list(compress(tables.squares, board.translate(OWN[side])))


def is_attacked(
    tables: Tables, board: bytes | bytearray, target: int, attackers: Iterable[int], ignored: int = -1
) -> bool:
    """Whether a piece on one of the squares `attackers` could capture on `target`.

    `ignored` is a square taken as empty: the king's own, so that it cannot hide behind itself.
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
    tables: Tables, board: bytes, king: int, attackers: Iterable[int]
) -> tuple[list[frozenset[int]], dict[int, frozenset[int]]]:
    """The attacks on a king, and the pieces that stand in the way of one.

    For each check the squares that end it: the checker's own and those it must pass. For each square whose piece
    is the only one in the way of an attacker, the squares to which it may still go.
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
