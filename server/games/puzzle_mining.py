"""Finds puzzles in a game: where the opponent's mistake lets exactly one move win, and as long as that goes on.

Plain decisions on what an `Analyst` thinks; the rules play every move. Knows neither process nor store.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from server.games.puzzles import Puzzle, puzzle_id, themes_of, wins_at_once
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.moves import NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.rules.notation.uci import parse_uci

STEEPNESS: Final = 0.0037
"""As on the analysis board: how chances grow with each hundredth of a pawn, between players who err."""
WON: Final = 0.75
"""From which chances on a side wins, 0 to 1; three pawns."""
BETTER: Final = 0.35
"""By how much the one move has better chances than any other."""
NOT_WON: Final = 0.6
"""More than these chances no other move may have, nor the solver before the opponent's mistake."""
MISTAKE: Final = 0.2
"""What the opponent's last move must have given away, at least."""
LONGEST: Final = 7
"""Moves of the solver."""
SCAN: Final = 16
"""The whole game is looked through with this part of the nodes."""
DEEPER: Final = 4
"""What was found is verified with this many times the nodes."""
MOST_LINES: Final = 5
"""How many moves the engine compares."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A move (UCI) that an engine thinks of. `score`: hundredths of a pawn for the side to move; `mate`: in how many
    moves it wins, negative if it loses.
    """

    move: str
    score: int
    mate: int | None

    @property
    def chances(self) -> float:
        """What the side to move may expect of it: 0 to 1."""
        if self.mate is not None:
            return float(self.mate > 0)
        return 1 / (1 + math.exp(-STEEPNESS * self.score))


class Analyst(Protocol):
    """Thinks alike about a position whatever it thought about before."""

    def look(self, position: Position, nodes: int, lines: int) -> Sequence[Thought]:
        """The best moves, at most `lines`, the best first; none if there is no legal move."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game. `positions`: the first, and the one after each of `moves` (UCI)."""

    id: str
    positions: Sequence[Position]
    moves: Sequence[str]


def puzzles_in(game: Played, analyst: Analyst, nodes: int, now: int) -> Iterator[Puzzle]:
    """The puzzles of a game in the order of their moves; no two overlap, or begin with the same move, which was missed
    twice. `nodes`: for each position of a line. Takes seconds to minutes, most of it in `analyst`.
    """
    before, beyond, begun = 1.0, 1, set[str]()
    for ply, position in enumerate(game.positions):
        if outcome(position) is not None:
            return
        best = analyst.look(position, max(1, nodes // SCAN), 1)[0].chances
        if ply >= beyond and is_mistake(1 - before, best):
            line = winning_line(position, analyst, nodes)
            if line and line[0] not in begun:
                yield _puzzle(game, ply, line, now)
                beyond = ply + len(line)
                begun.add(line[0])
        before = best


def is_mistake(had: float, has: float) -> bool:
    """Did the opponent's move let the chances of the side that is to move grow from the first to a win?"""
    return had <= NOT_WON and has >= WON and has - had >= MISTAKE


def _puzzle(game: Played, ply: int, line: Sequence[str], now: int) -> Puzzle:
    position = game.positions[ply]
    return Puzzle(
        id=puzzle_id(game.id, ply),
        variant=position.variant.id,
        chess960=position.chess960,
        fen=format_fen(position),
        last=game.moves[ply - 1],
        line=tuple(line),
        themes=themes_of(position, line),
        game=game.id,
        ply=ply,
        made=now,
    )


def winning_line(position: Position, analyst: Analyst, nodes: int) -> Sequence[str]:
    """The moves (UCI) of a puzzle from here, the solver's and the best replies; none if it is no puzzle.

    Each of the solver's is the only one that wins, by a first and by a deeper search.
    """
    start, line, worth = position, list[str](), 0
    while len(line) < 2 * LONGEST and (uci := _confirmed(position, analyst, nodes)) is not None:
        had_choice = len(legal_moves(position)) > 1
        if not line and not had_choice:
            break
        line.append(uci)
        worth = len(line) if had_choice else worth
        position = play(position, parse_uci(position, uci))
        if outcome(position) is not None:
            break
        line.append(analyst.look(position, nodes * DEEPER, 1)[0].move)
        position = play(position, parse_uci(position, line[-1]))
        if outcome(position) is not None:
            break
    # A line ends with a move that had to be found.
    line = line[:worth]
    return [] if _is_dull(start, line) else line


def _confirmed(position: Position, analyst: Analyst, nodes: int) -> str | None:
    """The one move that wins, if a deeper search finds the same one."""
    uci = only_winning_move(position, analyst, nodes)
    return uci if uci is not None and uci == only_winning_move(position, analyst, nodes * DEEPER) else None


def only_winning_move(position: Position, analyst: Analyst, nodes: int) -> str | None:
    """The one move (UCI) that wins, where no other does; moves that win at once count as one. None: there is none."""
    legal = legal_moves(position)
    at_once = sorted(move.uci for move in legal if wins_at_once(play(position, move)))
    if len(at_once) >= MOST_LINES:
        return None
    thoughts = analyst.look(position, nodes, min(max(2, len(at_once) + 1), len(legal)))
    if not thoughts:
        return None
    winning = at_once or [thoughts[0].move]
    chances = 1.0 if at_once else thoughts[0].chances
    others = [one.chances for one in thoughts if one.move not in winning]
    if chances < WON or (not others and len(legal) > len(winning)):
        return None
    return winning[0] if max(others, default=0.0) <= min(NOT_WON, chances - BETTER) else None


def _is_dull(start: Position, line: Sequence[str]) -> bool:
    """Is there nothing to find: no line, or no more than to take a piece?"""
    if len(line) != 1:
        return not line
    move = parse_uci(start, line[0])
    takes = isinstance(move, NormalMove) and start.board[move.target] != 0 and not move.promotion
    return takes and not wins_at_once(play(start, move))
