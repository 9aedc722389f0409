"""Judges one move against a goal. Says what is wrong with it so that somebody learns: with the reply that refutes it.

Pure: a verdict is computed from the position by the same rules that judge games, never looked up in a list of moves.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from server.rules.endings import Outcome, Reason, outcome
from server.rules.lesson.lesson import KEEP, NOWHERE, Goal, Step
from server.rules.movegen.attacks import checks_and_pins, is_attacked, squares_of
from server.rules.movegen.legal import in_check, legal_moves, play
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
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


@dataclass(frozen=True, slots=True)
class Attempt:
    """A legal move in answer to a task."""

    goal: Goal
    before: Position
    move: Move
    after: Position = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "after", play(self.before, self.move))

    @property
    def piece(self) -> str:
        """The role that moves or is dropped."""
        if isinstance(self.move, Drop):
            return self.move.role
        return role_at(self.before, self.move.origin)

    @property
    def taken(self) -> str:
        """The role that the move captures; "" if none."""
        if not isinstance(self.move, NormalMove):
            return ""
        if found := role_at(self.before, self.move.target):
            return found
        passing = self.move.target == self.before.en_passant and self.move.origin % self.before.variant.files != (
            self.move.target % self.before.variant.files
        )
        pawn = self.before.variant.role(self.piece).pawn
        behind = self.before.tables.behind(self.before.side, self.move.target)
        return role_at(self.before, behind) if passing and pawn else ""

    def name(self, square: int) -> str:
        return self.before.variant.geometry.names[square]


def role_at(position: Position, square: int) -> str:
    """The id of the role on the square; "" if it is empty."""
    kind = position.tables.codes.kinds[position.board[square]]
    return kind.role.id if kind is not None else ""


def why_not(goal: Goal, before: Position, move: Move) -> Why | None:
    """Why the move does not do what the goal asks; None if it does. Raises IllegalMove."""
    attempt = Attempt(goal, before, move)
    return next((why for condition in CONDITIONS for why in condition(attempt)), None)


def solutions(step: Step) -> tuple[Move, ...]:
    """Every legal move that does what the step asks, in the order of their UCI; none for a step without a goal."""
    if step.goal is None:
        return ()
    found = [move for move in legal_moves(step.position) if why_not(step.goal, step.position, move) is None]
    return tuple(sorted(found, key=lambda move: move.uci))


def _kind(one: Attempt) -> Iterator[Why]:
    if one.goal.castles and not isinstance(one.move, Castle):
        yield Why("not_castling")
    if one.goal.drops and not isinstance(one.move, Drop):
        yield Why("not_a_drop")


def _piece(one: Attempt) -> Iterator[Why]:
    if one.goal.piece and one.piece != one.goal.piece:
        yield Why("other_piece", pieces={"piece": one.piece, "wanted": one.goal.piece})


def _taking(one: Attempt) -> Iterator[Why]:
    if one.goal.takes and one.taken != one.goal.takes:
        wanted = {"wanted": one.goal.takes}
        yield (
            Why("takes_other", pieces=wanted | {"piece": one.taken}) if one.taken else Why("takes_none", pieces=wanted)
        )


def _promoting(one: Attempt) -> Iterator[Why]:
    wanted, found = one.goal.promotes, getattr(one.move, "promotion", None) or ""
    if not wanted or (wanted == KEEP and not found) or wanted == found:
        return
    if wanted == KEEP:
        yield Why("promotes", pieces={"piece": one.piece})
    elif found:
        yield Why("promotes_to", pieces={"piece": found, "wanted": wanted})
    else:
        yield Why("promotes_not", pieces={"piece": one.piece, "wanted": wanted})


def _gating(one: Attempt) -> Iterator[Why]:
    wanted = one.goal.gates
    found = getattr(one.move, "gate", None) or ""
    if not wanted:
        return
    if not found:
        yield Why("gates_none", pieces={"wanted": wanted})
    elif found != wanted:
        yield Why("gates_other", pieces={"piece": found, "wanted": wanted})
    square = one.move.gate_square if isinstance(one.move, Castle) else getattr(one.move, "origin", NOWHERE)
    if one.goal.gate_at not in (NOWHERE, square):
        yield Why("gates_elsewhere", {"square": one.name(one.goal.gate_at)}, {"wanted": wanted})


def _arriving(one: Attempt) -> Iterator[Why]:
    if one.goal.to and one.move.target not in one.goal.to:
        squares = ", ".join(map(one.name, one.goal.to))
        yield Why("elsewhere", {"square": squares}, {"piece": one.piece})


def _winning(one: Attempt) -> Iterator[Why]:
    end = outcome(one.after) if one.goal.wins else None
    if one.goal.wins and (end is None or end.winner is not one.before.turn or end.reason != one.goal.wins):
        yield _why_not_over(one.goal.wins, one.after, end)


def _checking(one: Attempt) -> Iterator[Why]:
    if one.goal.checks and not in_check(one.after):
        yield Why("no_check")


def _attacking(one: Attempt) -> Iterator[Why]:
    for square in one.goal.attacks:
        if not is_attacked(one.after.tables, one.after.board, square, [one.move.target]):
            yield Why("misses", {"square": one.name(square)}, {"piece": role_at(one.after, one.move.target)})


def _safety(one: Attempt) -> Iterator[Why]:
    for reply in sorted(legal_moves(one.after), key=lambda move: move.uci) if one.goal.safe else ():
        if isinstance(reply, NormalMove) and reply.target == one.move.target:
            yield Why("taken", {"move": format_san(one.after, reply)}, {"piece": one.piece}, reply.uci)


def _going_on(one: Attempt) -> Iterator[Why]:
    end = outcome(one.after) if one.goal.holds else None
    if end is not None and end.winner is not one.before.turn:
        yield Why("ends_by_stalemate" if end.reason == Reason.STALEMATE else "ends_in_draw")


def _holding(one: Attempt) -> Iterator[Why]:
    for reply in legal_moves(one.after) if one.goal.holds else ():
        end = outcome(play(one.after, reply))
        if end is not None and end.winner is one.after.turn:
            yield Why("lost", {"move": format_san(one.after, reply)}, reply=reply.uci)


CONDITIONS: Final[tuple[Callable[[Attempt], Iterator[Why]], ...]] = (
    *(_going_on, _kind, _piece, _taking, _promoting, _gating, _arriving),
    *(_winning, _checking, _attacking, _safety, _holding),
)
"""In the order in which they are spoken of: the first that is not met is said."""


def _why_not_over(wanted: str, after: Position, end: Outcome | None) -> Why:
    """Why the game has not ended as `wanted`. `end`: how it has ended instead."""
    if end is not None:
        return Why("ends_by_stalemate" if end.reason == Reason.STALEMATE else "ends_otherwise")
    if wanted == Reason.BARE_KING:
        return _not_bare(after)
    if wanted == Reason.GOAL:
        return Why("no_goal")
    if wanted == Reason.CHECKS:
        return Why("more_checks") if in_check(after) else Why("no_check")
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
