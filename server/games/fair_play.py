"""Fair play: who aborts too much, and which results look farmed. Only looks at what it is given; others act on it.

*Aborts.* Everybody aborts a game now and then. Those who do it again and again are picking their opponents or their
colour, at the expense of everybody who is paired with them, so they are banned from pairing for a while (a playban).

*Rating farming.* Players who rise by beating one opponent over and over, or several accounts that only lose to them.
Nothing here is proof: friends of unequal strength look the same, so the host should read the games before acting.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from server.games.changes.ending import Abort
from server.games.command import Command
from server.games.player import Player
from server.games.state import Game
from server.rules.variant.pieces import Color

RECENT_MS: Final = 3 * 3_600_000
FREE_ABORTS: Final = 2
"""Recent aborts that bring no ban."""
FREE_ABORTS_OF_NETWORK: Final = 2 * FREE_ABORTS
"""The same for all guests of one network together: each of them may have had bad luck."""
FIRST_BAN_MS: Final = 5 * 60_000
LONGEST_BAN_MS: Final = 3_600_000
ARRIVAL_MS: Final = 15_000
"""How long somebody who has been paired may take to reach the board on a slow connection."""
MAX_KEPT: Final = 8
"""By then the ban is the longest there is."""


@dataclass(frozen=True, slots=True)
class Aborts:
    """When (ms) one person aborted, oldest first. Those that were no longer recent at the latest one are dropped."""

    at: tuple[int, ...] = ()

    def one_more(self, now: int) -> "Aborts":
        """The same with an abort at `now` (ms)."""
        return Aborts((*(at for at in self.at if now - at < RECENT_MS), now)[-MAX_KEPT:])

    @property
    def banned_until(self) -> int:
        """When (ms) they may be paired again; 0 if they are not banned."""
        return self.banned_after(FREE_ABORTS)

    def banned_after(self, free: int) -> int:
        """The same if `free` recent aborts bring no ban."""
        over = len(self.at) - free
        return self.at[-1] + min(LONGEST_BAN_MS, FIRST_BAN_MS << (over - 1)) if over > 0 else 0


def players_at_fault(
    before: Game, command: Command, after: Game, never_came: Collection[Color], now: int, *, in_doubt: bool = False
) -> tuple[Player, ...]:
    """The players to blame if this step ends the game before it began; () if it does not, or a seat was empty.

    Those who never came to the board, if they had time to; otherwise the one who aborts or makes no first move in time.
    `never_came`: the sides that had not been seen at the board by `now` (ms). `in_doubt`: or they were there unseen, so
    that only a player is blamed who is at fault in either case.
    """
    if before.outcome is not None or after.outcome is None or after.white is None or after.black is None:
        return ()
    match after.outcome.reason:
        case "abort" if isinstance(command, Abort):
            ended_by = command.color
        case "expired":
            ended_by = before.to_move
        case _:
            return ()
    missing = tuple(never_came) if now - before.created >= ARRIVAL_MS else ()
    if in_doubt and any(color is not ended_by for color in missing):
        return ()
    return _known(map(after.player, missing or (ended_by,)))


def _known(players: Iterable[Player | None]) -> tuple[Player, ...]:
    return tuple(one for one in players if one is not None)


MIN_GAMES: Final = 10
"""Rated games of a pair; fewer say nothing."""
MIN_WON: Final = 0.9
"""Share of these games won by one side. A player 400 points stronger wins ten of eleven, but opponents that unequal
seldom keep playing each other."""
QUICK_PLIES: Final = 20
"""A game given up within ten moves of each side was hardly played."""
GIVEN_UP: Final = frozenset({"resign", "time", "left"})
"""Endings by which a player can lose on purpose in any position."""
MIN_QUICK: Final = 0.5
"""Share of quick games among those won by the winning side."""
MIN_GAIN: Final = 100
"""Rating points won from one opponent. A fair win against a much weaker player brings a point or two."""
MIN_FROM_ONE: Final = 2
"""Games lost by each of several losers: there is nothing strange about a newcomer who gives up their only game."""
MIN_LOSERS: Final = 2
SHOWN_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One rated game from one player's side. `gain`: how it changed their rating; `other_gain`: the opponent's.

    `won`: None for a draw.
    """

    id: str
    won: bool | None
    reason: str
    plies: int
    gain: float
    other_gain: float

    @property
    def quick(self) -> bool:
        """Did somebody give up after few half-moves?"""
        return self.reason in GIVEN_UP and self.plies <= QUICK_PLIES


