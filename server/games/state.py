"""One game as a value: everything that is true of it now, and what follows from that. Changes live in `game.play`.

Knows no storage and no clock of the machine. No old position is kept: moves are short texts, and a takeback replays.
"""

from dataclasses import dataclass
from enum import StrEnum

from server.games.append_only import AppendOnlySequence
from server.games.clock import Clock, PerSide
from server.games.frozen import replace
from server.games.import_source import ImportSource
from server.games.player import Player
from server.games.repetition import RepetitionHistory
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color

NO_RESULT = frozenset({"abort", "expired", "declined", "unfinished"})
"""Reasons of an outcome that leaves a game without result. "unfinished": only in games that were played elsewhere."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One half-move. `left_ms`: what the mover's clock showed after it (None: no clock of minutes).

    `given_back`: lag returned to the mover, ms.
    """

    uci: str
    san: str
    left_ms: int | None
    given_back: int


class OfferKind(StrEnum):
    """What one player can propose and the other accept."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    REMATCH = "rematch"
    ADJOURN = "adjourn"


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal that stands. `id` is never used again in this game; `ply`: half-moves played when it was made."""

    id: int
    kind: OfferKind
    by: Color
    ply: int


@dataclass(frozen=True, slots=True)
class OfferLimits:
    """How much each side has asked for already, so that nobody is pestered.

    `draw_ply`: half-moves played at the last draw offer (-1: none yet). `takebacks`, `rematches` and `adjourns`: offers
    made since the last one that was accepted.
    """

    draw_ply: PerSide = (-1, -1)
    takebacks: PerSide = (0, 0)
    rematches: PerSide = (0, 0)
    adjourns: PerSide = (0, 0)


@dataclass(frozen=True, slots=True)
class Adjournment:
    """Since when (ms) the game is adjourned, and since when each side is ready to go on (0: it is not)."""

    at: int
    ready: PerSide = (0, 0)


Invite = str | Player
"""Who may take an empty seat: whoever has the secret with this SHA-256 hex digest, or this one person."""
Invites = tuple[Invite | None, Invite | None]
"""For White's and for Black's seat; None where nobody is expected."""


@dataclass(frozen=True, slots=True)
class Game:
    """See the module. Times are ms of the server's clock. `rev` rises by one with every change.

    `keys` are the repetition keys of all positions so far, the first included. `expires`: when an unstarted game
    (fewer than two half-moves) ends without result; None once it has started. `both_met`: both players have been at
    the board, so the first moves are due soon; `unhurried`: one of them had not played this variant before.
    `previous` and `next`: ids of the games joined to this by a rematch.
    """

    id: str
    rev: int
    terms: Terms
    white: Player | None
    black: Player | None
    invites: Invites
    status: Status
    position: Position
    plies: AppendOnlySequence[Ply]
    keys: RepetitionHistory
    clock: Clock
    created: int
    offers: tuple[Offer, ...] = ()
    next_offer: int = 1
    offer_limits: OfferLimits = OfferLimits()
    outcome: Outcome | None = None
    ended: int | None = None
    expires: int | None = None
    both_met: bool = False
    adjourned: Adjournment | None = None
    previous: str | None = None
    next: str | None = None
    unhurried: bool = False
    import_source: ImportSource | None = None
    """None: it was played here. Else it was over when it came, and its players have names but no ids."""

    @property
    def to_move(self) -> Color:
        return self.position.turn

    @property
    def started(self) -> bool:
        """Both sides have moved: the clock runs, a draw can be offered, nobody can abort."""
        return len(self.plies) >= 2

    @property
    def deadline(self) -> int | None:
        """When somebody must look at the game (Flag or Expire) though nobody acts, ms; None: never."""
        if self.status is Status.OVER or self.clock.paused_at is not None:
            return None
        return self.clock.deadline if self.clock.turn is not None else self.expires

    @property
    def result(self) -> str:
        """As in PGN: 1-0, 0-1, 1/2-1/2, or * while there is none."""
        if self.outcome is None or self.outcome.reason in NO_RESULT:
            return "*"
        return self.outcome.result

    def player(self, color: Color) -> Player | None:
        return self.white if color is Color.WHITE else self.black

    def color_of(self, player_id: str) -> Color | None:
        """The seat of that player, None if they have none."""
        for color in Color:
            seated = self.player(color)
            if seated is not None and seated.id == player_id:
                return color
        return None

    def mover_of(self, ply: int) -> Color:
        """Who played, or will play, half-move `ply`."""
        same_side = (len(self.plies) - ply) % 2 == 0
        return self.to_move if same_side else self.to_move.other

    def with_turn_from(self, at: int) -> "Game":
        """The game whose last move is shown only at `at`, ms, after it was stored: the next side's time begins then.

        Not a change to be stored by itself (`rev` stays): it is kept with the next one. For a wait that is worth
        telling the players about, use the command CreditStall instead.
        """
        return replace(self, clock=self.clock.credit(at - self.clock.since, at))
