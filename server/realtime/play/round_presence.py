"""Whether the players of a round are at the board, and what that allows: a claim, or resuming a paused clock."""

from typing import Final

from server.games.clocks.time_control import for_color
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.presence import PlayerPresence, PresenceState
from server.realtime.protocol.outbound import PresenceOut, SeatPresence
from server.rules.variant.pieces import Color

RESUME_WITH_ONE_MS: Final = 15_000
RESUME_ALONE_MS: Final = 60_000


class RoundPresence:
    """`opened`: when this process loaded the game, ms: nobody was seen before."""

    __slots__ = ("_resume_at", "_seats", "opened")

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self._seats = (PlayerPresence(opened), PlayerPresence(opened))
        self._resume_at: int | None = None

    def __getitem__(self, color: Color) -> PlayerPresence:
        return for_color(self._seats, color)

    @property
    def players_here(self) -> int:
        """How many of the two players are here."""
        return len(self.here)

    @property
    def here(self) -> tuple[Color, ...]:
        """The sides whose players are at the board, wherever they are connected."""
        return tuple(color for color in Color if self[color].state is PresenceState.HERE)

    @property
    def never_came(self) -> tuple[Color, ...]:
        """The sides that no process has seen here since this one loaded the game."""
        return tuple(color for color in Color if self[color].state is PresenceState.AWAY)

    def arrive(self, color: Color | None, now: int, silent: bool) -> bool:
        """Adds a connection of the player of `color` (None: a watcher). True if they arrive."""
        if color is None:
            return False
        came = self[color].arrive(now)
        if silent and self[color].silence_changed(True, now):
            return False
        return came

    def depart(self, color: Color | None, now: int, silent: bool, to: PresenceState) -> bool:
        """Removes a connection, as `PlayerPresence.depart`. True if it was the last one of a player that answered."""
        return color is not None and self[color].depart(now, to, silent=silent)

    def silence_changed(self, color: Color | None, now: int, silent: bool) -> bool:
        """A connection has become `silent`, or answers again. True if a player's presence changes."""
        return color is not None and self[color].silence_changed(silent, now)

    def claimable_at(self, game: Game, absent: Color) -> int | None:
        """When (ms) the opponent of `absent` may claim the game; None if there is nothing to claim.

        The computer, which nobody sees at the board, is always there.
        """
        seat = self[absent]
        if seat.state is PresenceState.HERE or game.computer is absent:
            return None
        if game.status is not Status.LIVE or not game.started or game.clock.paused_at is not None:
            return None
        return seat.claimable_at(game.terms.control, absent)

    def resumes_at(self, game: Game, now: int) -> int | None:
        """When a clock that was paused by a downtime resumes, as far as is known at `now` (ms); None if none is paused.

        When both players are here (against the computer, the person), 15 s after the first one is, or 60 s after the
        start. A player who leaves again does not put it off.
        """
        if game.clock.paused_at is None or game.status is not Status.LIVE or game.waits_for_players:
            self._resume_at = None
            return None
        latest = self.opened + RESUME_ALONE_MS if self._resume_at is None else self._resume_at
        if self.players_here:
            latest = min(latest, now + RESUME_WITH_ONE_MS)
        awaited = len(Color) if game.computer is None else 1
        self._resume_at = now if self.players_here == awaited else latest
        return self._resume_at

    def no_show(self, game: Game) -> Player | None:
        """The player who waited alone when `game` was called off because nobody moved in time; None: nobody."""
        if game.outcome is None or game.outcome.reason != "expired" or game.computer is not None:
            return None
        return game.player(self.here[0]) if len(self.here) == 1 else None

    def message(self, game: Game, now: int, watchers: int, lags: dict[Color, int]) -> PresenceOut:
        """Who is here at `now` (ms). A countdown is shown only if it ends before the flag would fall."""
        resumes_at = self.resumes_at(game, now)
        return PresenceOut(
            white=self._told(game, Color.WHITE, now, lags),
            black=self._told(game, Color.BLACK, now, lags),
            watchers=watchers,
            resume_in=None if resumes_at is None else max(0, resumes_at - now),
        )

    def _told(self, game: Game, color: Color, now: int, lags: dict[Color, int]) -> SeatPresence:
        at = self.claimable_at(game, color)
        deadline = game.deadline
        if at is not None and deadline is not None and game.clock.turn is color and at >= deadline:
            at = None
        here = self[color].state is PresenceState.HERE
        timed = game.terms.control.by_the_minute
        return SeatPresence(
            here=self[color].state.value,
            lag=(lags.get(color) or None) if timed else None,
            since=None if here else max(0, now - self[color].since),
            claim_in=None if at is None else max(0, at - now),
        )
