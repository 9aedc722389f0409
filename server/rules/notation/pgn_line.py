"""A line of moves as PGN tells it: each half-move with its glyphs, clock, comments and the variations it replaces.

Only the shape; how it is read and written stands elsewhere.
"""

from dataclasses import dataclass

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(frozen=True, slots=True)
class PgnMove:
    """A half-move. `nags` are the numbers of its glyphs ($1 is !), in the PGN standard's count.

    `clock_ms`: what the mover's clock showed after it, None if the text does not say. `before`: comments that stand
    before the first move of a variation. `variations`: other lines from the position before this move.
    A comment is one line of printable letters and has no blanks at its ends.
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
        """Does anybody say more of it than what was played and when?"""
        return bool(self.nags or self.comments or self.before or self.variations)


Line = tuple[PgnMove, ...]
