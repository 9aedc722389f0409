"""A player's running games, most urgent first, read from the heads of their documents alone.

The turn follows from the side that began and the number of half-moves, and the board is noted there, so nothing is
replayed, and hundreds of games are listed as quickly as one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from server.games.clocks.time_control import ClockKind, PerSide, TimeControl, for_color
from server.games.player import level_named
from server.games.reminders import TIME_IS_UP
from server.games.state import NOBODY_AWAY
from server.games.status import Status
from server.rules.variant.pieces import Color
from server.storage.documents import NEVER, NONE, Head
from server.storage.fields import number, text
from server.storage.protocols.archive import GameSummary
from server.storage.replay import adjournment_of, away_of, color_of
from server.storage.summaries import summary

MAX_RUNNING: Final = 1_000
"""The newest games of a player with each colour that are looked at; nobody plays so many at once."""
GOING_ON: Final = tuple(status.value for status in Status if status is not Status.OVER)

Readiness = Literal["nobody", "you", "opponent", "both", "paused"]
"""Who is ready to resume an adjourned game; paused: a correspondence game, which either of them can resume."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game as the player of `color` sees it. `opponent`: their name; None while the other seat is empty.
    `asked`: the name of the person challenged to take it, or "".

    `adjourned`: the sides ready to resume; None if it is not adjourned. `away`: when the vacations of White and Black
    end, ms, 0 for no vacation. `deadline`: when time runs out, ms; None for never, or while somebody is away.
    `claimable`: this player was notified that they can claim the game, as the opponent's time is up. `board`: the
    placement field of the FEN, "" if not recorded yet. `last`: the last move, UCI, "" if there is none.
    """

    id: str
    variant: str
    chess960: bool
    rated: bool
    control: TimeControl
    status: str
    adjourned: Readiness | None
    color: Color
    opponent: str | None
    to_move: Color
    deadline: int | None
    created: int
    away: PerSide = NOBODY_AWAY
    claimable: bool = False
    board: str = ""
    last: str = ""
    asked: str = ""

    @property
    def by_the_minute(self) -> bool:
        return self.status == Status.LIVE and self.control.kind is ClockKind.REALTIME

    @property
    def has_opponent(self) -> bool:
        """Is the opponent a person? False for the computer, and while the seat is empty."""
        return self.opponent is not None and not level_named(self.opponent)

    @property
    def you_away(self) -> int:
        """Until when this player is on vacation, ms; 0: they are not."""
        return for_color(self.away, self.color)

    @property
    def opponent_away(self) -> int:
        """Until when the opponent is on vacation, ms; 0: they are not."""
        return for_color(self.away, self.color.other)

    @property
    def waits(self) -> bool:
        """Does a correspondence or untimed game wait for this player's move?"""
        return self.status == Status.LIVE and not self.by_the_minute and self.to_move is self.color

    @property
    def urgent(self) -> bool:
        """Does it wait for this player, to move, to resume or to claim?"""
        return self.by_the_minute or self.waits or self.claimable or self.adjourned == "opponent"


def running_game(head: Head, player_id: str) -> RunningGame:
    """The running game of a head of any schema. Raises Unreadable."""
    one: GameSummary = summary(head)
    color = Color.WHITE if text(head, "white") == player_id else Color.BLACK
    began = Color.BLACK if text(head, "start").split()[1:2] == ["b"] else Color.WHITE
    to_move = began if one.plies % 2 == 0 else began.other
    # Heads of earlier releases have neither.
    away = away_of(head) if "away" in head else NOBODY_AWAY
    time_is_up = one.status == Status.LIVE and head.get("reminded") == TIME_IS_UP
    return RunningGame(
        id=one.id,
        variant=one.variant,
        chess960=one.chess960,
        rated=one.rated,
        control=one.control,
        status=one.status,
        adjourned=_readiness(head, one.control, color) if one.status == Status.ADJOURNED else None,
        color=color,
        opponent=one.black if color is Color.WHITE else one.white,
        to_move=to_move,
        deadline=_move_due(head) if away == NOBODY_AWAY else None,
        created=one.created,
        away=away,
        claimable=time_is_up and to_move is not color,
        board=one.board,
        last=str(head.get("last", "")),
        asked=_asked(text(head, "invite")),
    )


def _asked(invite: str) -> str:
    """The name in what a head says of the free seat: the digest of a secret, or "@id/name"."""
    return invite.partition("/")[2] if invite.startswith("@") else ""


def _move_due(head: Head) -> int | None:
    """When the side to move runs out of time, ms; None for never, or while the clock is stopped."""
    deadline = number(head, "deadline")
    if 0 <= deadline < NEVER:
        return deadline
    turn = color_of(text(head, "turn"))
    if deadline < 0 or turn is None or number(head, "paused") != NONE:
        return None
    # It does not end by itself: the opponent flags by hand.
    return number(head, "since") + int(text(head, "left").split(" ")[turn.value])


def _readiness(head: Head, control: TimeControl, color: Color) -> Readiness:
    if (adjournment := adjournment_of(head)) is None:
        raise ValueError("nothing is known of its adjournment")
    if control.by_days:
        return "paused"
    you, opponent = for_color(adjournment.ready, color), for_color(adjournment.ready, color.other)
    if you and opponent:
        return "both"
    return "you" if you else "opponent" if opponent else "nobody"


def most_urgent_first(games: Iterable[RunningGame]) -> Sequence[RunningGame]:
    """Real-time games, then those that wait for this player's move (by deadline), then those that they can claim and
    adjourned games whose opponent is ready, then the others.
    """

    def urgency(game: RunningGame) -> tuple[int, int, int, str]:
        rank = 0 if game.by_the_minute else 1 if game.waits else 2 if game.urgent else 3
        due = NEVER if game.by_the_minute or game.deadline is None else game.deadline
        return rank, due, -game.created, game.id

    return sorted(games, key=urgency)
