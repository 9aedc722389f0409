"""A finished game as a score sheet: who played, where and when, and the moves in pairs. Knows no page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple

from server.games.player import Player
from server.games.state import Game
from server.language import Language
from server.web.clock_words import clock_words

IN_PAIRS = 2


class Row(NamedTuple):
    """A numbered move of both sides; "" where a side has not moved."""

    number: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """`heads` are labels (keys) and values, without those that are unknown. `rows` can be iterated once: a page is
    rendered in slices, and to make all rows of a long game would take longer than one.
    """

    heads: tuple[tuple[str, str], ...]
    rows: Iterator[Row]


def score_sheet(game: Game, language: Language) -> ScoreSheet:
    """The sheet of a game that is over, for a page in that language. Days are UTC."""
    said = game.import_source
    day = language.full_date(datetime.fromtimestamp(game.created / 1000, UTC).date())
    heads = (
        ("white", _player(game.white, language, said.tag("WhiteElo") if said else "")),
        ("black", _player(game.black, language, said.tag("BlackElo") if said else "")),
        ("result", game.result.replace("1/2", "½")),
        ("event", said.event if said else ""),
        ("site", said.site if said else ""),
        ("round", said.tag("Round") if said else ""),
        ("date", said.date if said else day),
        ("time", said.tag("TimeControl") if said else clock_words(game.terms.control, language)),
    )
    return ScoreSheet(tuple(head for head in heads if head[1].strip("-?. ")), _rows(game))


def _player(player: Player | None, language: Language, rating: str) -> str:
    name = language.person(player.name) if player else "?"
    return f"{name} ({rating})" if rating else name


def _rows(game: Game) -> Iterator[Row]:
    fields = game.terms.start_fen.split()
    black_first = fields[1] == "b"
    sans = list(chain([""] if black_first else [], (ply.san for ply in game.plies)))
    for number, at in enumerate(range(0, len(sans), IN_PAIRS), int(fields[-1])):
        white, black = (*sans[at : at + IN_PAIRS], "")[:IN_PAIRS]
        yield Row(number, white, black)
