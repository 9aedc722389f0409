"""The outcome of a mail, as plain values from which its answer is written. Knows no language and no store."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.games.rating import Rating
from server.games.state import Game
from server.games.tournaments.tournament import Sheet, Tournament
from server.rules.errors import Refusal
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category
from server.storage.running import RunningGame


class NotDone(Refusal):
    """The reply as a whole, or one of its commands, does not fit the game."""

    area = "replies"
    code = "not_done"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the answer says: the key of a sentence, and what goes into it; and the game that it speaks of, if any."""

    key: str
    params: dict[str, str | int] = field(default_factory=dict)
    game: Game | None = None


@dataclass(frozen=True, slots=True)
class OwnGames:
    """The writer's own games in progress."""

    games: Sequence[RunningGame]


@dataclass(frozen=True, slots=True)
class GamesInProgress:
    """Somebody else's games in progress, each from their side."""

    name: str
    games: Sequence[RunningGame]


@dataclass(frozen=True, slots=True)
class Leaders:
    """The best of one category: names and ratings."""

    category: Category
    rows: Sequence[tuple[str, Rating]]


@dataclass(frozen=True, slots=True)
class RatingsOf:
    """Somebody's ratings, and in how many games they got them."""

    name: str
    rows: Sequence[tuple[Category, Rating]]


@dataclass(frozen=True, slots=True)
class GamesOf:
    """Somebody's last games, newest first."""

    name: str
    games: Sequence[GameSummary]


@dataclass(frozen=True, slots=True)
class HelpOn:
    """`topic`: what was asked about; "": everything."""

    topic: str


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A game as it stands, from the side of `color`; None: its reader does not play it."""

    game: Game
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class OpenSections:
    """The sections that can be entered, each with how many have, and those in which the writer plays."""

    open: Sequence[tuple[Tournament, int]]
    own: Sequence[Tournament]


@dataclass(frozen=True, slots=True)
class SectionTable:
    """The table of a section; before it has begun, those who have entered."""

    section: Tournament
    rows: Sequence[Sheet]
    has_begun: bool


EnquiryResult = (
    OwnGames | GamesInProgress | Leaders | RatingsOf | GamesOf | HelpOn | OtherGame | OpenSections | SectionTable
)
"""The result of an enquiry."""


@dataclass(slots=True)
class MailReport:
    """The outcome of a mail. `near`: moves that look like the one that was refused; `line`: the conditional moves that
    it stands in, if it does. `is_last`: no more mails that do nothing are answered for now.

    `boards`: positions to show besides that of the game, each with the sentence above it. `asks`: the answer asks
    whether the resignation is meant. `told`: what the writer asked for.
    """

    done: list[Sentence] = field(default_factory=list)
    refused: Refusal | None = None
    near: Sequence[str] = ()
    line: Sequence[str] = ()
    is_last: bool = False
    boards: list[tuple[Sentence, Position]] = field(default_factory=list)
    asks: bool = False
    told: list[EnquiryResult] = field(default_factory=list)
