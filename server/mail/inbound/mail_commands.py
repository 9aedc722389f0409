"""The commands that a mail can have, each a frozen value. What they are written like: `grammar`."""

from dataclasses import dataclass
from typing import Final

from server.games.state import OfferKind


@dataclass(frozen=True, slots=True)
class Move:
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
    pass


@dataclass(frozen=True, slots=True)
class Help:
    topic: str


@dataclass(frozen=True, slots=True)
class Conditional:
    """Replace the own conditional moves by these lines, each the opponent's move, the answer, their next move, …

    Without a line: drop them all.
    """

    lines: tuple[tuple[str, ...], ...]


MailCommand = Move | Conditional | MakeOffer | AnswerOffer | EndPause | Resign | Say | Preview | Show | ListGames | Help
OF_A_TURN: Final = (Move, Conditional, Resign, Say)
"""The commands that are good for the turn in which they were written."""
OF_OFFERS: Final = (MakeOffer, AnswerOffer, EndPause)
"""Those that are good only as long as no other offer is made, either."""
OF_CHALLENGES: Final = (AnswerOffer, Preview, Show, ListGames, Help)
"""Those of somebody who has not accepted the game yet."""
