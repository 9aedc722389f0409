"""Playbans: players who have aborted too many games must wait for the next opponent.

They are kept in memory, for a limited number of people, like all rate limits: a restart clears them, and each process
counts what was paired and aborted there.
"""

from dataclasses import dataclass
from typing import Final

from server.games.errors import Gone, Playbanned
from server.games.fair_play.aborts import FREE_ABORTS_OF_NETWORK, Aborts
from server.games.player import Player
from server.realtime.process.bounded_dict import BoundedDict

MAX_PEOPLE: Final = 10_000
MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Guest:
    """The network from which a guest has looked for an opponent, and when (ms) the guest was created."""

    network: str
    created: int


class Playbans:
    """By player id, so guests too; those who aborted longest ago are forgotten first.

    With a new cookie a guest gets a new id. So guests who were created after others of their network had begun to
    abort share their bans; those created before, and people with an account, do not.
    """

    def __init__(self) -> None:
        self._by_id: BoundedDict[str, Aborts] = BoundedDict(MAX_PEOPLE)
        self._by_network: BoundedDict[str, Aborts] = BoundedDict(MAX_PEOPLE)
        self._guests: BoundedDict[str, Guest] = BoundedDict(MAX_PEOPLE)

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, player: Player, now: int) -> None:
        """Counts an abort by `player` at `now` (ms)."""
        self._by_id[player.id] = self._by_id.get(player.id, Aborts()).one_more(now)
        if (guest := self._guests.get(player.id)) is not None:
            self._by_network[guest.network] = self._by_network.get(guest.network, Aborts()).one_more(now)

    def note_guest(self, player: Player, network: str, created: int) -> None:
        """Notes that a guest, created at `created` (ms), looks for an opponent from that network."""
        self._guests[player.id] = Guest(network, created)

    def check(self, player: Player, now: int) -> None:
        """Raises Playbanned if they may not look for an opponent yet."""
        if (left := self._left(player, now)) > 0:
            raise Playbanned(n=-(-left // MINUTE_MS))

    def check_both(self, maker: Player, taker: Player, now: int) -> None:
        """Raises Gone if either is banned, even if the seek is older than the ban."""
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
