"""Who has to wait for an opponent because they aborted several games. Knows no lobby and no round.

Only games that the lobby has made count: friends who play by link may leave as they like. Kept in the memory of this
process, for so many people at most, like every limit on how often something may be done: a restart forgives, and with
several processes each counts what was paired and aborted there.
"""

from collections import OrderedDict
from typing import Final

from server.games.aborts import Aborts
from server.games.errors import Gone, PausedAfterAborts
from server.games.player import Player

MOST_PEOPLE: Final = 10_000
MOST_GAMES: Final = 20_000
"""Of the lobby's, the newest: older ones have long begun."""
MINUTE_MS: Final = 60_000


class AbortsOfPeople:
    """By the person's id, so guests too; whoever aborted longest ago is forgotten first."""

    __slots__ = ("_by_id", "_paired")

    def __init__(self) -> None:
        self._by_id: OrderedDict[str, Aborts] = OrderedDict()
        self._paired: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_id)

    def paired(self, game_id: str) -> None:
        """The lobby has made this game."""
        self._paired[game_id] = None
        if len(self._paired) > MOST_GAMES:
            self._paired.popitem(last=False)

    def add(self, game_id: str, player: Player, now: int) -> None:
        """They are at fault that the game ended at `now` (ms) before it had begun."""
        if game_id not in self._paired:
            return
        self._by_id[player.id] = self._by_id.pop(player.id, Aborts()).one_more(now)
        if len(self._by_id) > MOST_PEOPLE:
            self._by_id.popitem(last=False)

    def check(self, player: Player, now: int) -> None:
        """May they look for an opponent? Raises PausedAfterAborts."""
        if (left := self._left(player, now)) > 0:
            raise PausedAfterAborts(-(-left // MINUTE_MS))

    def check_both(self, maker: Player, taker: Player, now: int) -> None:
        """What was sought before a pause is not played during it. Raises Gone."""
        if self._left(maker, now) > 0 or self._left(taker, now) > 0:
            raise Gone("This opponent cannot be paired at the moment.")

    def _left(self, player: Player, now: int) -> int:
        aborts = self._by_id.get(player.id)
        return 0 if aborts is None else aborts.paused_until - now
