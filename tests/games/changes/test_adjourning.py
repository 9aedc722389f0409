"""A game put off by consent: what stands still, who may end it, and when it goes on."""

import pytest

from server.games.changes.claiming import Claim
from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.pausing import CLAIM_AFTER_MS, Resume, ResumeReady, both_ready
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import NotAllowed
from server.games.events import Adjourned, ClockResumed, OfferClosed, Ready
from server.games.game import play
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.endings import Outcome
from tests.support.games import BLACK, START, WHITE, after, kinds, live_game, moved, running_game

ADJOURN = OfferKind.ADJOURN
LATER = START + 10_000


def adjourned(now=LATER):
    """White has used ten seconds, then both agree to put the game off."""
    return after(running_game(), MakeOffer(BLACK, ADJOURN), AcceptOffer(WHITE, 1), now=now)


def test_both_have_to_agree():
    game, events = play(running_game(), MakeOffer(WHITE, ADJOURN), START)
    assert (game.status, kinds(events)) == (Status.LIVE, ["Offered"])
    game, events = play(game, AcceptOffer(BLACK, 1), LATER)
    assert events == (OfferClosed(1, ADJOURN, "accepted"), Adjourned())
    assert (game.status, game.adjourned.at, game.deadline) == (Status.ADJOURNED, LATER, None)


def test_two_equal_offers_that_cross_agree():
    game = after(running_game(), MakeOffer(WHITE, ADJOURN), MakeOffer(BLACK, ADJOURN), now=LATER)
    assert game.status is Status.ADJOURNED


def test_the_offer_stands_while_its_maker_moves():
    game = moved(after(running_game(), MakeOffer(WHITE, ADJOURN)), "g1f3")
    assert after(game, AcceptOffer(BLACK, 1)).status is Status.ADJOURNED
    assert moved(game, "b8c6").offers == ()


def test_a_fourth_adjournment_offer_is_refused():
    game = running_game()
    for number in range(1, 4):
        game = after(game, MakeOffer(WHITE, ADJOURN))
        assert game.offers[0].id == number
        game = moved(game, ("g1f3 b8c6", "f1c4 f8c5", "d2d3 d7d6")[number - 1])
    with pytest.raises(NotAllowed, match="too_many_offers"):
        play(game, MakeOffer(WHITE, ADJOURN), START)


@pytest.mark.parametrize(
    "game",
    [
        moved(live_game(), "e2e4"),
        moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5"),
        moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5"),
    ],
    ids=["not started", "days", "unlimited"],
)
def test_there_must_be_a_clock_to_stop(game):
    with pytest.raises(NotAllowed):
        play(game, MakeOffer(WHITE, ADJOURN), START)


def test_the_clocks_stand_still_and_nobody_can_move():
    game = adjourned()
    assert game.clock.remaining(WHITE, LATER + 30 * DAY_MS) == 290_000
    with pytest.raises(NotAllowed, match="adjourned"):
        play(game, PlayMove(WHITE, "g1f3", 2), LATER)
    with pytest.raises(NotAllowed):
        play(game, MakeOffer(WHITE, OfferKind.TAKEBACK), LATER)


def test_it_goes_on_when_both_are_ready_with_the_time_that_was_left():
    game = adjourned()
    with pytest.raises(NotAllowed):
        play(game, Resume(), LATER)
    game, events = play(game, ResumeReady(WHITE), LATER + DAY_MS)
    assert events == (Ready(WHITE),)
    assert play(game, ResumeReady(WHITE), LATER + 2 * DAY_MS) == (game, ())
    with pytest.raises(NotAllowed):
        play(game, Resume(), LATER + DAY_MS)
    game = after(game, ResumeReady(BLACK), now=LATER + 3 * DAY_MS)
    assert both_ready(game)
    back = LATER + 4 * DAY_MS
    game, events = play(game, Resume(), back)
    assert events == (ClockResumed(),)
    assert (game.status, game.adjourned) == (Status.LIVE, None)
    assert game.clock.remaining(WHITE, back + 1_000) == 289_000
    assert moved(game, "g1f3", now=back + 1_000).clock.remaining(BLACK, back + 1_000) == 300_000


def test_the_players_may_end_it_meanwhile():
    assert after(adjourned(), Resign(WHITE)).outcome == Outcome(BLACK, "resign")
    drawn = after(adjourned(), MakeOffer(WHITE, OfferKind.DRAW), AcceptOffer(BLACK, 2))
    assert (drawn.outcome, drawn.adjourned) == (Outcome(None, "agreement"), None)


def test_after_two_weeks_of_waiting_a_player_may_claim():
    game = adjourned()
    with pytest.raises(NotAllowed):
        play(game, Claim(WHITE), LATER + 100 * DAY_MS)
    game = after(game, ResumeReady(WHITE), now=LATER)
    with pytest.raises(NotAllowed):
        play(game, Claim(WHITE), LATER + CLAIM_AFTER_MS - 1)
    with pytest.raises(NotAllowed):
        play(game, Claim(BLACK), LATER + CLAIM_AFTER_MS)
    assert after(game, Claim(WHITE), now=LATER + CLAIM_AFTER_MS).outcome == Outcome(WHITE, "left")
    assert after(game, Claim(WHITE, as_draw=True), now=LATER + CLAIM_AFTER_MS).outcome == Outcome(None, "left")
    willing = after(game, ResumeReady(BLACK), now=LATER + DAY_MS)
    with pytest.raises(NotAllowed):
        play(willing, Claim(WHITE), LATER + CLAIM_AFTER_MS)
