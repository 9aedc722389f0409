"""What one picture of a game shows: a position, the squares of the last move, and a king in check. Knows no drawing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from server.rules.movegen.legal import in_check
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Drop, Move
from server.rules.movegen.position import Position
from server.rules.notation.uci import parse_uci_trusted


@dataclass(frozen=True, slots=True)
class Scene:
    """`move`: the last one, None before the first. `moved`: the squares to highlight for it."""

    position: Position
    moved: tuple[int, ...] = ()
    move: Move | None = None

    @property
    def left(self) -> int | None:
        """The square that the last move left, None for a drop and before the first move."""
        return self.moved[0] if len(self.moved) > 1 else None

    @property
    def reached(self) -> int | None:
        """The square that the last move reached, None before the first."""
        return self.moved[-1] if self.moved else None

    @property
    def check(self) -> int | None:
        """The square of the king in check, None if there is no check."""
        return self.position.kings[self.position.side] if in_check(self.position) else None


def scene_after(position: Position, move: Move) -> Scene:
    """The scene after `move`, which must be legal in `position`."""
    moved = (move.target,) if isinstance(move, Drop) else (move.origin, move.target)
    return Scene(play_trusted(position, move), moved, move)


def scenes(start: Position, ucis: Iterable[str]) -> Iterator[Scene]:
    """Yields the start and the scene after each half-move of a game whose moves are known to be legal."""
    yield Scene(start)
    for uci in ucis:
        seen = scene_after(start, parse_uci_trusted(start, uci))
        yield seen
        start = seen.position
