"""The commands of a game, each a frozen value: in which statuses it is allowed, and the change it makes.

These are of players; those of the server are in `server_commands`. Permissions are checked before a command is built;
the changes themselves are in `changes`. `Command`, which every one of them is, can be had from here, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from server.games.changes.adjourning import claim_adjourned, ready_to_resume
from server.games.changes.answering import move_and_answers, prepare
from server.games.changes.beginning import join, refuse
from server.games.changes.ending import abort, claim_abandoned, resign
from server.games.changes.flagging import choose_flagging, claim_time
from server.games.changes.offers import accept, decline, offer
from server.games.changes.reseating import reseat
from server.games.changes.vacation import come_back, go_away
from server.games.command import ADJOURNED, ALWAYS, LIVE, OPEN, OVER, PlayerCommand
from server.games.command import Command as Command
from server.games.conditional import MoveTree
from server.games.events import Transition
from server.games.player import Player
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.rules.movegen.position import Position


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Take the empty seat that `invite_hash`, the SHA-256 hex digest of the link's secret, opens.

    A player who was challenged by name needs none. `by_hand`: how they choose to flag in new correspondence games.
    """

    taken_in: ClassVar = OPEN | LIVE
    brings_together: ClassVar = True
    player: Player
    invite_hash: str = ""
    by_hand: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return join(game, self.player, self.invite_hash, now, by_hand=self.by_hand)


@dataclass(frozen=True, slots=True)
class Reseat(Command):
    """Give the seat of `holder` (an id) to `player`, who may be the same person with a new name."""

    taken_in: ClassVar = ALWAYS
    outlasts_time: ClassVar = True
    holder: str
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        return reseat(game, self.holder, self.player)


@dataclass(frozen=True, slots=True)
class RefuseChallenge(Command):
    """`player`, who was challenged by name, declines."""

    taken_in: ClassVar = OPEN
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        return refuse(game, self.player, now)


@dataclass(frozen=True, slots=True)
class PlayMove(PlayerCommand):
    """Play `uci` as half-move `ply` (0 = first), and the conditional moves that answer it.

    `lag_ms` is the lag the server measured. `prepared`: the position after the move, and the conditional moves that are
    to follow it instead of those prepared before; None: what is left of those.
    """

    taken_in: ClassVar = OPEN | LIVE
    uci: str
    ply: int
    lag_ms: int = 0
    prepared: tuple[Position, MoveTree] | None = None

    def apply(self, game: Game, now: int) -> Transition:
        return move_and_answers(game, self.color, self.uci, self.ply, self.lag_ms, now, self.prepared)


@dataclass(frozen=True, slots=True)
class PrepareMoves(PlayerCommand):
    """Replace the own conditional moves by `tree`, judged from `position`, where the opponent is to move."""

    taken_in: ClassVar = LIVE
    position: Position
    tree: MoveTree

    def apply(self, game: Game, now: int) -> Transition:
        return prepare(game, self.color, self.position, self.tree)


@dataclass(frozen=True, slots=True)
class Resign(PlayerCommand):
    taken_in: ClassVar = LIVE | ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        return resign(game, self.color, now)


@dataclass(frozen=True, slots=True)
class Abort(PlayerCommand):
    taken_in: ClassVar = OPEN | LIVE

    def apply(self, game: Game, now: int) -> Transition:
        return abort(game, self.color, now)


@dataclass(frozen=True, slots=True)
class MakeOffer(PlayerCommand):
    """Make an offer, or accept the opponent's if it is the same. `next_id`: the id of a rematch then agreed on."""

    brings_together: ClassVar = True
    offered_in: ClassVar[Mapping[OfferKind, frozenset[Status]]] = {
        OfferKind.DRAW: LIVE | ADJOURNED,
        OfferKind.TAKEBACK: LIVE,
        OfferKind.ADJOURN: LIVE,
        OfferKind.PAUSE: LIVE,
        OfferKind.REMATCH: OVER,
    }
    kind: OfferKind
    next_id: str | None = field(default=None, compare=False)

    def is_taken(self, status: Status) -> bool:
        return status in self.offered_in[self.kind]

    def apply(self, game: Game, now: int) -> Transition:
        return offer(game, self.color, self.kind, self.next_id, now)


@dataclass(frozen=True, slots=True)
class AcceptOffer(PlayerCommand):
    """Accept the opponent's offer. `next_id`: the id that a rematch will have; other offers ignore it."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    brings_together: ClassVar = True
    offer: int
    next_id: str | None = field(default=None, compare=False)

    def apply(self, game: Game, now: int) -> Transition:
        return accept(game, self.color, self.offer, self.next_id, now)


def seeks_rematch(game: Game, command: Command) -> bool:
    """Would `command` bring the players of `game` closer to another one?"""
    match command:
        case MakeOffer(_, kind):
            return kind is OfferKind.REMATCH
        case AcceptOffer(_, wanted):
            return any(one.id == wanted and one.kind is OfferKind.REMATCH for one in game.offers)
    return False


@dataclass(frozen=True, slots=True)
class DeclineOffer(PlayerCommand):
    """Decline the opponent's offer, or withdraw an own one."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    offer: int

    def apply(self, game: Game, now: int) -> Transition:
        return decline(game, self.color, self.offer)


@dataclass(frozen=True, slots=True)
class Claim(PlayerCommand):
    """Claim a win or a draw because the opponent has left, as the round has checked, has not come back to an adjourned
    game, or has no time left in a correspondence game.
    """

    taken_in: ClassVar = LIVE | ADJOURNED
    as_draw: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        claim = claim_time if game.terms.control.by_days else claim_abandoned
        if game.adjourned is not None:
            claim = claim_adjourned
        return claim(game, self.color, now, as_draw=self.as_draw)


@dataclass(frozen=True, slots=True)
class ChooseFlagging(PlayerCommand):
    """Choose whether the opponent's time ends a correspondence game by itself, or by the own hand."""

    taken_in: ClassVar = OPEN | LIVE | ADJOURNED
    by_hand: bool

    def apply(self, game: Game, now: int) -> Transition:
        return choose_flagging(game, self.color, now, by_hand=self.by_hand)


@dataclass(frozen=True, slots=True)
class ResumeReady(PlayerCommand):
    """Be ready to resume an adjourned game, or end the pause of a correspondence game."""

    taken_in: ClassVar = ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        return ready_to_resume(game, self.color, now)


@dataclass(frozen=True, slots=True)
class GoAway(PlayerCommand):
    """Be on vacation `until` then (ms): the clock of a correspondence game stands. A new time replaces the old one."""

    taken_in: ClassVar = LIVE | ADJOURNED
    until: int

    def apply(self, game: Game, now: int) -> Transition:
        return go_away(game, self.color, self.until, now)


@dataclass(frozen=True, slots=True)
class ComeBack(PlayerCommand):
    """Be back from a vacation before it would have ended."""

    taken_in: ClassVar = LIVE | ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        return come_back(game, self.color, now)
