"""Ratings, tallies and scores against opponents in a store.

A game that ends with a result is marked as uncounted in the write that ends it. `count` counts it once, however often
it is called, and removes the mark, so a crash only delays it.

A perf is a player's tally in one category, with a rating that only rated games change. Categories differ by variant,
by whether the start is shuffled, and by speed. Times are ms since the epoch.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from heapq import nlargest
from typing import Protocol

from server.games.clocks.time_control import Speed, speed_of
from server.games.rating import PROVISIONAL_ABOVE, Rating, rated
from server.games.state import Game
from server.games.status import Status
from server.games.terms import Terms
from server.rules.variant.pieces import Color
from server.storage.fields import Fields, FlatRecord, instant, text, within
from server.storage.replay import COLORS

MILLI = 1_000
MICRO = 1_000_000
SHUFFLED = "+960"
MAX_VALUE = 100_000 * MILLI
MAX_GAMES = 10**9
"""No rating or tally exceeds these: such a one is damaged."""


@dataclass(frozen=True, slots=True)
class Category:
    """Games that share a rating."""

    variant: str
    chess960: bool
    speed: Speed

    @property
    def key(self) -> str:
        """ "grand+960/blitz": stored, and read by `from_key`."""
        return f"{self.variant}{SHUFFLED if self.chess960 else ''}/{self.speed}"

    @classmethod
    def of(cls, terms: Terms) -> "Category":
        return cls(terms.variant.id, terms.chess960, speed_of(terms.control))

    @classmethod
    def from_key(cls, key: str) -> "Category":
        """The category of a key. Raises ValueError for an invalid one."""
        variant, _, speed = key.partition("/")
        return cls(variant.removesuffix(SHUFFLED), variant.endswith(SHUFFLED), Speed(speed))


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game to be counted. `white`, `black`: ids; "" for a player without account here (any more)."""

    game: str
    category: Category
    rated: bool
    white: str
    black: str
    winner: Color | None
    at: int

    def player(self, color: Color) -> str:
        """The id; "" for somebody without an account."""
        return self.white if color is Color.WHITE else self.black

    def score(self, color: Color) -> float:
        """1 won, 0.5 drawn, 0 lost."""
        return 0.5 if self.winner is None else float(self.winner is color)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost, rated or not."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    def after(self, score: float) -> "Tally":
        """With one more game. `score`: 1 won, 0.5 drawn, 0 lost."""
        return self + Tally(int(score == 1), int(score == 0.5), int(score == 0))


@dataclass(frozen=True, slots=True)
class Perf:
    """A player's tally and rating in a category. `rating.games` counts the rated games."""

    player: str
    category: Category
    rating: Rating = field(default_factory=Rating)
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """How one game changed one rating. `number`: of the player's rated games, from 1.

    `before`, `after`: ratings. `deviation`: before the game, aged until then.
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
"""By colour; missing if that rating did not change."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's tally against `opponent`, whose name is None if their account is gone."""

    opponent: str
    name: str | None
    registered: bool
    tally: Tally


