"""Conditional moves: a tree of the opponent's possible moves and the player's answers, to be played without the player.

The tree always stands at the present position: every move leads it to what follows that move, and a move that is not in
it drops it. So on the opponent's turn it holds any of their moves, each with exactly one answer, and the same again
after each answer. Written down it is a list of steps, as on the analysis board: moves in UCI, and numbers of half-moves
to take back. Knows no game and no player.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from server.games.errors import BadMove, NotAllowed
from server.rules.endings import outcome
from server.rules.errors import RulesError
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import SlicedWork

MAX_MOVES: Final = 300
MAX_LINES: Final = 100
MAX_DEPTH: Final = 40
"""Half-moves in the longest line."""

TreeStep = str | int
"""A move in UCI, or the number of half-moves to take back."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A move in UCI, and what may follow it."""

    uci: str
    then: "MoveTree" = ()


MoveTree = tuple[Branch, ...]
"""What may be played next, each move once; empty: nothing is prepared."""

NO_MOVES: Final[tuple[MoveTree, MoveTree]] = ((), ())
"""White's and Black's trees in a game without conditional moves."""

_Growing = dict[str, "_Growing"]


def after_move(tree: MoveTree, uci: str) -> MoveTree:
    """What is left of the tree after that move."""
    return next((branch.then for branch in tree if branch.uci == uci), ())


def steps_of(tree: MoveTree) -> tuple[TreeStep, ...]:
    """The tree as steps, in its own order."""
    steps: list[TreeStep] = []
    before = 0
    for ply, branch in _in_order(tree, 1):
        if ply <= before:
            steps.append(before - ply + 1)
        steps.append(branch.uci)
        before = ply
    return tuple(steps)


def tree_from(steps: Sequence[TreeStep]) -> MoveTree:
    """The tree that was written as `steps`, not judged. Raises ValueError if more is taken back than was played."""
    grown: _Growing = {}
    path = [grown]
    for step in steps:
        if isinstance(step, str):
            path.append(path[-1].setdefault(step, {}))
        elif 0 < step < len(path):
            del path[-step:]
        else:
            raise ValueError(f"{step} half-moves cannot be taken back")
    return _frozen(grown)


def is_complete(tree: MoveTree, *, own: bool) -> bool:
    """Has every move of the opponent exactly one answer? `own`: the tree begins with an answer."""
    if own:
        return len(tree) == 1 and is_complete(tree[0].then, own=False)
    return all(is_complete(branch.then, own=True) for branch in tree)


def judge_tree(position: Position, steps: Sequence[TreeStep]) -> SlicedWork[MoveTree]:
    """The tree of `steps` from `position`, where the opponent is to move; pauses after each move.

    Raises BadMove for a move that is not legal there; NotAllowed if a move of the opponent has no answer or two, and
    for a tree above the limits.
    """
    check_size(steps)
    grown: _Growing = {}
    path = [(position, grown)]
    for step in steps:
        if isinstance(step, int):
            if not 0 < step < len(path):
                raise NotAllowed("too_far_back", plies=step, played=len(path) - 1)
            del path[-step:]
            continue
        before, branches = path[-1]
        uci, after = _played(before, step)
        path.append((after, branches.setdefault(uci, {})))
        if len(path) > MAX_DEPTH + 1:
            raise NotAllowed("conditional_too_deep", most=MAX_DEPTH)
        yield
    tree = _frozen(grown)
    if not is_complete(tree, own=False):
        raise NotAllowed("conditional_answers")
    return tree


def check_size(steps: Sequence[TreeStep]) -> None:
    """Raises NotAllowed for a tree of too many moves or lines, whatever they are."""
    lines = sum(is_move for is_move, _ in groupby(isinstance(step, str) for step in steps))
    moves = sum(isinstance(step, str) for step in steps)
    if moves > MAX_MOVES or lines > MAX_LINES:
        raise NotAllowed("conditional_too_many", moves=MAX_MOVES, lines=MAX_LINES)


def _played(position: Position, uci: str) -> tuple[str, Position]:
    """The move as games write it, and the position after it. Raises BadMove, also where the game has ended."""
    try:
        move = parse_uci(position, uci)
    except RulesError as why:
        raise BadMove(why.id, **why.params) from why
    if outcome(position) is not None:
        raise BadMove("illegal", move=uci)
    return move.uci, play_trusted(position, move)


def _in_order(tree: MoveTree, ply: int) -> Iterator[tuple[int, Branch]]:
    """Each move with its number in its line (1 = first), every line to its end before the next."""
    for branch in tree:
        yield ply, branch
        yield from _in_order(branch.then, ply + 1)


def _frozen(grown: _Growing) -> MoveTree:
    return tuple(Branch(uci, _frozen(then)) for uci, then in grown.items())
