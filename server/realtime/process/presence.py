"""Whether a player is at the board.

A player is here while one of their connections answers, however many tabs they have. When the last one goes they have
left (the page said goodbye) or are lost (the connection broke or stopped answering). After an allowance the opponent
may claim the game; nothing happens by itself. The allowances are those of lichess, longer in slower games.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.clocks.speed import Speed, speed_for
from server.games.clocks.time_control import TimeControl
from server.rules.variant.pieces import Color

LEFT_MS: Final = 10_000
LOST_MS: Final = 40_000
HEARSAY_MS: Final = 25_000
"""How long the word of another process counts that it has the player; it is repeated more than twice as often."""
PATIENCE: Final = {Speed.RAPID: 2, Speed.CLASSICAL: 3}


class PresenceState(StrEnum):
    HERE = "here"
    LEFT = "left"
    LOST = "lost"
    AWAY = "away"
    """Not seen since this process loaded the game."""


def claim_factor(control: TimeControl, color: Color) -> int | None:
    """The factor of the allowance of `color`; None: the opponent can never claim."""
    if not control.by_the_minute:
        return None
    return PATIENCE.get(speed_for(control.estimate_ms(color)), 1)


@dataclass(slots=True)
class PlayerPresence:
    """The presence of one player. `since`: when `state` last changed, ms. `silent`: `connections` that do not answer.

    `elsewhere_until`: until when the word of another process counts that it has the player, ms.
    """

    since: int
    state: PresenceState = PresenceState.AWAY
    connections: int = 0
    silent: int = 0
    elsewhere_until: int = 0

    def arrive(self, now: int) -> bool:
        """Adds a connection. True if the state changes."""
        self.connections += 1
        return self._move_to(PresenceState.HERE, now)

    def silence_changed(self, silent: bool, now: int) -> bool:
        """A connection stops answering, or a silent one answers again. True if the state changes."""
        self.silent += 1 if silent else -1
        return self._gone(PresenceState.LOST, now) if silent else self._move_to(PresenceState.HERE, now)

    def depart(self, now: int, said_goodbye: bool, *, silent: bool = False) -> bool:
        """Removes a connection, `silent` or not. True if the state changes."""
        self.connections -= 1
        self.silent -= silent
        return self._gone(PresenceState.LEFT if said_goodbye else PresenceState.LOST, now)

    def hear(self, state: PresenceState, now: int) -> bool:
        """Takes the word of another process. True if anything changes."""
        if state is PresenceState.HERE:
            self.elsewhere_until = now + HEARSAY_MS
            return self._move_to(state, now)
        self.elsewhere_until = now
        return self._gone(state, now)

    @property
    def answers(self) -> bool:
        """Is the player connected here, by a connection that answers?"""
        return self.connections > self.silent

    def only_here(self, at: int) -> bool:
        """Are they connected here, and, as far as was known at `at` (ms), to no other process?"""
        return self.connections > 0 and self.elsewhere_until <= at

    def forget(self, now: int) -> bool:
        """Drops the word of another process if it is too old. True if anything changes."""
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

    def claimable_at(self, control: TimeControl, color: Color) -> int | None:
        """When (ms) the opponent of `color`, whose presence it is, may claim; None if there is nothing to claim."""
        factor = None if self.state is PresenceState.HERE else claim_factor(control, color)
        if factor is None:
            return None
        allowance = LEFT_MS if self.state is PresenceState.LEFT else LOST_MS
        return self.since + allowance * factor
