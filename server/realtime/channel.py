"""Everybody who follows one round, split by what they may read. Knows texts, not what they say.

Nothing here waits: a text goes into each outbox, the players' first, and a slow reader is his outbox's affair.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from server.games.player import Player
from server.realtime.lag import LagMeter
from server.realtime.outbox import Outbox
from server.rules.pieces import Color


@dataclass(eq=False, slots=True)
class Member:
    """One connection in a round. `player` is None for a passer-by without a name; `color` is his seat, if any."""

    outbox: Outbox
    player: Player | None
    color: Color | None = None
    meter: LagMeter = field(default_factory=LagMeter)


class Channel:
    """The members of one round."""

    __slots__ = ("_players", "_watchers")

    def __init__(self) -> None:
        self._players: list[Member] = []
        self._watchers: dict[Member, None] = {}

    def __iter__(self) -> Iterator[Member]:
        """Players first."""
        yield from tuple(self._players)
        yield from tuple(self._watchers)

    def __len__(self) -> int:
        return len(self._players) + len(self._watchers)

    @property
    def watchers(self) -> int:
        return len(self._watchers)

    def add(self, member: Member) -> None:
        if member.color is None:
            self._watchers[member] = None
        else:
            self._players.append(member)

    def remove(self, member: Member) -> None:
        if member.color is None:
            self._watchers.pop(member, None)
        elif member in self._players:
            self._players.remove(member)

    def seated(self, color: Color) -> list[Member]:
        """The connections of the player of `color`."""
        return [member for member in self._players if member.color is color]

    def watching(self) -> list[Member]:
        """The connections of those who have no seat."""
        return list(self._watchers)

    def put(self, players: str, watchers: str) -> None:
        """`players` to the players, then `watchers` to the watchers."""
        for member in self._players:
            member.outbox.put(players)
        for member in self._watchers:
            member.outbox.put(watchers)

    def put_latest(self, text: str) -> None:
        """`text` to everybody, in place of an earlier one of this kind that still waits."""
        for member in self:
            member.outbox.put_latest(text)
