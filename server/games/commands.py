"""What can be asked of a game, one frozen value each: in which statuses it is taken, and what it does.

Who may ask is decided before a command is built. How the game changes is said in `changes`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.changes.adjourning import claim_adjourned, ready_to_resume, resume_adjourned
from server.games.changes.beginning import both_here, join, refuse
from server.games.changes.ending import Transition, abort, claim_abandoned, expire, flag, resign
from server.games.changes.moving import move
from server.games.changes.offers import accept, decline, offer
from server.games.changes.pausing import credit, pause, resume
from server.games.changes.reseating import reseat
from server.games.player import Player
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.rules.variant.pieces import Color

ALWAYS: Final = frozenset(Status)
OPEN: Final = frozenset({Status.OPEN})
LIVE: Final = frozenset({Status.LIVE})
ADJOURNED: Final = frozenset({Status.ADJOURNED})
OVER: Final = frozenset({Status.OVER})


class Command(ABC):
    """`taken_in`: a game in any other status never takes it."""

    __slots__ = ()

    taken_in: ClassVar[frozenset[Status]]

    def is_taken(self, status: Status) -> bool:
        return status in self.taken_in

    @abstractmethod
    def apply(self, game: Game, now: int) -> Transition:
        """What it makes of `game`, received at `now` (ms); the very same game if nothing. Raises Refused."""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Take the empty seat that `invite_hash` opens: it is the SHA-256 hex digest of the secret in the link.

    Who was asked by name needs none.
    """

    taken_in: ClassVar = OPEN | LIVE
    player: Player
    invite_hash: str = ""

    def apply(self, game: Game, now: int) -> Transition:
        return join(game, self.player, self.invite_hash, now)


@dataclass(frozen=True, slots=True)
class Reseat(Command):
    """Whoever sits there as `holder`, an id, is `player` from now on; the id may be the same, and only the name new."""

    taken_in: ClassVar = ALWAYS
    holder: str
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        return reseat(game, self.holder, self.player)


@dataclass(frozen=True, slots=True)
class RefuseChallenge(Command):
    """`player` was asked by name, and does not want to play."""

    taken_in: ClassVar = OPEN
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        return refuse(game, self.player, now)


@dataclass(frozen=True, slots=True)
class PlayMove(Command):
    """Play `uci` as half-move number `ply` (0 = the first of the game). `lag_ms` is what the server measured."""

    taken_in: ClassVar = OPEN | LIVE
    color: Color
    uci: str
    ply: int
    lag_ms: int = 0

    def apply(self, game: Game, now: int) -> Transition:
        return move(game, self.color, self.uci, self.ply, self.lag_ms, now)


@dataclass(frozen=True, slots=True)
class Resign(Command):
    taken_in: ClassVar = LIVE | ADJOURNED
    color: Color

    def apply(self, game: Game, now: int) -> Transition:
        return resign(game, self.color, now)


@dataclass(frozen=True, slots=True)
class Abort(Command):
    taken_in: ClassVar = OPEN | LIVE
    color: Color

    def apply(self, game: Game, now: int) -> Transition:
        return abort(game, now)


@dataclass(frozen=True, slots=True)
class MakeOffer(Command):
    """Propose something. If the opponent proposes the same already, this accepts it: hence `next_id` (a rematch)."""

    offered_in: ClassVar[Mapping[OfferKind, frozenset[Status]]] = {
        OfferKind.DRAW: LIVE | ADJOURNED,
        OfferKind.TAKEBACK: LIVE,
        OfferKind.ADJOURN: LIVE,
        OfferKind.REMATCH: OVER,
    }
    color: Color
    kind: OfferKind
    next_id: str | None = None

    def is_taken(self, status: Status) -> bool:
        return status in self.offered_in[self.kind]

    def apply(self, game: Game, now: int) -> Transition:
        return offer(game, self.color, self.kind, self.next_id, now)


@dataclass(frozen=True, slots=True)
class AcceptOffer(Command):
    """`next_id` is the id of the game to create when a rematch is accepted; other kinds ignore it."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    color: Color
    offer: int
    next_id: str | None = None

    def apply(self, game: Game, now: int) -> Transition:
        return accept(game, self.color, self.offer, self.next_id, now)


@dataclass(frozen=True, slots=True)
class DeclineOffer(Command):
    """Refuse the opponent's offer, or take back one's own."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    color: Color
    offer: int

    def apply(self, game: Game, now: int) -> Transition:
        return decline(game, self.color, self.offer)


@dataclass(frozen=True, slots=True)
class ClaimAbandoned(Command):
    """The opponent has left for long enough (the round has checked); win, or be content with a draw."""

    taken_in: ClassVar = LIVE | ADJOURNED
    color: Color
    as_draw: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        claim = claim_abandoned if game.adjourned is None else claim_adjourned
        return claim(game, self.color, now, as_draw=self.as_draw)


@dataclass(frozen=True, slots=True)
class ResumeReady(Command):
    """In an adjourned game: ready to go on. It goes on when both are, and both are at the board."""

    taken_in: ClassVar = ADJOURNED
    color: Color

    def apply(self, game: Game, now: int) -> Transition:
        return ready_to_resume(game, self.color, now)


@dataclass(frozen=True, slots=True)
class Flag(Command):
    """Time may have run out: look again, and end the game if it has."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return flag(game, now)


@dataclass(frozen=True, slots=True)
class BothHere(Command):
    """Both players have been seen at the board: from now on the first moves are due soon. Once is enough.

    `unhurried`: at least one of them plays this variant for the first time.
    """

    taken_in: ClassVar = LIVE
    unhurried: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return both_here(game, now, unhurried=self.unhurried)


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """Nobody came, or the first move was not made in time: end without result if that is so."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return expire(game, now)


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the clock as of `since` (ms): the server was not there afterwards."""

    taken_in: ClassVar = LIVE
    since: int

    def apply(self, game: Game, now: int) -> Transition:
        return pause(game, self.since)


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Let a paused clock, or an adjourned game, go on from now."""

    taken_in: ClassVar = LIVE | ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        return resume(game, now) if game.adjourned is None else resume_adjourned(game, now)


@dataclass(frozen=True, slots=True)
class CreditStall(Command):
    """Give the running side back `ms` during which the server itself stood still.

    `busy`: it stood still because it had too much to do, which a player can bring about; there is a limit to that.
    """

    taken_in: ClassVar = LIVE
    ms: int
    busy: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return credit(game, self.ms, now, busy=self.busy)
