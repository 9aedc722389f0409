"""How a game ends off the board: resignation, abort, time, a player who left or never came.

Every ending goes through `end`, so a game ends once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from server.games.clocks.time_control import for_color
from server.games.command import ADJOURNED, ALWAYS, LIVE, OPEN, Command, PlayerCommand, check_ply
from server.games.conditional import NO_MOVES
from server.games.errors import NotAllowed
from server.games.events import Ended, Event, OfferClosed, Transition, WentBerserk
from server.games.frozen import replace
from server.games.state import NOBODY_AWAY, Game, Offer
from server.games.status import Status
from server.rules.endings import Outcome, can_win


@dataclass(frozen=True, slots=True)
class Resign(PlayerCommand):
    """The opponent wins. `ply`: the only number of half-moves at which it counts; None: at any."""

    taken_in: ClassVar = LIVE | ADJOURNED
    ply: int | None = None

    def apply(self, game: Game, now: int) -> Transition:
        check_ply(game, self.ply)
        return end_game(game, Outcome(self.color.other, "resign"), now)


@dataclass(frozen=True, slots=True)
class Abort(PlayerCommand):
    """End the game without result. Raises NotAllowed once both sides have moved.

    `ply`: the only number of half-moves at which it counts; None: at any.
    """

    taken_in: ClassVar = OPEN | LIVE
    ply: int | None = None

    def apply(self, game: Game, now: int) -> Transition:
        check_ply(game, self.ply)
        if game.started:
            raise NotAllowed("too_late_to_abort")
        return end_game(replace(game, aborted_by=self.color), Outcome(None, "abort"), now)


@dataclass(frozen=True, slots=True)
class Flag(Command):
    """End the game if the running side is out of time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return flag_running_side(game, now)


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """End the game without result if nobody came, or no first move was made, in time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        if game.expires is None or game.clock.paused_at is not None or now < game.expires:
            return game, ()
        return end_game(game, Outcome(None, "expired"), now)


@dataclass(frozen=True, slots=True)
class GoBerserk(PlayerCommand):
    """Give away half of the own time and the increments, before the own first move, in a game of a tournament.

    Whether that tournament allows it is for whoever gives the command to know. Repeating it changes nothing.
    """

    taken_in: ClassVar = LIVE

    def apply(self, game: Game, now: int) -> Transition:
        if not game.tournament:
            raise NotAllowed("no_berserk")
        if for_color(game.clock.berserk, self.color):
            return game, ()
        if any(game.mover_of(ply) is self.color for ply in range(len(game.plies))):
            raise NotAllowed("berserk_too_late")
        return replace(game, clock=game.clock.go_berserk(self.color)), (WentBerserk(self.color),)


def close_offers(game: Game) -> Transition:
    """The game without its offers: the position they were made in is gone."""
    return (replace(game, offers=()), lapsed(game.offers)) if game.offers else (game, ())


def lapsed(offers: Iterable[Offer]) -> tuple[Event, ...]:
    """The events of offers that lapse because the game went on."""
    return tuple(OfferClosed(offer.id, offer.kind, "lapsed") for offer in offers)


def end_game(game: Game, outcome: Outcome, now: int) -> Transition:
    """The game is over at `now`: clocks stop, offers lapse, and unused invitations expire."""
    game, closed = close_offers(game)
    over = replace(
        game,
        status=Status.OVER,
        outcome=outcome,
        ended=now,
        clock=game.clock.stop(now),
        invites=(None, None),
        proposer=None,
        expires=None,
        adjourned=None,
        away=NOBODY_AWAY,
        conditional=NO_MOVES,
    )
    return over, (*closed, Ended(outcome))


def is_flagged(game: Game, now: int) -> bool:
    """Is the running side out of time, and does that end the game by itself?"""
    return game.clock.out_of_time(now) and not game.is_flagged_by_hand


def flag_running_side(game: Game, now: int) -> Transition:
    """If the running side is flagged it loses, or draws if the opponent could never mate. Otherwise no change."""
    return flag_fell(game, now) if is_flagged(game, now) else (game, ())


def flag_fell(game: Game, now: int) -> Transition:
    """The side to move loses on time, or draws if the opponent could never mate."""
    opponent = game.to_move.other
    return end_game(game, Outcome(opponent if can_win(game.position, opponent) else None, "time"), now)
