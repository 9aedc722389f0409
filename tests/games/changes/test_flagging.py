"""Flagging by hand in a correspondence game: what goes on after the flag, what can be claimed, what stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.beginning import rematch_of
from server.games.changes.claiming import ChooseFlagging, Claim
from server.games.changes.ending import Expire, Flag, Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.pausing import GoAway, ResumeReady
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import BANKS, DAY_MS, TimeControl
from server.games.errors import GameOver, NotAllowed
from server.games.events import Ended, FlaggingChosen
from server.games.game import play
from server.games.judging import check_consistent
from server.games.reminders import TIME_IS_UP, Remind, next_reminder_at, time_is_up
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.endings import Outcome
from tests.support.games import BLACK, START, WHITE, after, at_position, live_game, moved, running_game

CONTROLS = (TimeControl.correspondence(1), TimeControl.correspondence(3), *BANKS)
DAYS = TimeControl.correspondence(3)
OVER = START + 3 * DAY_MS


def by_hand(color=BLACK, control=DAYS):
    """White has the move; if their time is over, Black says what comes of it."""
    return after(running_game(control=control), ChooseFlagging(color, True))


def test_the_choice_is_an_event_and_repeating_it_changes_nothing():
    game, events = play(running_game(control=DAYS), ChooseFlagging(BLACK, True), START)
    assert (game.flags_by_hand, events) == ((False, True), (FlaggingChosen(BLACK, True),))
    assert play(game, ChooseFlagging(BLACK, True), START) == (game, ())
    check_consistent(game)


@pytest.mark.parametrize("control", [TimeControl.realtime(300_000, 3_000), TimeControl.unlimited()])
def test_only_in_games_of_days(control):
    with pytest.raises(NotAllowed, match="flagging_not_by_days"):
        play(running_game(control=control), ChooseFlagging(WHITE, True), START)


@pytest.mark.parametrize("command", [Flag(), Expire(), Resign(BLACK), MakeOffer(BLACK, OfferKind.DRAW)])
def test_a_fallen_flag_does_not_end_the_game_by_itself(command):
    game, _ = play(by_hand(), command, OVER + DAY_MS)
    assert game.outcome is None or game.outcome.reason == "resign"
    assert by_hand().deadline is None
    automatic, _ = play(running_game(control=DAYS), command, OVER)
    assert automatic.outcome == Outcome(BLACK, "time")


def test_ones_own_flag_falls_as_ever():
    game = by_hand(WHITE)
    assert game.deadline == OVER
    assert after(game, Flag(), now=OVER).outcome == Outcome(BLACK, "time")


@given(control=st.sampled_from(CONTROLS), late=st.integers(0, 400 * DAY_MS), by=st.sampled_from((WHITE, BLACK)))
def test_a_late_move_counts_and_leaves_what_the_move_brings(control, late, by):
    game = by_hand(by.other, control) if by is WHITE else moved(by_hand(WHITE, control), "g1f3")
    now = START + game.clock.left_ms[by.value] + late
    played = after(game, PlayMove(by, "b1c3" if by is WHITE else "b8c6", len(game.plies)), now=now)
    assert len(played.plies) == len(game.plies) + 1
    left = played.clock.remaining(by, now)
    assert left == (control.increment_ms[0] if control.cap_ms else control.turn_ms(by))
    assert played.clock.remaining(by.other, now) == game.clock.left_ms[by.other.value]
    check_consistent(played)


@pytest.mark.parametrize("as_draw", [False, True])
def test_the_win_or_a_draw_is_claimed_at_any_time_while_the_opponent_is_over_time(as_draw):
    game = by_hand()
    with pytest.raises(NotAllowed, match="claim_in_time"):
        play(game, Claim(BLACK, as_draw), OVER - 1)
    expected = Outcome(None, "forgiven") if as_draw else Outcome(BLACK, "time")
    for now in (OVER, OVER + 900 * DAY_MS):
        assert after(game, Claim(BLACK, as_draw), now=now).outcome == expected


def test_nothing_is_claimed_against_oneself_or_after_the_late_move():
    game = by_hand()
    with pytest.raises(NotAllowed):
        play(game, Claim(WHITE), OVER)
    played = moved(game, "g1f3", now=OVER + DAY_MS)
    with pytest.raises(NotAllowed):
        play(played, Claim(BLACK), OVER + DAY_MS)


def test_who_could_never_mate_claims_a_draw_as_the_flag_would_have_been():
    game = after(at_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", control=DAYS), ChooseFlagging(BLACK, True))
    assert after(game, Claim(BLACK), now=OVER).outcome == Outcome(None, "time")


def test_taking_the_choice_back_when_time_is_over_is_to_claim():
    game, events = play(by_hand(), ChooseFlagging(BLACK, False), OVER + DAY_MS)
    assert (game.outcome, isinstance(events[-1], Ended)) == (Outcome(BLACK, "time"), True)
    early = after(by_hand(), ChooseFlagging(BLACK, False), now=OVER - 1)
    assert (early.outcome, early.deadline) == (None, OVER)


def test_choosing_it_too_late_does_not_bring_a_game_back():
    game = after(running_game(control=DAYS), ChooseFlagging(BLACK, True), now=OVER)
    assert game.outcome == Outcome(BLACK, "time")
    with pytest.raises(GameOver):
        play(game, ChooseFlagging(BLACK, True), OVER)


def test_a_vacation_begun_too_late_does_not_keep_the_claim_away():
    game = after(by_hand(), GoAway(WHITE, OVER + 30 * DAY_MS), now=OVER + DAY_MS)
    assert after(game, Claim(BLACK), now=OVER + 2 * DAY_MS).outcome == Outcome(BLACK, "time")
    timely = after(by_hand(), GoAway(WHITE, OVER + 30 * DAY_MS), now=OVER - 1)
    with pytest.raises(NotAllowed):
        play(timely, Claim(BLACK), OVER + 2 * DAY_MS)


def test_who_claims_is_told_once_when_the_flag_falls():
    game = by_hand()
    game = after(game, Remind(), now=START + 29 * DAY_MS // 10)
    assert next_reminder_at(game) == OVER
    told = after(game, Remind(), now=OVER)
    assert (time_is_up(told), told.clock.reminded, next_reminder_at(told)) == (True, TIME_IS_UP, None)
    check_consistent(told)
    assert not time_is_up(moved(told, "g1f3", now=OVER + 1))
    assert next_reminder_at(after(running_game(control=DAYS), Remind(), now=START + 29 * DAY_MS // 10)) is None


def test_a_pause_after_the_flag_has_fallen_leaves_a_day_or_the_claim():
    game = after(by_hand(), MakeOffer(WHITE, OfferKind.PAUSE), AcceptOffer(BLACK, 1), now=OVER + DAY_MS)
    assert game.status is Status.ADJOURNED
    given, own = after(game, ResumeReady(BLACK), now=OVER), after(game, ResumeReady(WHITE), now=OVER)
    assert given.clock.remaining(WHITE, OVER) == DAY_MS
    assert after(own, Claim(BLACK), now=OVER).outcome == Outcome(BLACK, "time")


def test_the_next_game_of_the_two_is_flagged_as_this_one():
    over = after(by_hand(), Resign(WHITE))
    assert rematch_of(over, "next", START).flags_by_hand == (True, False)
    assert not any(live_game(control=DAYS).flags_by_hand)
