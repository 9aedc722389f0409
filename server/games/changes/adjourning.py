"""A game adjourned by consent, and taken up again when both players are ready and at the board.

Both clocks stand meanwhile, for as long as it takes. Who is ready and waits in vain for two weeks may claim the game,
as over the board a player who does not come to the resumption loses it. Knows no waiting: who is at the board is the
round's affair.
"""

from server.games.changes.ending import Transition, claim_for, close_offers
from server.games.clock import DAY_MS, ClockKind, for_color, with_color
from server.games.errors import NotAllowed
from server.games.events import Adjourned, ClockResumed, Ready
from server.games.frozen import replace
from server.games.state import Adjournment, Game
from server.games.status import Status
from server.rules.variant.pieces import Color

CLAIM_AFTER_MS = 14 * DAY_MS
"""How long one has to have been ready before one may claim against an opponent who is not."""


def check_can_adjourn(game: Game) -> None:
    """Raises NotAllowed where there is nothing to adjourn."""
    if not game.started:
        raise NotAllowed("not_begun")
    if game.terms.control.kind is not ClockKind.REALTIME:
        raise NotAllowed("no_adjournment_untimed")


def adjourn(game: Game, now: int) -> Transition:
    """Both have agreed: the clocks stand from `now`, and offers lapse."""
    game, closed = close_offers(game)
    limits = replace(game.offer_limits, adjourns=(0, 0))
    adjourned = replace(
        game, status=Status.ADJOURNED, adjourned=Adjournment(now), clock=game.clock.pause(now), offer_limits=limits
    )
    return adjourned, (*closed, Adjourned())


def ready_to_resume(game: Game, color: Color, now: int) -> Transition:
    """`color` is ready to go on. Saying it again changes nothing."""
    adjournment = _adjournment(game)
    if for_color(adjournment.ready, color):
        return game, ()
    return replace(game, adjourned=replace(adjournment, ready=with_color(adjournment.ready, color, now))), (
        Ready(color),
    )


def both_ready(game: Game) -> bool:
    """May the game go on as soon as both are at the board?"""
    return game.adjourned is not None and all(game.adjourned.ready)


def resume_adjourned(game: Game, now: int) -> Transition:
    """The clock runs again from `now`. Raises NotAllowed while not both are ready."""
    if not both_ready(game):
        raise NotAllowed("not_both_ready")
    return replace(game, status=Status.LIVE, adjourned=None, clock=game.clock.resume(now)), (ClockResumed(),)


def claimable_at(game: Game, color: Color) -> int | None:
    """From when on (ms) `color` may claim the adjourned game; None: that side is not ready itself, or both are."""
    adjournment = game.adjourned
    if adjournment is None or not for_color(adjournment.ready, color) or for_color(adjournment.ready, color.other):
        return None
    return for_color(adjournment.ready, color) + CLAIM_AFTER_MS


def claim_adjourned(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """The opponent does not come back: a win or a draw for `color`. Raises NotAllowed before `claimable_at`."""
    at = claimable_at(game, color)
    if at is None or now < at:
        raise NotAllowed("claim_too_early")
    return claim_for(game, color, now, as_draw=as_draw)


def _adjournment(game: Game) -> Adjournment:
    if game.adjourned is None:
        raise ValueError("the game is not adjourned")
    return game.adjourned
