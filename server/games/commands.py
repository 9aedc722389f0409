"""What can be asked of a game, one frozen value each. Who may ask is decided before a command is built."""

from dataclasses import dataclass
from enum import StrEnum

from server.games.player import Player
from server.rules.variant.pieces import Color


class OfferKind(StrEnum):
    """What one player can propose and the other accept."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    REMATCH = "rematch"
    ADJOURN = "adjourn"


@dataclass(frozen=True, slots=True)
class Join:
    """Take the empty seat that `invite_hash` opens: it is the SHA-256 hex digest of the secret in the link.

    Who was asked by name needs none.
    """

    player: Player
    invite_hash: str = ""


@dataclass(frozen=True, slots=True)
class Reseat:
    """Whoever sits there as `holder`, an id, is `player` from now on; the id may be the same, and only the name new."""

    holder: str
    player: Player


@dataclass(frozen=True, slots=True)
class RefuseChallenge:
    """`player` was asked by name, and does not want to play."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play `uci` as half-move number `ply` (0 = the first of the game). `lag_ms` is what the server measured."""

    color: Color
    uci: str
    ply: int
    lag_ms: int = 0


@dataclass(frozen=True, slots=True)
class Resign:
    color: Color


@dataclass(frozen=True, slots=True)
class Abort:
    color: Color


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """Propose something. If the opponent proposes the same already, this accepts it: hence `next_id` (a rematch)."""

    color: Color
    kind: OfferKind
    next_id: str | None = None


@dataclass(frozen=True, slots=True)
class AcceptOffer:
    """`next_id` is the id of the game to create when a rematch is accepted; other kinds ignore it."""

    color: Color
    offer: int
    next_id: str | None = None


@dataclass(frozen=True, slots=True)
class DeclineOffer:
    """Refuse the opponent's offer, or take back one's own."""

    color: Color
    offer: int


@dataclass(frozen=True, slots=True)
class ClaimGone:
    """The opponent has left for long enough (the round has checked); win, or be content with a draw."""

    color: Color
    as_draw: bool = False


@dataclass(frozen=True, slots=True)
class TakeUp:
    """In an adjourned game: ready to go on. It goes on when both are, and both are at the board."""

    color: Color


@dataclass(frozen=True, slots=True)
class Flag:
    """Time may have run out: look again, and end the game if it has."""


@dataclass(frozen=True, slots=True)
class BothHere:
    """Both players have been seen at the board: from now on the first moves are due soon. Once is enough.

    `unhurried`: at least one of them plays this variant for the first time.
    """

    unhurried: bool = False


@dataclass(frozen=True, slots=True)
class Expire:
    """Nobody came, or the first move was not made in time: end without result if that is so."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock as of `since` (ms): the server was not there afterwards."""

    since: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Let a paused clock, or an adjourned game, go on from now."""


@dataclass(frozen=True, slots=True)
class CreditStall:
    """Give the running side back `ms` during which the server itself stood still.

    `busy`: it stood still because it had too much to do, which a player can bring about; there is a limit to that.
    """

    ms: int
    busy: bool = False


Command = (
    Join
    | RefuseChallenge
    | Reseat
    | PlayMove
    | Resign
    | Abort
    | MakeOffer
    | AcceptOffer
    | DeclineOffer
    | ClaimGone
    | TakeUp
    | Flag
    | BothHere
    | Expire
    | Pause
    | Resume
    | CreditStall
)
