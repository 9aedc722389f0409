"""What the newest games of a player say about them: results by variant and colour, days, streaks, openings, best wins.

Only as many games are read as a page may cost, however many there are; most of it is a pure function of them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Final

from server.games.player import LEVELS, computer_at
from server.rules.errors import RulesError
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.protocols.archive import Beginning, PlayedGame, folded
from server.storage.protocols.ratings import RatedOpponent, Tally
from server.storage.stores import Store
from server.storage.tables.accounts import Account
from server.web.clock_words import day_of

GAMES_READ: Final = 2_000
"""Of each colour."""
WEEKS: Final = 26
DAYS: Final = 7
SHADES: Final = 4
"""How dark a day can be, besides those without games."""
MOST_KINDS: Final = 6
"""Variants whose results are told by colour."""
WINS_READ: Final = 500
BEST_WINS: Final = 5
GAMES_OPENED: Final = 200
"""Games of each colour whose first moves are read."""
PLIES_OPENED: Final = {Color.WHITE: 3, Color.BLACK: 2}
"""The half-moves that make an opening: so many that the last is the player's own second or first move."""
OPENINGS: Final = 3
COMPUTERS: Final = frozenset(folded(computer_at(level).name) for level in range(1, LEVELS + 1))
"""The computer's names, as the archive compares them."""
LEAST_OPENED: Final = 2
"""An opening that was played once is no favourite."""


@dataclass(frozen=True, slots=True)
class Day:
    """`shade`: 0 without games, else 1 to SHADES."""

    day: date
    games: int
    shade: int


@dataclass(frozen=True, slots=True)
class Month:
    """`games`: how many ended in it."""

    year: int
    month: int
    games: int


@dataclass(frozen=True, slots=True)
class Activity:
    """The last WEEKS weeks, each from Monday, until today. `games` in all, on `active` days; `most` on one of them."""

    weeks: Sequence[Sequence[Day]]
    games: int
    active: int
    most: int

    @property
    def months(self) -> Sequence[Month]:
        """Each month, the latest first."""
        days = [day for week in self.weeks for day in week]
        months = groupby(reversed(days), key=lambda one: (one.day.year, one.day.month))
        return [Month(*month, sum(one.games for one in those)) for month, those in months]


@dataclass(frozen=True, slots=True)
class KindResults:
    """The tallies in a variant with White and with Black."""

    variant: str
    chess960: bool
    white: Tally
    black: Tally


@dataclass(frozen=True, slots=True)
class Streaks:
    """Games against people in a row: won now, the most won, and the most without a loss."""

    now: int
    won: int
    unbeaten: int


