"""Playbans: who has to wait for an opponent because they aborted several games. Knows no lobby and no round.

Kept in the memory of this process, for so many people at most, like every limit on how often something may be done: a
restart forgives, and with several processes each counts what was paired and aborted there.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from server.games.aborts import FREE_ABORTS_OF_NETWORK, Aborts
from server.games.errors import Gone, Playbanned
from server.games.player import Player

MAX_PEOPLE: Final = 10_000
MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Guest:
    """From where (any mark of a network) a guest has looked for an opponent, and when (ms) they were made."""

    network: str
    created: int


class Playbans:
    """By the person's id, so guests too; whoever aborted longest ago is forgotten first.

    A guest has a new id with a new cookie. So those who came to be after others of their network had begun to abort
    wait as if they were these; whoever was here before, or has an account, does not.
    """

    __slots__ = ("_by_id", "_by_network", "_guests")

    def __init__(self) -> None:
        self._by_id: OrderedDict[str, Aborts] = OrderedDict()
        self._by_network: OrderedDict[str, Aborts] = OrderedDict()
        self._guests: OrderedDict[str, Guest] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, player: Player, now: int) -> None:
        """They are at fault that a game ended at `now` (ms) before it had begun."""
        _add(self._by_id, player.id, now)
        if (guest := self._guests.get(player.id)) is not None:
            _add(self._by_network, guest.network, now)

    def note_guest(self, player: Player, network: str, created: int) -> None:
        """A guest, who was made at `created` (ms), looks for an opponent from there."""
        self._guests.pop(player.id, None)
        self._guests[player.id] = Guest(network, created)
        if len(self._guests) > MAX_PEOPLE:
            self._guests.popitem(last=False)

    def check(self, player: Player, now: int) -> None:
        """May they look for an opponent? Raises Playbanned."""
        if (left := self._left(player, now)) > 0:
            raise Playbanned(n=-(-left // MINUTE_MS))

    def check_both(self, maker: Player, taker: Player, now: int) -> None:
        """What was sought before a pause is not played during it. Raises Gone."""
        if self._left(maker, now) > 0 or self._left(taker, now) > 0:
            raise Gone("opponent_paused")

    def _left(self, player: Player, now: int) -> int:
        own = self._by_id.get(player.id, Aborts()).banned_until
        return max(own, self._paused_with_network(player)) - now

    def _paused_with_network(self, player: Player) -> int:
        guest = self._guests.get(player.id)
        theirs = Aborts() if guest is None else self._by_network.get(guest.network, Aborts())
        if guest is None or not theirs.at or guest.created <= theirs.at[0]:
            return 0
        return theirs.banned_after(FREE_ABORTS_OF_NETWORK)


def _add(known: OrderedDict[str, Aborts], key: str, now: int) -> None:
    known[key] = known.pop(key, Aborts()).one_more(now)
    if len(known) > MAX_PEOPLE:
        known.popitem(last=False)
