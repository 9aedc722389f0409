"""Moves that somebody tries out: what each leads to, with steps back in between, so that one row of texts can hold a
whole tree of variations. Knows no clock, no players, and no page.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from server.rules.endings import Outcome, outcome
from server.rules.errors import IllegalMove, InvalidMove, RulesError
from server.rules.movegen.legal import in_check, legal_moves, play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci


class CannotBeTried(RulesError):
    """A step that is not possible where it stands, and why. `at` is its index in the row of steps."""

    code = "illegal_line"

    def __init__(self, at: int, id: str, /, **params: str | int) -> None:
        super().__init__(id, **params)
        self.at = at


@dataclass(frozen=True, slots=True)
class Tried:
    """One half-move and where it leads: `fen` and `check` are of the position after it."""

    uci: str
    san: str
    fen: str
    check: bool


@dataclass(frozen=True, slots=True)
class End:
    """The last position: what can be played there, or how the game is over there.

    Only a repetition depends on the way that led there: it counts within that way, the start included.
    """

    position: Position
    legal: tuple[str, ...]
    outcome: Outcome | None


def try_out(start: Position, steps: Sequence[str | int]) -> Generator[Tried, None, End]:
    """Plays the steps in order: a text is a move in UCI, a number n takes the last n half-moves back.

    Yields after each move, so that a caller with other things to do can do them. Raises CannotBeTried.
    """
    path = [start]
    for at, step in enumerate(steps):
        if isinstance(step, int):
            if not 0 < step < len(path):
                raise CannotBeTried(at, "too_far_back", plies=step, played=len(path) - 1)
            del path[-step:]
            continue
        before = path[-1]
        try:
            move = parse_uci(before, step)
        except (InvalidMove, IllegalMove) as error:
            raise CannotBeTried(at, error.id, **error.params) from None
        after = play_trusted(before, move)
        path.append(after)
        yield Tried(move.uci, format_san(before, move, after), format_fen(after), in_check(after))
    last = path[-1]
    seen = sum(position.key == last.key for position in path)
    return End(last, tuple(sorted(move.uci for move in legal_moves(last))), outcome(last, seen))
