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
    RefuseChallenge,
    Reseat,
    Resign,
    Resume,
    TakeUp,
)
from server.games.errors import GameOver, NotAllowed, NotStarted


class Status(StrEnum):
    """OPEN: a seat is empty. LIVE: both sit and play. ADJOURNED: by consent. OVER: there is an outcome."""

    OPEN = "open"
    LIVE = "live"
    ADJOURNED = "adjourned"
    OVER = "over"


Kind = type[Command] | OfferKind
"""A kind of command; an offer counts as what it proposes."""

LOOKS: frozenset[Kind] = frozenset({Flag, Expire})
"""Taken always: they ask whether a time is over, and where none runs the answer is no."""
TAKEN: Mapping[Status, frozenset[Kind]] = {
    Status.OPEN: frozenset({Join, RefuseChallenge, Reseat, PlayMove, Abort}),
    Status.LIVE: frozenset(
        {
            Join,
            Reseat,
            PlayMove,
            Resign,
            Abort,
            OfferKind.DRAW,
            OfferKind.TAKEBACK,
            OfferKind.ADJOURN,
            AcceptOffer,
            DeclineOffer,
            ClaimGone,
            BothHere,
            Pause,
            Resume,
            CreditStall,
        }
    ),
    Status.ADJOURNED: frozenset({Reseat, Resign, OfferKind.DRAW, AcceptOffer, DeclineOffer, ClaimGone, TakeUp, Resume}),
    Status.OVER: frozenset({Reseat, OfferKind.REMATCH, AcceptOffer, DeclineOffer}),
}


NOT_YET: Mapping[Kind, str] = {OfferKind.REMATCH: "A rematch can be offered when the game is over."}


def check_taken(status: Status, command: Command) -> None:
    """Raises NotStarted, GameOver or NotAllowed for a command that a game in `status` never takes."""
    asked: Kind = command.kind if isinstance(command, MakeOffer) else type(command)
    if asked in TAKEN[status] or asked in LOOKS:
        return
    match status:
        case Status.OPEN:
            raise NotStarted("The second player has not joined yet.")
        case Status.OVER:
            raise GameOver("The game is over.")
        case Status.LIVE:
            raise NotAllowed(NOT_YET.get(asked, "The game is going on."))
        case Status.ADJOURNED:
            raise NotAllowed("The game is adjourned. Say that you are ready; it goes on when both of you are.")
