"""A line of moves in PGN: each half-move with its glyphs, clock, comments and alternative variations."""

from dataclasses import dataclass

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(frozen=True, slots=True)
class PgnMove:
    """A half-move. `nags`: numeric annotation glyphs of the PGN standard ($1 is !).

    `clock_ms`: the mover's clock after the move; None if not given. `before`: comments before the first move of a
    variation. `variations`: alternatives to this move. A comment is one line of printable characters, stripped.
    """

    uci: str
    san: str
    nags: tuple[int, ...] = ()
    clock_ms: int | None = None
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    variations: tuple[tuple["PgnMove", ...], ...] = ()

    @property
    def annotated(self) -> bool:
        """Has the move, or a variation, more than a clock time?"""
        return bool(self.nags or self.comments or self.before or self.variations)


PgnLine = tuple[PgnMove, ...]
