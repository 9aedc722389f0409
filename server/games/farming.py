"""Results that look farmed: two people who play each other so that one of them rises. Pure; judges what was counted.

Nothing here is proof. Friends of unlike strength look alike, so a host reads the games before anything is done.
"""

from dataclasses import dataclass, replace
from typing import Final

LEAST_GAMES: Final = 10
"""Rated games of one pair: fewer say nothing."""
LEAST_WON: Final = 0.9
"""Of these games by one side. 400 points of difference let the stronger win ten of eleven, and opponents so unlike
seldom look for each other again and again."""
QUICK_PLIES: Final = 20
"""A game that was given up within ten moves of each side was hardly played."""
GIVEN_UP: Final = frozenset({"resign", "time", "left"})
"""Endings by which a game can be lost on purpose, whatever stands on the board."""
LEAST_QUICK: Final = 0.5
"""Of the games that the winning side won."""
LEAST_GAIN: Final = 100
"""Points out of one opponent: against somebody much weaker a fair game brings a point or two."""
SHOWN_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One game that was counted, as one of its two players sees it. `gain`: by how much it moved their rating.

    `other_gain`: the same of the opponent. `won`: None for a draw.
    """

    id: str
    won: bool | None
    reason: str
    plies: int
    gain: float
    other_gain: float

    @property
    def quick(self) -> bool:
        return self.reason in GIVEN_UP and self.plies <= QUICK_PLIES


@dataclass(frozen=True, slots=True)
class Side:
    """What one of two players has had of their games. `examples`: some of those won, the quick ones first."""

    won: int = 0
    quick: int = 0
    gain: float = 0.0
    examples: tuple[tuple[bool, str], ...] = ()

    def after(self, game: RatedGame, *, won: bool, gain: float) -> "Side":
        gained = replace(self, gain=self.gain + gain)
        if not won:
            return gained
        examples = tuple(sorted((*self.examples, (not game.quick, game.id)))[:SHOWN_GAMES])
        return replace(gained, won=self.won + 1, quick=self.quick + game.quick, examples=examples)


@dataclass(frozen=True, slots=True)
class Series:
    """All rated games of two players, `one` and `other`. It does not grow with them."""

    games: int = 0
    one: Side = Side()
    other: Side = Side()

    def after(self, game: RatedGame) -> "Series":
        """With one more, as `one` sees it."""
        return Series(
            self.games + 1,
            self.one.after(game, won=game.won is True, gain=game.gain),
            self.other.after(game, won=game.won is False, gain=game.other_gain),
        )

    @property
    def farmed(self) -> bool:
        """Does one side nearly always win, and that quickly or with much gain?"""
        side = self.winning
        if self.games < LEAST_GAMES or side.won < LEAST_WON * self.games:
            return False
        return side.quick >= LEAST_QUICK * side.won or side.gain >= LEAST_GAIN

    @property
    def winning(self) -> Side:
        """Whoever has won more."""
        return self.one if self.one.won >= self.other.won else self.other