@dataclass(frozen=True, slots=True)
class Winnings:
    """What one player won in a series. `examples`: some of the games won, quick ones first."""

    won: int = 0
    quick: int = 0
    gain: float = 0.0
    examples: tuple[tuple[bool, str], ...] = ()

    def after(self, game: RatedGame, *, won: bool, gain: float) -> "Winnings":
        """With one more rated game of the series. `gain`: the player's, in rating points."""
        one = Winnings(1, game.quick, gain, ((not game.quick, game.id),)) if won else Winnings(gain=gain)
        return self + one

    def __add__(self, other: "Winnings") -> "Winnings":
        examples = tuple(sorted((*self.examples, *other.examples))[:SHOWN_GAMES])
        return Winnings(self.won + other.won, self.quick + other.quick, self.gain + other.gain, examples)


@dataclass(frozen=True, slots=True)
class Series:
    """The rated games of two players, `one` and `other`, summed up."""

    games: int = 0
    one: Winnings = Winnings()
    other: Winnings = Winnings()

    def after(self, game: RatedGame) -> "Series":
        """With one more game, seen from the side of `one`."""
        return Series(
            self.games + 1,
            self.one.after(game, won=game.won is True, gain=game.gain),
            self.other.after(game, won=game.won is False, gain=game.other_gain),
        )

    @property
    def farmed(self) -> bool:
        """Does one side nearly always win, and either quickly or with a large gain?"""
        side = self.winning
        if self.games < MIN_GAMES or side.won < MIN_WON * self.games:
            return False
        return side.quick >= MIN_QUICK * side.won or side.gain >= MIN_GAIN

    @property
    def winning(self) -> Winnings:
        """The winnings of the player who has won more."""
        return self.one if self.one.won >= self.other.won else self.other

    @property
    def thrown_away(self) -> bool:
        """Has one side given up nearly all of them at once, however few there are?"""
        side = self.winning
        return self.games >= MIN_FROM_ONE and side.won >= MIN_WON * self.games and side.quick >= MIN_QUICK * side.won


@dataclass(frozen=True, slots=True)
class Losses:
    """All games of one player, rated or not. `to` is the opponent who has won most of them."""

    games: int = 0
    lost: int = 0
    to: str = ""
    lost_to: int = 0

    def after(self, opponent: str, games: int, lost: int) -> "Losses":
        """With the games against one more opponent."""
        total = replace(self, games=self.games + games, lost=self.lost + lost)
        return replace(total, to=opponent, lost_to=lost) if lost > self.lost_to else total

    @property
    def only(self) -> bool:
        """Does this player do little but lose, mostly to one opponent? Real players win some, and play others."""
        return self.lost_to >= MIN_FROM_ONE and self.lost >= MIN_WON * self.games and self.lost_to * 2 >= self.games


@dataclass(frozen=True, slots=True)
class Harvest:
    """What one player won from all those who did little but lose to them."""

    losers: int = 0
    games: int = 0
    side: Winnings = Winnings()

    @classmethod
    def of(cls, all_series: Iterable[Series]) -> "Harvest":
        """`all_series`: one for each loser."""
        harvest = cls()
        for series in all_series:
            if series.thrown_away:
                harvest = cls(harvest.losers + 1, harvest.games + series.games, harvest.side + series.winning)
        return harvest

    @property
    def farmed(self) -> bool:
        return self.losers >= MIN_LOSERS and self.games >= MIN_GAMES
