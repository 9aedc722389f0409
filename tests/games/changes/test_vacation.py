"""Vacations in one correspondence game: when the clock stands, what goes on meanwhile, and what is left afterwards."""

import pytest

from server.games.changes.claiming import ChooseFlagging, Claim
from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.pausing import ComeBack, EndVacations, GoAway, Pause, Resume, ResumeReady
from server.games.changes.playing import PrepareMoves
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.conditional import tree_from
from server.games.errors import GameOver, NotAllowed, NotStarted
from server.games.events import Away
from server.games.game import play
from server.games.reminders import Remind, next_reminder_at
from server.games.state import OfferKind
from server.games.status import Status
from tests.support.games import BLACK, START, WHITE, after, live_game, moved, open_game, over_game, running_game

DAYS = TimeControl.correspondence(3)
WEEK = START + 7 * DAY_MS
LATER = START + 10 * DAY_MS


@pytest.fixture
def game():
    """White has three days for the third half-move, from START on."""
    return running_game(control=DAYS)


def left(game, now):
    return game.clock.remaining(game.to_move, now)


def test_the_clock_stands_until_the_time_given_and_goes_on_with_what_was_left(game):
    gone = after(game, GoAway(WHITE, WEEK), now=START + DAY_MS)
    assert (gone.away, gone.deadline, gone.move_due) == ((WEEK, 0), WEEK, None)
    assert left(gone, WEEK) == 2 * DAY_MS
    assert after(gone, EndVacations(), now=WEEK - 1) is gone
    back = after(gone, EndVacations(), now=WEEK)
    assert (back.away, back.clock.paused_at) == ((0, 0), None)
    assert back.deadline == WEEK + 2 * DAY_MS


def test_the_event_says_who_and_until_when(game):
    gone, events = play(game, GoAway(BLACK, WEEK), START)
    assert events == (Away(BLACK, WEEK),)
    assert play(gone, ComeBack(BLACK), START)[1] == (Away(BLACK, 0),)
    assert play(gone, EndVacations(), WEEK)[1] == (Away(BLACK, 0),)


def test_saying_the_same_twice_changes_nothing_and_another_time_replaces_it(game):
    gone = after(game, GoAway(WHITE, WEEK))
    assert after(gone, GoAway(WHITE, WEEK), now=START + 5) is gone
    longer = after(gone, GoAway(WHITE, LATER), now=START + DAY_MS)
    assert (longer.away, left(longer, LATER)) == ((LATER, 0), 3 * DAY_MS)
    assert after(gone, ComeBack(BLACK)) is gone
    assert after(game, GoAway(WHITE, START)) is game
    assert after(gone, GoAway(WHITE, START + 5), now=START + 5).away == (0, 0)


def test_the_clock_waits_for_the_last_of_two_who_are_away(game):
    both = after(game, GoAway(WHITE, WEEK), GoAway(BLACK, LATER), now=START + DAY_MS)
    assert both.deadline == WEEK
    one = after(both, EndVacations(), now=WEEK)
    assert (one.away, one.deadline, left(one, LATER)) == ((0, LATER), LATER, 2 * DAY_MS)
    none = after(one, ComeBack(BLACK), now=WEEK + 5)
    assert none.deadline == WEEK + 5 + 2 * DAY_MS


def test_an_opponent_to_move_is_not_surprised_by_who_comes_back_sooner_than_they_had_said(game):
    soon = START + 3 * DAY_MS - 1
    gone = after(game, GoAway(BLACK, LATER), now=soon)
    assert after(gone, ComeBack(BLACK), now=WEEK).deadline == WEEK + DAY_MS
    assert after(gone, GoAway(BLACK, WEEK), EndVacations(), now=WEEK).deadline == WEEK + DAY_MS
    shortened = after(gone, GoAway(BLACK, WEEK + 5), now=WEEK)
    assert after(shortened, EndVacations(), now=WEEK + 5).deadline == WEEK + 5 + DAY_MS
    in_time = after(gone, GoAway(BLACK, LATER - DAY_MS), now=LATER - 2 * DAY_MS)
    assert after(in_time, EndVacations(), now=LATER - DAY_MS).deadline == LATER - DAY_MS + 1
    assert after(gone, EndVacations(), now=LATER).deadline == LATER + 1
    # Who is to move themselves has what they had.
    own = after(game, GoAway(WHITE, LATER), now=soon)
    assert after(own, ComeBack(WHITE), now=WEEK).deadline == WEEK + 1
    # Somebody else may be away for longer.
    both = after(gone, GoAway(WHITE, LATER), ComeBack(BLACK), now=WEEK)
    assert after(both, EndVacations(), now=LATER).deadline == LATER + 1


def test_time_that_was_over_stays_so_when_who_may_claim_it_comes_back(game):
    by_hand = after(game, ChooseFlagging(BLACK, True))
    gone = after(by_hand, GoAway(BLACK, LATER), now=START + 4 * DAY_MS)
    assert left(gone, WEEK) == 0
    back = after(gone, ComeBack(BLACK), now=WEEK)
    assert left(back, WEEK) == 0
    assert after(back, Claim(BLACK), now=WEEK).outcome.reason == "time"


def test_a_first_move_is_not_due_by_surprise_either():
    gone = after(live_game(control=DAYS), GoAway(BLACK, LATER), now=START + 3 * DAY_MS - 1)
    assert after(gone, ComeBack(BLACK), now=WEEK).deadline == WEEK + DAY_MS
    shortened = after(gone, GoAway(BLACK, WEEK + 5), now=WEEK)
    assert after(shortened, EndVacations(), now=WEEK + 5).deadline == WEEK + 5 + DAY_MS


