"""What one picture shows of a game: a position, the squares of the last move, and a king in check. Knows no drawing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from server.rules.movegen.legal import in_check, play_trusted
from server.rules.movegen.moves import Drop, Move
from server.rules.movegen.position import Position
from server.rules.notation.uci import parse_uci_trusted


@dataclass(frozen=True, slots=True)
class Scene:
    """`move`: the last one, None before the first. `moved`: the squares to light for it."""

    position: Position
    moved: tuple[int, ...] = ()
    move: Move | None = None

    @property
    def check(self) -> int | None:
        """The square of the attacked king, None without check."""
        return self.position.kings[self.position.side] if in_check(self.position) else None


def scene_after(position: Position, move: Move) -> Scene:
    """What is seen when `move`, legal in `position`, has been played."""
    moved = (move.target,) if isinstance(move, Drop) else (move.origin, move.target)
    return Scene(play_trusted(position, move), moved, move)


def scenes(start: Position, ucis: Iterable[str]) -> Iterator[Scene]:
    """The start and what is seen after each half-move of a game whose moves have been judged before."""
    yield Scene(start)
    for uci in ucis:
        seen = scene_after(start, parse_uci_trusted(start, uci))
        yield seen
        start = seen.position
