"""Why a game is not over yet, and the reply that shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.rules.endings import Outcome, Reason
from server.rules.movegen.attacks import checks_and_pins, squares_of
from server.rules.movegen.legal import in_check, legal_moves
from server.rules.movegen.moves import Castle, Drop, Move
from server.rules.movegen.position import Position
from server.rules.notation.san import format_san


@dataclass(frozen=True, slots=True)
class Why:
    """Why a move does not solve a task. `id` names the sentence; each language has its own."""

    id: str
    texts: Mapping[str, str] = field(default_factory=dict)
    """Squares and moves, as they are written."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """Role ids, to be named in the reader's language."""
    reply: str = ""
    """UCI of the reply that refutes the move; "" if there is none to show."""


def why_not_over(wanted: str, after: Position, end: Outcome | None) -> Why:
    """Why the game has not ended as `wanted`. `end`: how it has ended instead."""
    if end is not None:
        return Why("ends_by_stalemate" if end.reason == Reason.STALEMATE else "ends_otherwise")
    if wanted == Reason.BARE_KING:
        return _not_bare(after)
    if wanted == Reason.CHECKMATE:
        return _escape(after) if in_check(after) else Why("not_check")
    if in_check(after):
        return Why("check_is_no_stalemate")
    reply = min(legal_moves(after), key=lambda move: move.uci)
    return Why("can_move", {"move": format_san(after, reply)}, reply=reply.uci)


def _not_bare(after: Position) -> Why:
    """A piece that the side to move has beside its king."""
    tables, king = after.tables, after.kings[after.side]
    square = next(one for one in squares_of(tables, after.board, after.side) if one != king)
    kind = tables.codes.kinds[after.board[square]]
    assert kind is not None
    return Why("not_bare", {"square": tables.variant.geometry.names[square]}, {"piece": kind.role.id})


def _escape(after: Position) -> Why:
    """The way out of check that is easiest to see."""
    reply = min(legal_moves(after), key=lambda move: (_order(after, move), move.uci))
    said = {"move": format_san(after, reply), "square": after.variant.geometry.names[reply.target]}
    return Why(_WAYS[_order(after, reply)], said, reply=reply.uci)


_WAYS = ("check_king_takes", "check_taken", "check_escape", "check_blocked", "check_dropped")


def _order(after: Position, reply: Move) -> int:
    """The index of the way out in _WAYS."""
    if isinstance(reply, Drop):
        return 4
    if isinstance(reply, Castle):
        return 2
    if reply.origin == after.kings[after.side]:
        return 0 if after.board[reply.target] else 2
    king, enemies = after.kings[after.side], squares_of(after.tables, after.board, 1 - after.side)
    checks, _ = checks_and_pins(after.tables, after.board, king, enemies)
    return 1 if after.board[reply.target] and any(reply.target in check for check in checks) else 3
