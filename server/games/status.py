"""The life of a game as a table: which commands it takes in which status. Knows nothing else of games."""

from collections.abc import Mapping
from enum import StrEnum

from server.games.commands import (
    Abort,
    AcceptOffer,
    BothHere,
    ClaimGone,
    Command,
    CreditStall,
    DeclineOffer,
    Expire,
    Flag,
    Join,
    MakeOffer,
    OfferKind,
    Pause,
    PlayMove,
    Resign,
    Resume,
)
from server.games.errors import GameOver, NotAllowed, NotStarted


class Status(StrEnum):
    """OPEN: a seat is empty. LIVE: both sit and play. OVER: there is an outcome."""

    OPEN = "open"
    LIVE = "live"
    OVER = "over"


Kind = type[Command] | OfferKind
"""A kind of command; an offer counts as what it proposes."""

TAKEN: Mapping[Status, frozenset[Kind]] = {
    Status.OPEN: frozenset({Join, PlayMove, Abort, Expire}),
    Status.LIVE: frozenset(
        {
            Join,
            PlayMove,
            Resign,
            Abort,
            OfferKind.DRAW,
            OfferKind.TAKEBACK,
            AcceptOffer,
            DeclineOffer,
            ClaimGone,
            Flag,
            BothHere,
            Expire,
            Pause,
            Resume,
            CreditStall,
        }
    ),
    Status.OVER: frozenset({OfferKind.REMATCH, AcceptOffer, DeclineOffer}),
}


def check_taken(status: Status, command: Command) -> None:
    """Raises NotStarted, GameOver or NotAllowed for a command that a game in `status` never takes."""
    asked: Kind = command.kind if isinstance(command, MakeOffer) else type(command)
    if asked in TAKEN[status]:
        return
    match status:
        case Status.OPEN:
            raise NotStarted("The second player has not come yet.")
        case Status.OVER:
            raise GameOver("The game is over.")
        case Status.LIVE:
            raise NotAllowed("A rematch can be offered when the game is over.")
