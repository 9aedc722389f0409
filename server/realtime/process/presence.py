"""Who is at the board. Knows no sockets and no clock: arrivals, departures and times are told to it.

A player is here while one of their connections answers; it does not matter how many tabs they have. When the last one
goes they have left (the page said goodbye) or are lost (the line broke, or does not answer); only after an allowance
may the opponent claim the game, and nothing ever happens by itself. The allowances are those of lichess, longer in
slower games.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.clock import ClockKind, TimeControl
from server.games.speed import Speed, speed_for
from server.rules.variant.pieces import Color

LEFT_MS: Final = 10_000
LOST_MS: Final = 40_000
HEARSAY_MS: Final = 25_000
"""How long another process is believed that a player is with it; it repeats that more than twice as often."""
PATIENCE: Final = {Speed.RAPID: 2, Speed.CLASSICAL: 3}


class PresenceState(StrEnum):
    HERE = "here"
    LEFT = "left"
    LOST = "lost"
    AWAY = "away"
    """Not seen since this process has known the game."""


def claim_factor(control: TimeControl, color: Color) -> int | None:
    """By which factor the allowance of `color` is longer; None: the opponent can never claim."""
    if control.kind is not ClockKind.REALTIME:
        return None
    return PATIENCE.get(speed_for(control.estimate_ms(color)), 1)


@dataclass(slots=True)
class PlayerPresence:
    """One seat. `since` is when `state` became what it is, ms; `silent` of its `connections` do not answer.

    `elsewhere_until`: another process has said that the player is with it, and its word is good until then.
    """

    since: int
    state: PresenceState = PresenceState.AWAY
    connections: int = 0
    silent: int = 0
    elsewhere_until: int = 0

    def arrive(self, now: int) -> bool:
        """One more connection. True if that changes where the player is."""
        self.connections += 1
        return self._move_to(PresenceState.HERE, now)

    def fall_silent(self, now: int) -> bool:
        """One connection more does not answer. True if that changes where the player is."""
        self.silent += 1
        return self._gone(PresenceState.LOST, now)

    def answer(self, now: int) -> bool:
        """A connection that had fallen silent answers again. True if that changes where the player is."""
        self.silent -= 1
        return self._move_to(PresenceState.HERE, now)

    def depart(self, now: int, said_goodbye: bool, *, silent: bool = False) -> bool:
        """One connection fewer, which had fallen `silent` or not. True if that changes where the player is."""
        self.connections -= 1
        self.silent -= silent
        return self._gone(PresenceState.LEFT if said_goodbye else PresenceState.LOST, now)

    def hear(self, state: PresenceState, now: int) -> bool:
        """Another process says where the player is, as far as it knows. True if that changes anything."""
        if state is PresenceState.HERE:
            self.elsewhere_until = now + HEARSAY_MS
            return self._move_to(state, now)
        self.elsewhere_until = now
        return self._gone(state, now)

    @property
    def answers(self) -> bool:
        """Is the player connected here, by a line that answers?"""
        return self.connections > self.silent

    def only_here(self, at: int) -> bool:
        """Are they connected here, and were they, as far as was known at `at` (ms), with no other process?"""
        return self.connections > 0 and self.elsewhere_until <= at

    def forget(self, now: int) -> bool:
        """The other process may have died: its word is too old by now. True if that changes anything."""
        return self._gone(PresenceState.LOST, now)

    def _gone(self, state: PresenceState, now: int) -> bool:
        if self.state is not PresenceState.HERE or self.answers or self.elsewhere_until > now:
            return False
        return self._move_to(state, now)

    def _move_to(self, state: PresenceState, now: int) -> bool:
        if state is self.state:
            return False
        self.state = state
        self.since = now
        return True

    def claimable_at(self, factor: int | None) -> int | None:
        """From when on (ms) the opponent may claim; None while there is nothing to claim."""
        if factor is None or self.state is PresenceState.HERE:
            return None
        allowance = LEFT_MS if self.state is PresenceState.LEFT else LOST_MS
        return self.since + allowance * factor
