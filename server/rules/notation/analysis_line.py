"""A line of moves on the analysis board: where each move leads, with takebacks in between, so that one list can walk a
whole tree of variations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.rules.endings import Outcome, outcome
from server.rules.errors import IllegalMove, InvalidMove, RulesError
from server.rules.movegen.legal import in_check, legal_ucis, repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import SlicedWork


class IllegalLine(RulesError):
    """A move or takeback that is not possible where it stands. `at` is its index in the list."""

    code = "illegal_line"

    def __init__(self, at: int, id: str, /, **params: str | int) -> None:
        super().__init__(id, **params)
        self.at = at


@dataclass(frozen=True, slots=True)
class AnalysisMove:
    """One move and where it leads: `fen` and `check` describe the position after it."""

    uci: str
    san: str
    fen: str
    check: bool


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """All moves in order, and of the last position its legal moves, or how the game is over there.

    Repetition counts the positions on the way there, the start included.
    """

    moves: tuple[AnalysisMove, ...]
    legal: tuple[str, ...]
    outcome: Outcome | None


def play_line(start: Position, line: Sequence[str | int]) -> SlicedWork[AnalysisLine]:
    """Plays `line` in order: a text is a move in UCI, a number n takes the last n moves back. Raises IllegalLine."""
    moves: list[AnalysisMove] = []
    path = [start]
    for at, entry in enumerate(line):
        if isinstance(entry, int):
            if not 0 < entry < len(path):
                raise IllegalLine(at, "too_far_back", plies=entry, played=len(path) - 1)
            del path[-entry:]
            continue
        before = path[-1]
        try:
            move = parse_uci(before, entry)
        except (InvalidMove, IllegalMove) as error:
            raise IllegalLine(at, error.id, **error.params) from None
        after = play_trusted(before, move)
        path.append(after)
        moves.append(AnalysisMove(move.uci, format_san(before, move, after), format_fen(after), in_check(after)))
        yield
    last = path[-1]
    key = repetition_key(last)
    seen = sum(repetition_key(position) == key for position in path)
    return AnalysisLine(tuple(moves), tuple(sorted(legal_ucis(last))), outcome(last, seen))
