"""Conditional moves as people write and read them in mails: typed lines into a judged tree, and a tree into lines.

    if e5 then Nf3 if Nc6 then Bb5
    if c5 then Nf3

Takes milliseconds for each move, so it is called beside the event loop. Knows no game and no player.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from server.games.conditional import Branch, MoveTree, TreeStep, check_size, judged
from server.games.errors import BadMove
from server.mail.inbound.reading.typed_moves import move_typed, near_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import run_at_once

SHOWN: Final = 30
"""Lines that one mail shows."""

TypedLine = tuple[str, ...]


class BadLine(Exception):
    """A move of `line` cannot be played where it stands: `why`. `near`: moves there that look like it."""

    def __init__(self, line: TypedLine, why: BadMove, near: Sequence[str]) -> None:
        super().__init__(" ".join(line))
        self.line = line
        self.why = why
        self.near = near


def tree_typed(position: Position, lines: Sequence[TypedLine], letters: Letters = OWN) -> MoveTree:
    """The tree of `lines`, each the opponent's move in `position`, the answer, their next move, …

    `letters`: those of the pieces. Raises BadLine; and NotAllowed as `judged` does, for too many moves before any of
    them is looked at, and for a move of the opponent with two answers.
    """
    # First: to find out what was typed takes longest.
    typed: list[TreeStep] = []
    for line in lines:
        typed += [*line, len(line)]
    check_size(typed)
    steps: list[TreeStep] = []
    for line in lines:
        moves = list(_ucis(position, line, letters))
        steps += [*moves, len(moves)]
    return run_at_once(judged(position, steps[:-1]))


def _ucis(position: Position, line: TypedLine, letters: Letters) -> Iterator[str]:
    for typed in line:
        try:
            move = move_typed(position, typed, letters)
        except BadMove as why:
            raise BadLine(line, why, near_moves(position, typed, letters)) from why
        yield move.uci
        position = play_trusted(position, move)


def lines_of(position: Position, tree: MoveTree) -> Iterator[list[str]]:
    """Each line of a tree that stands at `position`, in SAN, the first SHOWN of them."""
    for _, line in zip(range(SHOWN), _lines(position, tree), strict=False):
        yield line


def _lines(position: Position, tree: MoveTree) -> Iterator[list[str]]:
    for branch in tree:
        yield from _branch_lines(position, branch)


def _branch_lines(position: Position, branch: Branch) -> Iterator[list[str]]:
    move = parse_uci(position, branch.uci)
    after = play_trusted(position, move)
    san = format_san(position, move, after)
    if not branch.then:
        yield [san]
    for line in _lines(after, branch.then):
        yield [san, *line]
