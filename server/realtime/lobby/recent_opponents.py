"""Who has just played whom: quick pairing lets others come first.

Two who both press "New opponent" want another one. So their seeks pass each other by for a while; if nobody else has
come by then, they play each other again, which is better than waiting on. Whoever takes the other's seek from the list
gets the game at once. Kept in memory, for a limited number of pairs, by each process for games that it has followed.
"""

from typing import Final

from server.games.seeks.seek import Seek
from server.games.state import Game
from server.games.status import Status
from server.realtime.process.bounded_dict import BoundedDict

LATELY_MS: Final = 120_000
"""So long after the end of their game two have just played each other."""
OTHERS_FIRST_MS: Final = 15_000
"""So long after the younger of their seeks was made they are not paired."""
MAX_PAIRS: Final = 10_000


class RecentOpponents:
    """By their ids."""

    def __init__(self) -> None:
        self._ended: BoundedDict[frozenset[str], tuple[str, int]] = BoundedDict(MAX_PAIRS)
        """By pair: their last game, and when (ms) it was seen to be over."""

    def note(self, game: Game, now: int) -> None:
        """Notes `game` if it is over; saying so again changes nothing."""
        if game.status is not Status.OVER or game.white is None or game.black is None or game.computer is not None:
            return
        pair = frozenset((game.white.id, game.black.id))
        if self._ended.get(pair, ("", 0))[0] != game.id:
            self._ended[pair] = game.id, now

    def others_first(self, one: Seek, other: Seek, now: int) -> bool:
        """Are the makers of these seeks to wait for somebody else at `now` (ms)?"""
        _, ended = self._ended.get(frozenset((one.maker.player.id, other.maker.player.id)), ("", None))
        if ended is None:
            return False
        made = max(one.created, other.created)
        return made < ended + LATELY_MS and now < made + OTHERS_FIRST_MS