def test_moves_are_played_meanwhile_and_the_next_turn_waits_full(game):
    gone = after(game, GoAway(WHITE, WEEK), now=START + 3 * DAY_MS - 1)
    assert left(gone, WEEK) == 1
    played = moved(gone, "g1f3", now=START + 4 * DAY_MS)
    assert (played.away, played.clock.paused_at) == ((WEEK, 0), START + 4 * DAY_MS)
    replied = moved(played, "b8c6", now=START + 6 * DAY_MS)
    assert after(replied, EndVacations(), now=WEEK).deadline == WEEK + 3 * DAY_MS


def test_the_first_moves_have_their_full_time_after_a_vacation():
    game = after(live_game(control=DAYS), GoAway(BLACK, WEEK), now=START + DAY_MS)
    assert after(game, EndVacations(), now=WEEK).deadline == WEEK + 2 * DAY_MS
    played = moved(game, "e2e4", now=START + 5 * DAY_MS)
    assert after(played, EndVacations(), now=WEEK).deadline == WEEK + 3 * DAY_MS
    begun = moved(played, "e7e5", now=START + 6 * DAY_MS)
    assert after(begun, EndVacations(), now=WEEK).deadline == WEEK + 3 * DAY_MS


def test_a_first_move_taken_back_on_vacation_gives_the_full_time_again():
    game = moved(after(live_game(control=DAYS), GoAway(BLACK, WEEK)), "e2e4", now=START + DAY_MS)
    again = after(game, MakeOffer(WHITE, OfferKind.TAKEBACK), AcceptOffer(BLACK, 1), now=START + 5 * DAY_MS)
    assert (len(again.plies), again.away) == (0, (0, WEEK))
    assert after(again, EndVacations(), now=WEEK).deadline == WEEK + 3 * DAY_MS


def test_a_flag_that_has_fallen_is_not_put_off(game):
    assert after(game, GoAway(WHITE, WEEK), now=START + 3 * DAY_MS).outcome.reason == "time"


def test_a_pause_of_the_server_neither_begins_nor_ends_a_vacation(game):
    gone = after(game, GoAway(WHITE, WEEK), now=START + DAY_MS)
    assert after(gone, Pause(START), now=START + 2 * DAY_MS) is gone
    assert after(gone, Resume(), now=START + 2 * DAY_MS) is gone
    paused = after(game, Pause(START), now=START + DAY_MS)
    assert after(paused, EndVacations(), now=LATER) is paused
    assert after(paused, ComeBack(WHITE), now=LATER) is paused


def test_nobody_is_reminded_while_somebody_is_away(game):
    gone = after(game, GoAway(BLACK, WEEK))
    assert next_reminder_at(gone) is None
    assert after(gone, Remind(), now=WEEK) is gone
    assert next_reminder_at(after(gone, EndVacations(), now=WEEK)) == WEEK + 3 * DAY_MS // 2


def test_conditional_moves_still_answer(game):
    game = after(moved(game, "g1f3"), GoAway(WHITE, WEEK))
    prepared = after(game, PrepareMoves(WHITE, game.position, tree_from(["b8c6", "f1b5"])))
    assert [ply.uci for ply in moved(prepared, "b8c6").plies][-2:] == ["b8c6", "f1b5"]


@pytest.mark.parametrize(
    "control", [TimeControl.realtime(300_000, 0), TimeControl.unlimited()], ids=["by the minute", "untimed"]
)
def test_only_a_game_of_days_waits_for_a_vacation(control):
    with pytest.raises(NotAllowed, match="vacation_not_by_days"):
        play(running_game(control=control), GoAway(WHITE, WEEK), START)


@pytest.mark.parametrize(("game", "why"), [(open_game(control=DAYS), NotStarted), (over_game(control=DAYS), GameOver)])
def test_nobody_goes_away_before_or_after_the_game(game, why):
    with pytest.raises(why):
        play(game, GoAway(WHITE, WEEK), START)


def test_the_end_of_the_game_ends_it(game):
    over = after(game, GoAway(WHITE, WEEK), Resign(BLACK))
    assert (over.away, over.deadline, over.clock.paused_at) == ((0, 0), None, None)


def test_a_game_paused_meanwhile_goes_on_when_a_player_says_so_and_nobody_is_away(game):
    gone = after(game, GoAway(WHITE, WEEK), now=START + DAY_MS)
    still = after(gone, MakeOffer(WHITE, OfferKind.PAUSE), MakeOffer(BLACK, OfferKind.PAUSE), now=START + DAY_MS)
    assert still.deadline is None
    early = after(still, ResumeReady(BLACK), now=START + 2 * DAY_MS)
    assert (early.status, early.deadline, left(early, WEEK)) == (Status.LIVE, WEEK, 2 * DAY_MS)
    late = after(still, ResumeReady(BLACK), now=LATER)
    assert (late.away, late.deadline) == ((0, 0), LATER + 2 * DAY_MS)
    back = after(still, ComeBack(WHITE), now=START + 2 * DAY_MS)
    assert (back.away, back.clock.paused_at is None) == ((0, 0), False)
    assert after(back, ResumeReady(BLACK), now=LATER).deadline == LATER + 2 * DAY_MS
