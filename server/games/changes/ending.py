"""How a game ends off the board: resignation, abort, time, a player who left or never came.

Every ending goes through `end`, so a game ends once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from server.games.command import ADJOURNED, ALWAYS, LIVE, OPEN, Command, PlayerCommand
from server.games.conditional import NO_MOVES
from server.games.errors import NotAllowed
from server.games.events import Ended, Event, OfferClosed, Transition
from server.games.frozen import replace
from server.games.state import NOBODY_AWAY, Game, Offer
from server.games.status import Status
from server.rules.endings import Outcome, can_win
from server.rules.variant.pieces import Color


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
class Flag(Command):
    """End the game if the running side is out of time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return flag(game, now)


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """End the game without result if nobody came, or no first move was made, in time."""

    taken_in: ClassVar = ALWAYS

    def apply(self, game: Game, now: int) -> Transition:
        return expire(game, now)


def close_offers(game: Game) -> Transition:
    """The game without its offers: the position they were made in is gone."""
    return (replace(game, offers=()), lapsed(game.offers)) if game.offers else (game, ())


def lapsed(offers: Iterable[Offer]) -> tuple[Event, ...]:
    """The events of offers that lapse because the game went on."""
    return tuple(OfferClosed(offer.id, offer.kind, "lapsed") for offer in offers)


def end(game: Game, outcome: Outcome, now: int) -> Transition:
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


def resign(game: Game, color: Color, now: int) -> Transition:
    """The opponent of `color` wins. `now`: ms."""
    return end(game, Outcome(color.other, "resign"), now)


def abort(game: Game, color: Color, now: int) -> Transition:
    """`color` ends the game without result. Raises NotAllowed once both sides have moved."""
    if game.started:
        raise NotAllowed("too_late_to_abort")
    return end(replace(game, aborted_by=color), Outcome(None, "abort"), now)


def is_flagged(game: Game, now: int) -> bool:
    """Is the running side out of time, and does that end the game by itself?"""
    return game.clock.out_of_time(now) and not game.is_flagged_by_hand


def flag(game: Game, now: int) -> Transition:
    """If the running side is flagged it loses, or draws if the opponent could never mate. Otherwise no change."""
    return flag_fell(game, now) if is_flagged(game, now) else (game, ())


def flag_fell(game: Game, now: int) -> Transition:
    """The side to move loses on time, or draws if the opponent could never mate."""
    opponent = game.to_move.other
    return end(game, Outcome(opponent if can_win(game.position, opponent) else None, "time"), now)


def claim_abandoned(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """`color` claims the game because the opponent has left: a win, or a draw if `as_draw` or if they could never mate.

    Raises NotAllowed before both have moved and in correspondence or untimed games, which one may leave.
    """
    if not game.started:
        raise NotAllowed("not_begun")
    if not game.terms.control.by_the_minute:
        raise NotAllowed("no_claim_untimed")
    return claim_for(game, color, now, as_draw=as_draw)


def claim_for(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win for `color` because the opponent is gone; a draw if `as_draw` or if they could never mate."""
    wins = not as_draw and can_win(game.position, color)
    return end(game, Outcome(color if wins else None, "left"), now)


def expire(game: Game, now: int) -> Transition:
    """Ends a game without result that has waited too long for a player or a first move. Otherwise no change."""
    if game.expires is None or game.clock.paused_at is not None or now < game.expires:
        return game, ()
    return end(game, Outcome(None, "expired"), now)