@dataclass(frozen=True, slots=True)
class Opening:
    """`line`: the moves with their numbers; `moves`: in UCI, joined by dots, as addresses of the analysis have them."""

    line: str
    moves: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Favourites:
    """The openings most played in the variant most played from its usual start, by colour."""

    variant: str
    openings: Mapping[Color, Sequence[Opening]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """`best_wins`: each with its day, as ISO 8601 writes it. `all_read`: there are no older games than those that were
    read, up to `read` of each colour.
    """

    activity: Activity
    results: Sequence[KindResults]
    streaks: Streaks
    favourites: Favourites | None
    best_wins: Sequence[tuple[RatedOpponent, str]]
    all_read: bool
    read: int


async def read_statistics(
    store: Store, account: Account, variants: Mapping[str, Variant], now: int
) -> Statistics | None:
    """Those of the person as of `now` (ms); None if they have finished no game. Raises Unavailable."""
    games = await store.archive.played_by(account.name, GAMES_READ)
    if not games:
        return None
    against_people = [one for one in games if one.opponent not in COMPUTERS]
    won = [one.id for one in against_people if one.rated and one.score == 1][:WINS_READ]
    best_wins = await store.ratings.strongest(account.user, won, BEST_WINS) if won else ()
    return Statistics(
        activity_of(games, now),
        results_of([one for one in against_people if one.variant in variants]),
        streaks_of(against_people),
        await _favourites(store, against_people, variants),
        [(one, day_of(one.change.at)) for one in best_wins],
        all_read=max(Counter(one.color for one in games).values()) < GAMES_READ,
        read=GAMES_READ,
    )


def activity_of(games: Sequence[PlayedGame], now: int) -> Activity:
    """How many games ended on each of the last days, in UTC."""
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    first = today - timedelta(days=today.weekday() + (WEEKS - 1) * DAYS)
    since = datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp() * 1000
    played = Counter((one.at - int(since)) // 86_400_000 for one in games if since <= one.at <= now)
    most = max(played.values(), default=0)
    days = [
        Day(first + timedelta(days=number), played[number], -(-played[number] * SHADES // most) if most else 0)
        for number in range((today - first).days + 1)
    ]
    weeks = [days[start : start + DAYS] for start in range(0, len(days), DAYS)]
    return Activity(weeks, played.total(), len(played), most)


def results_of(games: Sequence[PlayedGame]) -> Sequence[KindResults]:
    """The results in the variants most played, these first."""
    counted = Counter((one.variant, one.chess960, one.color, one.score) for one in games if one.score is not None)

    def tally(variant: str, chess960: bool, color: Color) -> Tally:
        return Tally(*(counted[variant, chess960, color, score] for score in (1, 0.5, 0)))

    kinds = Counter((one.variant, one.chess960) for one in games if one.score is not None)
    return [
        KindResults(*kind, tally(*kind, Color.WHITE), tally(*kind, Color.BLACK))
        for kind, _ in kinds.most_common(MOST_KINDS)
    ]


def streaks_of(games: Sequence[PlayedGame]) -> Streaks:
    """Of games with a result; `games`: the newest first."""
    scores = [one.score for one in games if one.score is not None]
    won = [len(list(those)) if good else 0 for good, those in groupby(scores, key=lambda score: score == 1)]
    unbeaten = [len(list(those)) if good else 0 for good, those in groupby(scores, key=lambda score: score > 0)]
    return Streaks(won[0] if won else 0, max(won, default=0), max(unbeaten, default=0))


async def _favourites(store: Store, games: Sequence[PlayedGame], variants: Mapping[str, Variant]) -> Favourites | None:
    usual = [one for one in games if one.score is not None and not one.chess960 and one.variant in variants]
    if not usual:
        return None
    [(variant, _)] = Counter(one.variant for one in usual).most_common(1)
    read = {
        one.id: one
        for color in Color
        for one in [one for one in usual if one.variant == variant and one.color is color][:GAMES_OPENED]
    }
    began = await store.archive.beginnings(list(read), max(PLIES_OPENED.values()))
    openings = {color: openings_of(variants[variant], color, read, began) for color in Color}
    return Favourites(variant, openings) if any(openings.values()) else None


def openings_of(
    variant: Variant, color: Color, games: Mapping[str, PlayedGame], began: Sequence[Beginning]
) -> Sequence[Opening]:
    """What was played most with that colour in games of `variant` from its usual start; `games`: by their ids."""
    start, plies = format_fen(start_position(variant)), PLIES_OPENED[color]
    tallies: dict[tuple[str, ...], Tally] = {}
    for one in began:
        game, moves = games[one.id], tuple(one.moves[:plies])
        if game.color is color and game.score is not None and one.start_fen == start and len(moves) == plies:
            tallies[moves] = tallies.get(moves, Tally()).after(game.score)
    favourite = sorted(tallies.items(), key=lambda one: (-one[1].games, one[0]))[:OPENINGS]
    return [
        Opening(line, ".".join(moves), tally)
        for moves, tally in favourite
        if tally.games >= LEAST_OPENED and (line := line_in_words(variant, moves))
    ]


def line_in_words(variant: Variant, moves: Sequence[str]) -> str:
    """The moves from the usual start in algebraic notation with their numbers; "" if one is not legal (any more)."""
    try:
        return " ".join(_numbered(variant, moves))
    except RulesError:
        return ""


def _numbered(variant: Variant, moves: Sequence[str]) -> Iterator[str]:
    position = start_position(variant)
    for number, uci in enumerate(moves):
        move = parse_uci(position, uci)
        dots = "." if position.turn is Color.WHITE else "" if number else "..."
        yield f"{position.fullmove}{dots} {format_san(position, move)}" if dots else format_san(position, move)
        position = play_trusted(position, move)
