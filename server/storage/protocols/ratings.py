"""What a store keeps of how people have played: ratings, records, scores against each other. Knows no engine.

A game that ends with a result is marked as uncounted in the very write that ends it; `count` takes the mark away when
the game has been counted, once, however often and from wherever it is called. So a crash at any point only delays it.

A standing is one person's record in one category; a rating is the part of it that only rated games move. Categories
are kept apart by variant, by whether the start is shuffled, and by speed. Times are ms since the epoch.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Protocol

from server.games.rating import PROVISIONAL_ABOVE, Rating, rated
from server.games.speed import Speed, speed_of
from server.games.state import Game
from server.games.status import Status
from server.games.terms import Terms
from server.rules.variant.pieces import Color
from server.storage.fields import Fields, instant, number, text
from server.storage.replay import COLORS

MILLI = 1_000
MICRO = 1_000_000
SHUFFLED = "+960"
MAX_VALUE = 100_000 * MILLI
MAX_GAMES = 10**9
"""Beyond these no rating and no record has ever been: they were damaged."""


@dataclass(frozen=True, slots=True)
class Category:
    """Games that are compared with each other."""

    variant: str
    chess960: bool
    speed: Speed

    @property
    def key(self) -> str:
        return f"{self.variant}{SHUFFLED if self.chess960 else ''}/{self.speed}"

    @classmethod
    def of(cls, terms: Terms) -> "Category":
        return cls(terms.variant.id, terms.chess960, speed_of(terms.control))

    @classmethod
    def from_key(cls, key: str) -> "Category":
        """Raises ValueError for what is no key."""
        variant, _, speed = key.partition("/")
        return cls(variant.removesuffix(SHUFFLED), variant.endswith(SHUFFLED), Speed(speed))


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game as it counts. `white` and `black` are ids, "" for whoever is nobody of this site (any more)."""

    game: str
    category: Category
    rated: bool
    white: str
    black: str
    winner: Color | None
    at: int

    def player(self, color: Color) -> str:
        return self.white if color is Color.WHITE else self.black

    def score(self, color: Color) -> float:
        """1 won, 0.5 drawn, 0 lost."""
        return 0.5 if self.winner is None else float(self.winner is color)


@dataclass(frozen=True, slots=True)
class Record:
    """Games won, drawn and lost, rated or not."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def __add__(self, other: "Record") -> "Record":
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    def after(self, score: float) -> "Record":
        return self + Record(int(score == 1), int(score == 0.5), int(score == 0))


@dataclass(frozen=True, slots=True)
class Perf:
    """See the module. `rating.games` counts the rated ones of the games in `record`."""

    player: str
    category: Category
    rating: Rating = field(default_factory=Rating)
    record: Record = field(default_factory=Record)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one game did to one rating. `number`: which of their rated games it was, from 1 on.

    `before` and `after` are ratings, `deviation` is that before the game, aged until then.
    """

    color: Color
    number: int
    before: float
    deviation: float
    after: float
    at: int

    @property
    def provisional(self) -> bool:
        """Was the rating provisional before the game?"""
        return self.deviation > PROVISIONAL_ABOVE


RatingChanges = Mapping[Color, RatingChange]
"""Of both players; a color is missing if its rating was not moved."""


