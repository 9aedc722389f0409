"""A game against the computer that was played offline and is sent here afterwards: its moves and its end.

The player says what happened; each move is judged here as if it were made now. Endings on the board are found by the
rules, and never taken from the sender.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.command import Command
from server.games.errors import Refused
from server.games.frozen import replace
from server.games.game import play
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.rules.sliced_work import SlicedWork

OffBoard = Literal["resigned", "computer_resigned", "draw"]
"""How it can have ended off the board: the person or the computer resigned, or they agreed on a draw."""


class WrongLine(Refused):
    """It cannot have been played like this. `at`: after how many half-moves it went wrong."""

    code = "wrong_line"

    def __init__(self, at: int, id: str, /, **params: str | int) -> None:
        super().__init__(id, **params)
        self.at = at


class OtherLine(Refused):
    """The game that is stored here under this id went another way, or is another game."""

    code = "other_line"


@dataclass(frozen=True, slots=True)
class OfflineLine:
    """The moves of both sides in UCI, and how the game ended; None: on the board, or not yet."""

    moves: Sequence[str]
    end: OffBoard | None


def play_line(game: Game, line: OfflineLine, at: int) -> SlicedWork[Game]:
    """The new `game` as it stood at `at` (ms), after that line. Pauses after each move. Raises WrongLine."""
    after = game
    for command in commands_for(game, line):
        try:
            after, _ = play(after, command, at)
        except Refused as why:
            raise WrongLine(len(after.plies), why.id, **why.params) from why
        yield
    return replace(after, rev=game.rev)


def commands_for(game: Game, line: OfflineLine) -> Sequence[Command]:
    """What brings `game`, played against the computer, to where the line leads; nothing if it is there, or further.

    Raises OtherLine if it went another way.
    """
    done, wanted = [ply.uci for ply in game.plies], list(line.moves)
    shared = min(len(done), len(wanted))
    goes_on = len(done) > shared
    if done[:shared] != wanted[:shared] or (goes_on and line.end is not None):
        raise OtherLine
    if len(wanted) == shared and (line.end is None or game.status is Status.OVER):
        return ()
    moves = [PlayMove(game.mover_of(ply), uci, ply) for ply, uci in enumerate(wanted[shared:], shared)]
    return (*moves, *_ending(game, line.end))


def _ending(game: Game, end: OffBoard | None) -> Sequence[Command]:
    assert game.computer is not None
    computer, person = game.computer, game.computer.other
    match end:
        case None:
            return ()
        case "resigned":
            return (Resign(person),)
        case "computer_resigned":
            return (Resign(computer),)
        case "draw":
            return MakeOffer(person, OfferKind.DRAW), AcceptOffer(computer, game.next_offer)


def is_same_game(there: Game, sent: Game) -> bool:
    """Is the game that is here the one that begins as `sent` does, with the same people in the same seats?"""
    seats = [
        [None if one is None else (one.id, one.level) for one in (game.white, game.black)] for game in (there, sent)
    ]
    return there.terms == sent.terms and there.import_source is None and seats[0] == seats[1]
