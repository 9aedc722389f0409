"""A pause in a correspondence game: both agree to it, either ends it, and nobody loses or wins time by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.claiming import Claim
from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import Resume, ResumeReady
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import BANKS, DAY_MS, TimeControl
from server.games.errors import NotAllowed
from server.games.events import Adjourned, ClockResumed, OfferClosed
from server.games.game import play
from server.games.reminders import Remind, next_reminder_at
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.endings import Outcome
from tests.support.games import BLACK, START, WHITE, after, live_game, moved, running_game

PAUSE = OfferKind.PAUSE
CONTROLS = (*(TimeControl.correspondence(days) for days in (1, 3, 14)), *BANKS)
HOUR_MS = 60 * 60 * 1_000
THREE_DAYS = TimeControl.correspondence(3)


def paused(now=START, control=THREE_DAYS):
    return after(running_game(control=control), MakeOffer(BLACK, PAUSE), AcceptOffer(WHITE, 1), now=now)


def test_both_have_to_agree():
    asked = after(running_game(control=THREE_DAYS), MakeOffer(WHITE, PAUSE))
    assert asked.status is Status.LIVE
    assert after(asked, DeclineOffer(BLACK, 1)).status is Status.LIVE
    game, events = play(asked, AcceptOffer(BLACK, 1), START)
    assert events == (OfferClosed(1, PAUSE, "accepted"), Adjourned())
    assert (game.status, game.deadline) == (Status.ADJOURNED, None)


def test_the_offer_stands_while_its_maker_moves():
    game = moved(after(running_game(control=THREE_DAYS), MakeOffer(WHITE, PAUSE)), "g1f3")
    assert after(game, AcceptOffer(BLACK, 1)).status is Status.ADJOURNED
    assert moved(game, "b8c6").offers == ()


@pytest.mark.parametrize(
    ("game", "kind", "why"),
    [
        (running_game(), PAUSE, "no_pause_untimed"),
        (running_game(control=TimeControl.unlimited()), PAUSE, "no_pause_untimed"),
        (running_game(control=THREE_DAYS), OfferKind.ADJOURN, "no_adjournment_untimed"),
        (live_game(control=THREE_DAYS), PAUSE, "not_begun"),
        (moved(live_game(control=THREE_DAYS), "e2e4"), PAUSE, "not_begun"),
    ],
)
def test_only_a_running_game_of_days_can_be_paused(game, kind, why):
    with pytest.raises(NotAllowed, match=why):
        play(game, MakeOffer(WHITE, kind), START)


def test_nobody_moves_or_claims_or_is_reminded_meanwhile_however_long_it_takes():
    game, later = paused(), START + 1_000 * DAY_MS
    with pytest.raises(NotAllowed, match="paused"):
        play(game, PlayMove(WHITE, "g1f3", 2), later)
    for color in (WHITE, BLACK):
        with pytest.raises(NotAllowed, match="paused"):
            play(game, Claim(color), later)
    with pytest.raises(NotAllowed):
        play(game, Resume(), later)
    with pytest.raises(NotAllowed):
        play(game, Remind(), later)
    assert next_reminder_at(game) is None


def test_the_players_may_end_the_game_meanwhile():
    assert after(paused(), Resign(WHITE)).outcome == Outcome(BLACK, "resign")
    drawn = after(paused(), MakeOffer(WHITE, OfferKind.DRAW), AcceptOffer(BLACK, 2))
    assert drawn.outcome == Outcome(None, "agreement")


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_either_player_ends_it_at_once(color):
    game, events = play(paused(), ResumeReady(color), START + DAY_MS)
    assert events == (ClockResumed(),)
    assert (game.status, game.adjourned, game.goes_on_again) == (Status.LIVE, None, True)
    assert not moved(game, "g1f3", now=START + DAY_MS).goes_on_again
    with pytest.raises(NotAllowed, match="going_on"):
        play(game, ResumeReady(color.other), START + DAY_MS)


@given(
    control=st.sampled_from(CONTROLS),
    turn=st.sampled_from((WHITE, BLACK)),
    share=st.floats(0, 1, exclude_max=True),
    lasts=st.integers(0, 400 * DAY_MS),
    ender=st.sampled_from((WHITE, BLACK)),
)
def test_who_ends_it_gains_nothing_and_the_other_has_a_day_at_least(control, turn, share, lasts, ender):
    game = running_game(control=control)
    if turn is BLACK:
        game = moved(game, "g1f3")
    now = START + int(share * game.clock.left_ms[turn.value])
    before = {color: game.clock.remaining(color, now) for color in (WHITE, BLACK)}
    game = after(game, MakeOffer(WHITE, PAUSE), AcceptOffer(BLACK, 1), now=now)
    assert {color: game.clock.remaining(color, now + lasts) for color in before} == before
    now += lasts
    game = after(game, ResumeReady(ender), now=now)
    left = {color: game.clock.remaining(color, now) for color in before}
    assert left[ender] == before[ender]
    assert left[ender.other] == (max(before[ender.other], DAY_MS) if turn is ender.other else before[ender.other])
    assert game.deadline == now + left[turn]
    assert control.cap_ms is None or max(left.values()) <= control.cap_ms


def test_a_day_that_is_given_has_reminders_of_its_own():
    game = running_game(control=THREE_DAYS)
    now = START + 3 * DAY_MS - HOUR_MS
    game = after(game, Remind(), MakeOffer(WHITE, PAUSE), AcceptOffer(BLACK, 1), now=now)
    own, given = after(game, ResumeReady(WHITE), now=now), after(game, ResumeReady(BLACK), now=now)
    assert next_reminder_at(own) is None
    assert next_reminder_at(given) == now + DAY_MS // 2


def test_a_takeback_leaves_no_end_of_a_pause_behind():
    game = after(paused(), ResumeReady(WHITE))
    game = after(moved(game, "g1f3"), MakeOffer(WHITE, OfferKind.TAKEBACK), AcceptOffer(BLACK, 2))
    assert not game.goes_on_again