@dataclass(frozen=True, slots=True)
class Score:
    """Somebody's record against `opponent`, whose name is None when they have left."""

    opponent: str
    name: str | None
    registered: bool
    record: Record


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a leaderboard."""

    name: str
    perf: Perf


class RatingStore(Protocol):
    """All of it raises Unavailable."""

    async def uncounted(self, limit: int, but: Set[str] = frozenset()) -> Sequence[FinishedGame]:
        """Finished games that have not been counted yet, without those called `but` and those that cannot be read.

        Fewer than `limit` does not say that these were all; none does.
        """

    async def count(self, finished: FinishedGame) -> None:
        """Count a game that is marked as uncounted; one that has been counted is left alone.

        Raises Unreadable when what a player has done before cannot be read; then it stays uncounted.
        """

    async def changes(self, game_id: str) -> RatingChanges:
        """What a game has done to ratings: nothing if it is casual, or has not been counted yet."""

    async def perf(self, player: str, category: Category) -> Perf:
        """That of somebody who has not played there is the default one."""

    async def perfs(self, player: str) -> Sequence[Perf]:
        """All in which they have played, in no order."""

    async def history(self, player: str, category: Category, limit: int) -> Sequence[RatingChange]:
        """What the last `limit` rated games did to their rating, oldest first."""

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        """Against those whom they have met most often, these first."""

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        """The best by rating; those whose rating is provisional at `now` come after all others."""

    async def latest_category(self) -> Category | None:
        """Where the latest rated game was counted."""

    async def names_starting_with(self, prefix: str, limit: int) -> Sequence[str]:
        """The names of registered people whose folded form begins with `prefix`, in its order."""

    async def forget(self, player: str) -> None:
        """They have left: nothing is kept of them but what belongs to their opponents. Doing it again does nothing."""

    async def hand_over(self, guest: str, heir: str) -> None:
        """What the guest has played counts for `heir` from now on, once, however often this is called."""


def newly_uncounted(before: Game, after: Game) -> bool:
    """Does the step from `before` to `after` end a game that counts?"""
    return before.status is not Status.OVER and after.status is Status.OVER and after.result != "*"


def counted(mine: Perf, opponent: Rating, finished: FinishedGame, color: Color) -> tuple[Perf, RatingChange | None]:
    """The standing of the player of `color` after the game, and what it did to their rating.

    `opponent`: the other's rating before the game.
    """
    score = finished.score(color)
    after = replace(mine, record=mine.record.after(score))
    if not finished.rated:
        return after, None
    old = mine.rating
    new = rated(old, opponent, score, finished.at)
    doubt = round(old.aged(finished.at).deviation, 3)
    change = RatingChange(color, new.games, old.value, doubt, new.value, finished.at)
    return replace(after, rating=new), change


def to_fields(perf: Perf) -> Mapping[str, int | str]:
    """A standing in whole numbers, which every engine keeps and sorts exactly."""
    rating, record = perf.rating, perf.record
    return {
        "player": perf.player,
        "category": perf.category.key,
        "value": round(rating.value * MILLI),
        "deviation": round(rating.deviation * MILLI),
        "volatility": round(rating.volatility * MICRO),
        "rated": rating.games,
        "at": rating.at,
        "sure_until": rating.established_until,
        "won": record.won,
        "drawn": record.drawn,
        "lost": record.lost,
    }


FIELDS = tuple(to_fields(Perf("", Category("", False, Speed.BLITZ))))
"""The names of the fields of a standing."""


def from_fields(fields: Fields) -> Perf:
    """The standing of which `to_fields` made `fields`; others among them do not matter. Raises as `fields` says."""
    rating = Rating(
        _within(fields, "value", MAX_VALUE) / MILLI,
        _within(fields, "deviation", MAX_VALUE) / MILLI,
        _within(fields, "volatility", MAX_VALUE) / MICRO,
        _within(fields, "rated", MAX_GAMES),
        instant(fields, "at"),
    )
    return Perf(text(fields, "player"), Category.from_key(text(fields, "category")), rating, record_of(fields))


def change_of(fields: Fields) -> RatingChange:
    """The change of stored fields, in thousandths of a point. Raises as `fields` says."""
    return RatingChange(
        COLORS[text(fields, "color")],
        _within(fields, "number", MAX_GAMES),
        _within(fields, "before", MAX_VALUE) / MILLI,
        _within(fields, "deviation", MAX_VALUE) / MILLI,
        _within(fields, "after", MAX_VALUE) / MILLI,
        instant(fields, "at"),
    )


def record_of(fields: Fields) -> Record:
    """Raises as `fields` says."""
    return Record(*(_within(fields, name, MAX_GAMES) for name in ("won", "drawn", "lost")))


def _within(fields: Fields, name: str, most: int) -> int:
    value = number(fields, name)
    if not 0 <= value <= most:
        raise ValueError(f"{name} is beyond reason")
    return value
