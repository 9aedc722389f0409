"""What a reply means to play and to prepare, judged before anything of it is done. Pure.

Conditional moves are typed as lines, which become one tree, and shown as lines again:

    if e5 then Nf3 if Nc6 then Bb5
    if c5 then Nf3

Takes milliseconds for each move, so it is called beside the event loop.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from typing import Final

from server.games.changes.offers import position_after
from server.games.changes.playing import PlayMove, PrepareMoves
from server.games.command import Command
from server.games.conditional import Branch, MoveTree, TreeStep, check_size, judge_tree
from server.games.errors import BadMove, GameOver, NotAllowed, NotYourTurn
from server.games.state import Game
from server.games.status import Status
from server.mail.inbound.mail_commands import Conditional, MailCommand, TypedMove
from server.mail.inbound.mail_report import MailReport, NotDone, Sentence
from server.rules.errors import RulesError
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.notation.move_reader import read_move, tidy_move
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

SHOWN: Final = 30
"""Lines that one mail shows."""
NEAR: Final = 6
WORDS_LOOKED_AT: Final = 12
"""Of a line that is no command, for a move."""
NEAR_ENOUGH: Final = 0.5
TypedLine = tuple[str, ...]


class BadLine(Exception):
    """A move of `line` cannot be played where it stands: `why`. `near`: moves there that look like it."""

    def __init__(self, line: TypedLine, why: BadMove, near: Sequence[str]) -> None:
        super().__init__(" ".join(line))
        self.line = line
        self.why = why
        self.near = near


@dataclass(frozen=True, slots=True)
class IntendedMoves:
    """`uci`: the move to play, "" for none. `prepared`: the conditional moves, and the position that they follow."""

    uci: str = ""
    prepared: tuple[Position, MoveTree] | None = None

    def command(self, color: Color, ply: int) -> Command | None:
        """The command of the player of `color` in a game of `ply` half-moves; None: there is nothing to do."""
        if self.uci:
            return PlayMove(color, self.uci, ply, prepared=self.prepared)
        return None if self.prepared is None else PrepareMoves(color, *self.prepared)


def moves_meant(
    game: Game, color: Color, wanted: Sequence[MailCommand], report: MailReport, letters: Letters = OWN
) -> IntendedMoves:
    """What the commands of the player of `color`, who uses these `letters`, mean.

    Raises Refusal, and then tells `report` what is near.
    """
    typed = next((one.text for one in wanted if isinstance(one, TypedMove)), None)
    lines = next((one.lines for one in wanted if isinstance(one, Conditional)), None)
    if typed is None and lines is None:
        return IntendedMoves()
    if game.status is Status.OVER:
        raise GameOver
    if lines is not None and not game.terms.control.by_days:
        raise NotAllowed("conditional_not_by_days")
    position, uci = game.position, ""
    if typed is not None:
        if game.to_move is not color:
            raise NotYourTurn
        move = _move_meant(position, typed, report, letters)
        position, uci = play_trusted(position, move), move.uci
    elif game.to_move is color:
        raise NotDone("if_own_turn")
    if lines is None:
        return IntendedMoves(uci)
    try:
        return IntendedMoves(uci, (position, tree_typed(position, lines, letters)))
    except BadLine as bad:
        report.near, report.line = bad.near, bad.line
        raise bad.why from bad


def _move_meant(position: Position, typed: str, report: MailReport, letters: Letters) -> Move:
    """The move that was typed. Raises BadMove, and then tells `report` what is near."""
    try:
        return move_typed(position, typed, letters)
    except BadMove:
        report.near = near_moves(position, typed, letters)
        raise


def was_played(game: Game, typed: str, nth: int, letters: Letters = OWN) -> bool:
    """Is `typed` what was played as half-move `nth`?"""
    try:
        return move_typed(position_after(game, nth), typed, letters).uci == game.plies[nth].uci
    except BadMove:
        return False


def preview_moves(
    position: Position, line: Sequence[str], report: MailReport, letters: Letters = OWN
) -> tuple[Sentence, Position]:
    """The position after the moves of `line`, as they were typed, and what stands above it.

    Raises BadMove, and then tells `report` what is near.
    """
    sans = []
    for typed in line:
        move = _move_meant(position, typed, report, letters)
        sans.append(format_san(position, move))
        position = play_trusted(position, move)
    return Sentence("mail_answers.preview", {"moves": " ".join(sans)}), position


def move_sentences(moves: IntendedMoves, game: Game, ply: int) -> Iterator[Sentence]:
    """What the answer says when `moves` were carried out as half-move `ply` of what is now `game`."""
    if moves.uci:
        yield Sentence("mail_answers.played", {"move": game.plies[ply].san})
        if len(game.plies) > ply + 1:
            yield _went_on(game, ply + 1)
    if moves.prepared is not None:
        _, tree = moves.prepared
        yield Sentence("mail_answers.prepared" if tree else "mail_answers.prepared_nothing")


def _went_on(game: Game, first: int) -> Sentence:
    """What was played from that half-move on, with the numbers of the moves."""
    half_move = game.position.fullmove * 2 + game.position.side - (len(game.plies) - first)
    words: list[str] = []
    for nth, ply in enumerate(game.plies[first:], half_move):
        number, black = divmod(nth, 2)
        words += [f"{number}{'...' if black else '.'}"] if not black or not words else []
        words.append(ply.san)
    opponent = game.player(game.mover_of(first))
    if len(game.plies) > first + 1 or opponent is None:
        return Sentence("mail_answers.played_since", {"moves": " ".join(words)})
    return Sentence("mail_answers.answered", {"name": opponent.name, "move": " ".join(words)})


def move_typed(position: Position, typed: str, letters: Letters = OWN) -> Move:
    """The move that `typed` means, where pieces have these `letters`. Raises BadMove."""
    try:
        return read_move(position, typed, letters)
    except RulesError as why:
        raise BadMove(why.id, **why.params) from why


def near_moves(position: Position, typed: str, letters: Letters = OWN) -> list[str]:
    """The legal moves that look most like what was typed, the closest first, at most NEAR; in SAN with `letters`."""
    text = tidy_move(typed).lower()
    moves = {letters.san(format_san(position, move)): letters.uci(move.uci) for move in legal_moves(position)}

    def likeness(san: str) -> float:
        return max(SequenceMatcher(None, text, form.lower()).ratio() for form in (san.rstrip("+#"), moves[san]))

    found = nlargest(NEAR, moves, key=likeness)
    return [san for san in found if likeness(san) >= NEAR_ENOUGH]


def moves_within(position: Position, line: str, letters: Letters = OWN) -> list[str]:
    """The moves that a sentence has in it, such as "I play Nf3" or "knight to f3": at most NEAR, in SAN."""
    found: dict[str, None] = {}
    named = {role.name: role.san for role in position.variant.roles}
    piece = ""
    for word in re.findall(r"[^\s,;]+", line)[:WORDS_LOOKED_AT]:
        if len(word) > 1 and len(found) < NEAR:
            with suppress(BadMove):
                move = move_typed(position, f"{piece}{word}", letters)
                found[letters.san(format_san(position, move))] = None
                piece = ""
        piece = named.get(word.lower().strip("."), piece)
    return list(found)


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
    return run_at_once(judge_tree(position, steps[:-1]))


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