@dataclass(frozen=True, slots=True)
class RatedOpponent:
    """Somebody in a rated game, called `name`, and how it changed their rating."""

    game: str
    name: str
    change: RatingChange


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a leaderboard."""

    name: str
    perf: Perf


class RatingStore(Protocol):
    """All methods raise Unavailable."""

    async def uncounted(self, limit: int, but: Set[str] = frozenset()) -> Sequence[FinishedGame]:
        """Finished games not counted yet, without the ids in `but` and damaged ones.

        Only an empty answer means that there are no more.
        """

    async def count(self, finished: FinishedGame) -> None:
        """Counts a game that is marked as uncounted; does nothing if it is not.

        Raises Unreadable if a player's tally is damaged; then the game stays uncounted.
        """

    async def changes(self, game_id: str) -> RatingChanges:
        """How a game changed ratings; empty if it is casual or not counted yet."""

    async def perf(self, player: str, category: Category) -> Perf:
        """A player's perf; the default one if they have not played in that category."""

    async def perfs(self, player: str) -> Sequence[Perf]:
        """All perfs of a player, in no particular order."""

    async def perfs_of(self, players: Set[str]) -> Sequence[Perf]:
        """All perfs of these players (ids) with rated games, in no particular order."""

    async def history(self, player: str, category: Category, limit: int) -> Sequence[RatingChange]:
        """The rating changes of the last `limit` rated games, oldest first."""

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        """Scores against their most frequent opponents, these first."""

    async def strongest(self, player: str, games: Sequence[str], limit: int) -> Sequence[RatedOpponent]:
        """The opponents of `player` in these games with the highest ratings before, these first.

        Provisional ratings and deleted accounts are left out.
        """

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        """The best by rating; those whose rating is provisional at `now` come last."""

    async def latest_category(self) -> Category | None:
        """The category of the latest rated game."""

    async def names_starting_with(self, prefix: str, limit: int) -> Sequence[str]:
        """The names of registered players whose folded form starts with `prefix`, in that order."""

    async def forget(self, player: str) -> None:
        """Deletes everything of a player but what belongs to their opponents. Repeating it changes nothing."""

    async def hand_over(self, guest: str, heir: str) -> None:
        """Passes a guest's tally to `heir`, once, however often this is called."""


def strongest(opponents: Sequence[RatedOpponent], limit: int) -> Sequence[RatedOpponent]:
    """Up to `limit` with the highest ratings before, these first, of equal ones the latest; no provisional ones."""
    sure = (one for one in opponents if not one.change.provisional)
    return nlargest(limit, sure, key=lambda one: (one.change.before, one.change.at))


def newly_uncounted(before: Game, after: Game) -> bool:
    """Does the change from `before` to `after` end a game that counts? None against the computer does."""
    ended = before.status is not Status.OVER and after.status is Status.OVER
    return ended and after.result != "*" and after.computer is None


def counted(mine: Perf, opponent: Rating, finished: FinishedGame, color: Color) -> tuple[Perf, RatingChange | None]:
    """The perf of the player of `color` after the game, and the change of their rating (None: casual).

    `opponent`: the other's rating before the game.
    """
    score = finished.score(color)
    after = replace(mine, tally=mine.tally.after(score))
    if not finished.rated:
        return after, None
    old = mine.rating
    new = rated(old, opponent, score, finished.at)
    doubt = round(old.aged(finished.at).deviation, 3)
    change = RatingChange(color, new.games, old.value, doubt, new.value, finished.at)
    return replace(after, rating=new), change


def to_fields(perf: Perf) -> FlatRecord:
    """A perf in whole numbers, which every engine stores and sorts exactly."""
    rating, tally = perf.rating, perf.tally
    return {
        "player": perf.player,
        "category": perf.category.key,
        "value": round(rating.value * MILLI),
        "deviation": round(rating.deviation * MILLI),
        "volatility": round(rating.volatility * MICRO),
        "rated": rating.games,
        "at": rating.at,
        "sure_until": rating.established_until,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
    }


def from_fields(fields: Fields) -> Perf:
    """The perf of stored fields; further fields do not matter. Raises as `fields` says."""
    rating = Rating(
        within(fields, "value", MAX_VALUE) / MILLI,
        within(fields, "deviation", MAX_VALUE) / MILLI,
        within(fields, "volatility", MAX_VALUE) / MICRO,
        within(fields, "rated", MAX_GAMES),
        instant(fields, "at"),
    )
    return Perf(text(fields, "player"), Category.from_key(text(fields, "category")), rating, tally_of(fields))


def change_of(fields: Fields) -> RatingChange:
    """The change of stored fields, which are in thousandths of a point. Raises as `fields` says."""
    return RatingChange(
        COLORS[text(fields, "color")],
        within(fields, "number", MAX_GAMES),
        within(fields, "before", MAX_VALUE) / MILLI,
        within(fields, "deviation", MAX_VALUE) / MILLI,
        within(fields, "after", MAX_VALUE) / MILLI,
        instant(fields, "at"),
    )


def tally_of(fields: Fields) -> Tally:
    """Raises as `fields` says."""
    return Tally(*(within(fields, name, MAX_GAMES) for name in ("won", "drawn", "lost")))
