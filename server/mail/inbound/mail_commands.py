"""The commands that a mail can have, each a frozen value. `grammar` says how they are written."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from server.games.state import OfferKind


@dataclass(frozen=True, slots=True)
class TypedMove:
    """Play what `text` means where it is played."""

    text: str


@dataclass(frozen=True, slots=True)
class MakeOffer:
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """Accept or decline the only offer there is, or the challenge."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class EndPause:
    pass


@dataclass(frozen=True, slots=True)
class ClaimTime:
    """Claim the win, or a draw, as the opponent's time is over."""

    as_draw: bool


@dataclass(frozen=True, slots=True)
class Abort:
    """End the game before both sides have moved, or withdraw the challenge."""


@dataclass(frozen=True, slots=True)
class Resign:
    game: str


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """The board after so many half-moves; None: as it stands."""

    plies: int | None


@dataclass(frozen=True, slots=True)
class ListGames:
    """The games in progress of the player of that `name`; "": the writer's own."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class ShowAll:
    """The boards of all own games in progress."""


@dataclass(frozen=True, slots=True)
class Help:
    topic: str


@dataclass(frozen=True, slots=True)
class ShowGame:
    """Any game as it stands, or after so many half-moves."""

    game: str
    plies: int | None


@dataclass(frozen=True, slots=True)
class Standings:
    """The best players of what `variant` means; it may end in a speed."""

    variant: str


@dataclass(frozen=True, slots=True)
class Ratings:
    name: str


@dataclass(frozen=True, slots=True)
class History:
    """Somebody's last games."""

    name: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Ask `name` to play what `variant` means. `color`: white, black or random.

    `days` for each move, or a `bank`: days at the start, after each own move, and at most (0: as usual).

    `other`: propose the game to these two instead; the colour is that of `name`.
    """

    name: str
    variant: str
    days: int
    color: str
    rated: bool
    other: str = ""
    bank: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Conditional:
    """Replace the own conditional moves by these lines, each the opponent's move, the answer, their next move, …

    Without a line: drop them all.
    """

    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """Be away through the day `last`; None: be back."""

    last: date | None


@dataclass(frozen=True, slots=True)
class AskVacation:
    """How long may I be away?"""


@dataclass(frozen=True, slots=True)
class ListSections:
    """Which sections of everyone against everyone are open, and in which do I play?"""


@dataclass(frozen=True, slots=True)
class ShowSection:
    """The table of a section (an id)."""

    section: str


@dataclass(frozen=True, slots=True)
class EnterSection:
    """Enter a section: `wanted` is its id, or a variant of which one is open."""

    wanted: str


@dataclass(frozen=True, slots=True)
class WithdrawFrom:
    """Leave a section (an id). `sure`: also if it has begun."""

    section: str
    sure: bool = False


Enquiry = ListGames | ShowAll | Help | ShowGame | Standings | Ratings | History | ListSections | ShowSection
"""Enquiries, which need no game."""
MailCommand = (
    TypedMove
    | Conditional
    | MakeOffer
    | AnswerOffer
    | EndPause
    | ClaimTime
    | Abort
    | Resign
    | Say
    | Preview
    | Show
    | ListGames
    | ShowAll
    | Help
    | ShowGame
    | Standings
    | Ratings
    | History
    | Challenge
    | TakeVacation
    | AskVacation
    | ListSections
    | ShowSection
    | EnterSection
    | WithdrawFrom
)
OF_A_TURN: Final = (TypedMove, Conditional, ClaimTime, Abort, Resign, Say)
"""The commands that only count in the turn in which they were written."""
OF_OFFERS: Final = (MakeOffer, AnswerOffer, EndPause)
"""The commands that only count until another offer is made, too."""
ENQUIRIES: Final = (
    ListGames,
    ShowAll,
    Help,
    ShowGame,
    Standings,
    Ratings,
    History,
    ListSections,
    ShowSection,
)
DONE_ONCE: Final = (MakeOffer, AnswerOffer, EndPause, ClaimTime, Abort, Resign)
"""The commands that the game refuses once they are done."""
OF_CHALLENGES: Final = (AnswerOffer, Preview, Show, *ENQUIRIES)
"""The commands of a player who has not accepted the game yet."""
OF_A_PERSON: Final = (Challenge, TakeVacation, AskVacation, EnterSection, WithdrawFrom, *ENQUIRIES)
"""The commands that belong to no game."""
