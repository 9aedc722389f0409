"""Games as they are played again under load: the recorded ones, all variants in turn. Knows no server."""

from dataclasses import dataclass
from itertools import chain, zip_longest

from tests.support.live.guests import Start
from tests.support.rules.vectors import GAME_FILES, Record, records

MIN_PLIES = 60


@dataclass(frozen=True, slots=True)
class Score:
    """One game to be played."""

    start: Start
    moves: tuple[str, ...]


def score_of(record: Record) -> Score:
    start = Start(record["variant"], record["start_fen"], record.get("chess960", False))
    # The last recorded move may end the game; it is left out, so that every game here goes on.
    return Score(start, tuple(record["moves"][:-1]))


def scores(least: int = MIN_PLIES) -> list[Score]:
    """Every recorded game of at least so many half-moves, one of each variant after the other."""
    by_variant = (
        [record for record in records(name) if len(record["moves"]) > least and " w " in record["start_fen"]]
        for name in GAME_FILES
    )
    return [score_of(record) for record in chain.from_iterable(zip_longest(*by_variant)) if record is not None]
