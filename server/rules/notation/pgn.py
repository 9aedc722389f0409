"""Reads one PGN game of any variant, with all its annotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from server.rules.errors import InvalidPgn
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.pgn_line import RESULTS, PgnLine
from server.rules.notation.pgn_movetext import read_movetext
from server.rules.notation.pgn_tags import find_variant, read_start, read_tags
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant

MAX_TEXT = 1_000_000
"""Longest text, in characters."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as read, all `moves` legal. `result`: one of the four PGN results.

    `line`: the same half-moves with their annotations; `comments`: those before the first move.
    """

    tags: Mapping[str, str]
    variant: Variant
    chess960: bool
    start: Position
    moves: tuple[Move, ...]
    line: PgnLine
    comments: tuple[str, ...]
    result: str

    @property
    def annotated(self) -> bool:
        """Has the game more than moves and clock times?"""
        return bool(self.comments) or any(move.annotated for move in self.line)


def read_pgn(text: str, variants: Mapping[str, Variant]) -> SlicedWork[PgnGame]:
    """Reads exactly one game, in slices of about a millisecond.

    Raises InvalidPgn; if a move is to blame, with its ply (from 0).
    """
    if len(text) > MAX_TEXT:
        raise InvalidPgn("long")
    tags, movetext_at = yield from read_tags(text)
    variant, chess960 = find_variant(tags.get("Variant", ""), variants)
    start = read_start(variant, chess960, tags.get("FEN"))
    read = yield from read_movetext(text, movetext_at, start)
    result = read.result
    if result is None:
        result = tags.get("Result", "*") if tags.get("Result") in RESULTS else "*"
    tagged = MappingProxyType(tags)
    return PgnGame(tagged, variant, start.chess960, start, read.moves, read.line, read.comments, result)
