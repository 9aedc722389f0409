"""Whether a player is at the board.

A player is here while one of their connections answers, however many tabs they have. When the last one goes they have
left (the page said goodbye), are elsewhere (it said so because it made way for another page of this site), or are lost
(the connection broke or stopped answering). After an allowance the opponent may claim the game; nothing happens by
itself. The allowances are those of lichess, longer in slower games; to look at another page of the site, the rules of
the variant perhaps, is not to leave the game, and has the longer one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.clocks.time_control import Speed, TimeControl, speed_for
from server.rules.variant.pieces import Color

LEFT_MS: Final = 10_000
LOST_MS: Final = 40_000
HEARSAY_MS: Final = 25_000
"""How long the word of another process counts that it has the player; it is repeated more than twice as often."""
PATIENCE: Final = {Speed.RAPID: 2, Speed.CLASSICAL: 3}


class PresenceState(StrEnum):
    HERE = "here"
    LEFT = "left"
    ELSEWHERE = "elsewhere"
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

    def depart(self, now: int, to: PresenceState, *, silent: bool = False) -> bool:
        """Removes a connection, `silent` or not; `to`: what they are if it was the last. True if the state changes."""
        self.connections -= 1
        self.silent -= silent
        return self._gone(to, now)

    def hear(self, state: PresenceState, now: int) -> bool:
        """Notes what another process says of the player. True if anything changes."""
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
        """Drops what another process said if that is too long ago. True if anything changes."""
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


class BoardsElsewhere:
    """The players at the boards of other processes, as far as those have told lately.

    A round knows it of its own game. This is for games that are not in memory here: a player who is to be notified of
    such a game may have its board open elsewhere. What is not repeated in time is forgotten, so the people of a process
    that died are soon gone.
    """

    def __init__(self) -> None:
        self._heard: dict[tuple[str, Color], int] = {}
        """When (ms) it was last said that this side's player is at the board, the oldest first."""

    def hear_presence(self, game: str, color: Color, state: PresenceState, now: int) -> None:
        """Notes what another process says of that side's player, at `now` (ms)."""
        seat = game, color
        self._heard.pop(seat, None)
        if state is PresenceState.HERE:
            self._heard[seat] = now
        while self._heard and _is_old(self._heard[oldest := next(iter(self._heard))], now):
            del self._heard[oldest]

    def here(self, game: str, now: int) -> Mapping[Color, int]:
        """The sides of that game whose players are at its board, and when (ms) that was last said."""
        found = {color: self._heard.get((game, color)) for color in Color}
        return {color: at for color, at in found.items() if at is not None and not _is_old(at, now)}


def _is_old(at: int, now: int) -> bool:
    return at <= now - HEARSAY_MS
