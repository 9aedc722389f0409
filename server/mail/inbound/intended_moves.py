"""What a reply means to play and to prepare, judged before anything of it is done. Pure.

Takes milliseconds for each move, so it is called beside the event loop.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.games.changes.playing import PlayMove, PrepareMoves
from server.games.changes.takeback import position_after
from server.games.command import Command
from server.games.conditional import MoveTree
from server.games.errors import BadMove, GameOver, NotAllowed, NotYourTurn
from server.games.state import Game
from server.games.status import Status
from server.mail.inbound.mail_report import MailReport, NotDone, Sentence
from server.mail.inbound.reading.conditional_lines import BadLine, tree_typed
from server.mail.inbound.reading.mail_commands import Conditional, MailCommand, Move
from server.mail.inbound.reading.typed_moves import move_typed, near_moves
from server.rules.movegen import moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.notation.san import format_san
from server.rules.variant.pieces import Color


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
    typed = next((one.text for one in wanted if isinstance(one, Move)), None)
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


def _move_meant(position: Position, typed: str, report: MailReport, letters: Letters) -> moves.Move:
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


def previewed(
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


def said_of(moves: IntendedMoves, game: Game, ply: int) -> Iterator[Sentence]:
    """What the answer says when `moves` were carried out as half-move `ply` of what is now `game`."""
    if moves.uci:
        yield Sentence("mail_answers.played", {"move": game.plies[ply].san})
        if len(game.plies) > ply + 1:
            since = " ".join(one.san for one in game.plies[ply + 1 :])
            yield Sentence("mail_answers.played_since", {"moves": since})
    if moves.prepared is not None:
        _, tree = moves.prepared
        yield Sentence("mail_answers.prepared" if tree else "mail_answers.prepared_nothing")
