"""The state of one game as a value, and what follows from it. `game.play` changes it.

Old positions are not kept: moves are short texts, and a takeback replays them.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.append_only import AppendOnlySequence, RepetitionHistory
from server.games.clocks.clock import Clock
from server.games.clocks.time_control import PerSide, for_color
from server.games.conditional import NO_MOVES, MoveTree
from server.games.frozen import replace
from server.games.player import Player
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome
from server.rules.movegen.position import Position
from server.rules.notation.pgn_line import one_line
from server.rules.variant.pieces import Color

LONGEST_TEXT = 120
"""Characters of a tag that a page shows."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """`tags`: names and values in the order of the file, without those that follow from the game.

    `movetext`: the moves with comments, glyphs and variations as PGN, to be exported unchanged; "" if the moves have
    nothing but clock times.
    """

    tags: tuple[tuple[str, str], ...] = ()
    movetext: str = ""

    @property
    def event(self) -> str:
        return self.tag("Event")

    @property
    def site(self) -> str:
        return self.tag("Site")

    @property
    def date(self) -> str:
        return self.tag("Date")

    def tag(self, name: str) -> str:
        """The value of a tag as a page may show it; "" if the file has none."""
        return cleaned(dict(self.tags).get(name, ""), LONGEST_TEXT)


def cleaned(text: str, longest: int) -> str:
    """`text` as one line of at most `longest` printable characters."""
    return one_line(text)[:longest]


DECLINE_REASONS: Final = (
    "later", "toofast", "tooslow", "timecontrol", "rated", "casual", "standard", "variant", "nobot", "onlybot",
)  # fmt: skip
"""Why a program declines a challenge, as clients of lichess write it: there is one more, that it gives no reason."""
NO_RESULT = frozenset({"abort", "expired", "declined", "unfinished"})
"""Reasons of outcomes without result. "unfinished" occurs in imported games only."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One half-move. `left_ms`: the mover's clock after it, or what was left of the days for it; None without a clock.

    `given_back`: lag given back to the mover, ms.
    """

    uci: str
    san: str
    left_ms: int | None
    given_back: int


class OfferKind(StrEnum):
    """What one player can offer and the other accept. A pause is the adjournment of a correspondence game."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    REMATCH = "rematch"
    ADJOURN = "adjourn"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer. `id` is unique in the game; `ply`: half-moves played when it was made.

    `next_id`: the id of the game that an agreed rematch will be, which nobody is told before; so whoever accepts it,
    and wherever, it is one game. None: drawn by whoever accepts, as earlier releases did.
    """

    id: int
    kind: OfferKind
    by: Color
    ply: int
    next_id: str | None = None


@dataclass(frozen=True, slots=True)
class OfferLimits:
    """What each side has already offered, so that nobody is pestered.

    `draw_ply`: half-moves played at the last draw offer; -1: none yet. `takebacks`, `rematches`, `adjourns` (pauses,
    too): offers since the last accepted one.
    """

    draw_ply: PerSide = (-1, -1)
    takebacks: PerSide = (0, 0)
    rematches: PerSide = (0, 0)
    adjourns: PerSide = (0, 0)


@dataclass(frozen=True, slots=True)
class Adjournment:
    """When (ms) the game was adjourned, and since when each side has been ready to resume (0: not ready).

    In a correspondence game, which is paused, nobody is ready: saying so ends the pause.
    """

    at: int
    ready: PerSide = (0, 0)


NOBODY_AWAY: Final[PerSide] = (0, 0)

Invite = str | Player
"""Who may take an empty seat: anybody who knows the secret with this SHA-256 hex digest, or this player."""
Invites = tuple[Invite | None, Invite | None]
"""For White's and Black's seat; None if nobody is expected."""


def computer_side(white: Player | None, black: Player | None) -> Color | None:
    """The side whose seat the computer has; None: neither. It never plays itself."""
    if white is not None and white.level:
        return Color.WHITE
    return Color.BLACK if black is not None and black.level else None


@dataclass(frozen=True, slots=True)
class Game:
    """Times are ms of the server's clock. `rev` rises by one with every change.

    `keys`: the repetition keys of all positions, the first included. `expires`: when an unstarted game (fewer than two
    half-moves) ends without result; None once it has started. `both_met`: both players have been at the board, so the
    first moves are due soon; `unhurried`: one of them was new to the variant, here or in the game before. `previous`,
    `next`: ids of the games before and after it in a chain of rematches.
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
    declined: Offer | None = None
    """The offer that the opponent has declined, as long as that is the last news of the game (`games.news`)."""
    outcome: Outcome | None = None
    ended: int | None = None
    expires: int | None = None
    both_met: bool = False
    adjourned: Adjournment | None = None
    pause_ended: int | None = None
    """How many half-moves had been played when a pause of a correspondence game was last ended; None: never."""
    previous: str | None = None
    next: str | None = None
    unhurried: bool = False
    away: PerSide = NOBODY_AWAY
    """Until when (ms) White and Black are on vacation; 0: they are not. In correspondence games only."""
    flags_by_hand: tuple[bool, bool] = (False, False)
    """Have White and Black chosen that their opponent's time does not end a correspondence game by itself?"""
    conditional: tuple[MoveTree, MoveTree] = NO_MOVES
    """White's and Black's conditional moves, each for the eyes of that player only."""
    proposer: Player | None = None
    """Who proposed it to two others, while it waits for them; None: nobody, or nobody knows who any more."""
    challenger: Color | None = None
    """The side that had asked the other for it by name; None: neither, as with a link, or an earlier release did not
    note it."""
    aborted_by: Color | None = None
    """Which side aborted it; None: neither did, or an earlier release that did not note it."""
    declined_for: str = ""
    """Why the challenged player declined it, of DECLINE_REASONS; "" if nobody did, or gave no reason."""
    tournament: str = ""
    """The id of the tournament that it belongs to: it is played to its end, without takebacks, adjournments and
    rematches. "": none."""
    import_source: ImportSource | None = None
    """None: played here. An imported game is over, and its players have names but no ids."""

    @property
    def to_move(self) -> Color:
        """The side whose turn it is by the position, also when the game is over."""
        return self.position.turn

    @property
    def computer(self) -> Color | None:
        """The side that the computer plays; None: two people play."""
        return computer_side(self.white, self.black)

    @property
    def started(self) -> bool:
        """Both sides have moved: the clock runs, draws can be offered, and nobody can abort."""
        return len(self.plies) >= 2

    @property
    def deadline(self) -> int | None:
        """When (ms) the game needs a Flag, Expire or EndVacations if nobody acts; None: never."""
        if self.status is Status.LIVE and self.on_vacation:
            return min(until for until in self.away if until)
        return None if self.is_flagged_by_hand else self.move_due

    @property
    def is_flagged_by_hand(self) -> bool:
        """Is it for the opponent of the side to move to say what comes of it when that side's time is over?"""
        if True not in self.flags_by_hand or self.clock.turn is None:
            return False
        return for_color(self.flags_by_hand, self.to_move.other)

    @property
    def move_due(self) -> int | None:
        """When (ms) the side to move is out of time; None: never, or not as long as the clock stands."""
        if self.status is Status.OVER or self.clock.paused_at is not None:
            return None
        return self.clock.deadline if self.clock.turn is not None else self.expires

    @property
    def on_vacation(self) -> bool:
        """Is somebody away, so that the clock stands? It then waits for the end of that, not for a server's pause."""
        return self.away != NOBODY_AWAY

    @property
    def waits_for_players(self) -> bool:
        """Does the clock stand by the players' own wish, however long, and not because the server was down?"""
        return self.adjourned is not None or self.on_vacation

    @property
    def result(self) -> str:
        """The result as in PGN: 1-0, 0-1, 1/2-1/2, or * if there is none."""
        if self.outcome is None or self.outcome.reason in NO_RESULT:
            return "*"
        return self.outcome.result

    @property
    def goes_on_again(self) -> bool:
        """Is the end of a pause the last thing that has happened, but for offers?"""
        return self.status is Status.LIVE and self.pause_ended == len(self.plies)

    def has_the_move(self, color: Color) -> bool:
        """Does the game wait for a move of that side?"""
        return self.status is Status.LIVE and self.to_move is color

    def offers_to(self, color: Color) -> tuple[Offer, ...]:
        """The offers that the player of `color` can accept."""
        return tuple(offer for offer in self.offers if offer.by is not color)

    @property
    def players(self) -> tuple[Player, ...]:
        """Those who have a seat, White first."""
        return tuple(player for player in (self.white, self.black) if player is not None)

    def player(self, color: Color) -> Player | None:
        """The player in the seat of `color`; None: it is free."""
        return self.white if color is Color.WHITE else self.black

    def color_of(self, player_id: str) -> Color | None:
        """The colour of that player; None if they have no seat."""
        for color in Color:
            seated = self.player(color)
            if seated is not None and seated.id == player_id:
                return color
        return None

    def mover_of(self, ply: int) -> Color:
        """The side that played, or will play, half-move `ply`."""
        same_side = (len(self.plies) - ply) % 2 == 0
        return self.to_move if same_side else self.to_move.other

    def with_time_of(self, known: "Game") -> "Game":
        """The game as it is stored, with the time of this turn that was given back where it is `known` so."""
        mine, theirs = self.clock, known.clock
        same_turn = len(self.plies) == len(known.plies) and mine.turn is theirs.turn is not None
        running = mine.paused_at is None and theirs.paused_at is None
        if not (same_turn and running and theirs.since > mine.since):
            return self
        return replace(self, clock=replace(mine, since=theirs.since, busy_ms=theirs.busy_ms))

    def with_turn_from(self, at: int) -> "Game":
        """The game with the next side's turn beginning at `at` (ms), when the stored move is first shown.

        `rev` stays: the change is stored with the next one. For a wait that the players should see, use the
        command CreditStall.
        """
        return replace(self, clock=self.clock.credit(at - self.clock.since, at))
