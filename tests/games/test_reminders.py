"""When the side to move in a correspondence game is reminded: at half and at a tenth of the time for the move."""

import pytest

from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.pausing import CreditStall, Pause, Resume
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.frozen import replace
from server.games.reminders import SHORTEST_TURN_MS, Remind, next_reminder_at
from server.games.state import Adjournment, OfferKind
from server.games.status import Status
from tests.support.games import BLACK, START, WHITE, after, live_game, moved, over_game, running_game

DAYS = TimeControl.correspondence(10)
HALF, TENTH, OVER = START + 5 * DAY_MS, START + 9 * DAY_MS, START + 10 * DAY_MS


@pytest.fixture
def game():
    """White has ten days for the third half-move, from START on."""
    return running_game(control=DAYS)


def with_time(game, ms):
    return replace(game, clock=replace(game.clock, left_ms=(ms, ms)))


def reminded(game, now):
    return after(game, Remind(), now=now)


def test_reminders_are_due_at_half_and_at_a_tenth_of_the_time_and_each_is_noted_once(game):
    assert next_reminder_at(game) == HALF
    assert reminded(game, HALF - 1) is game
    half = reminded(game, HALF)
    assert (half.rev, half.clock.reminded, next_reminder_at(half)) == (game.rev + 1, 2, TENTH)
    assert reminded(half, TENTH - 1) is half
    tenth = reminded(half, TENTH)
    assert (tenth.clock.reminded, next_reminder_at(tenth)) == (10, None)
    assert reminded(tenth, OVER - 1) is tenth


def test_when_both_are_overdue_only_the_later_one_is_given(game):
    late = reminded(game, TENTH + 1)
    assert (late.clock.reminded, next_reminder_at(late)) == (10, None)


def test_a_reminder_leaves_the_clock_as_it_was(game):
    assert reminded(game, HALF).clock == replace(game.clock, reminded=2)


def test_the_next_turn_has_reminders_of_its_own(game):
    replied = moved(reminded(game, HALF), "g1f3", now=HALF + 1)
    assert (replied.clock.reminded, next_reminder_at(replied)) == (0, HALF + 1 + 5 * DAY_MS)
    again = after(replied, MakeOffer(WHITE, OfferKind.TAKEBACK), AcceptOffer(BLACK, 1), now=HALF + 2)
    assert (again.clock.reminded, next_reminder_at(again)) == (0, HALF + 2 + 5 * DAY_MS)


def test_in_a_time_bank_half_and_a_tenth_of_what_was_left_at_the_start_of_the_turn_count():
    bank = running_game(control=TimeControl.bank(10, 1, 30))
    assert next_reminder_at(bank) == HALF
    later = moved(moved(bank, "g1f3", now=START + 4 * DAY_MS), "b8c6", now=START + 5 * DAY_MS)
    assert next_reminder_at(later) == START + 5 * DAY_MS + 7 * DAY_MS // 2
    assert next_reminder_at(reminded(later, next_reminder_at(later))) == START + 12 * DAY_MS - 7 * DAY_MS // 10


def test_time_given_back_puts_reminders_off_and_repeats_none(game):
    given = after(reminded(game, HALF), CreditStall(3 * DAY_MS), now=HALF + DAY_MS)
    assert reminded(given, HALF + 3 * DAY_MS) is given
    assert next_reminder_at(given) == TENTH + 3 * DAY_MS


def test_nobody_is_reminded_while_the_clock_stands_still(game):
    paused = after(game, Pause(START))
    assert next_reminder_at(paused) is None
    assert reminded(paused, TENTH) is paused
    assert next_reminder_at(after(paused, Resume(), now=START + DAY_MS)) == HALF + DAY_MS


def test_an_adjourned_game_reminds_nobody(game):
    assert next_reminder_at(replace(game, status=Status.ADJOURNED, adjourned=Adjournment(START))) is None


@pytest.mark.parametrize(
    "quiet",
    [
        live_game(control=DAYS),
        moved(live_game(control=DAYS), "e2e4"),
        with_time(running_game(), 10 * DAY_MS),
        running_game(control=TimeControl.unlimited()),
        after(running_game(control=DAYS), Resign(WHITE)),
        over_game(control=DAYS),
    ],
    ids=["unstarted", "first move", "real-time", "untimed", "resigned", "mate"],
)
def test_other_games_remind_nobody(quiet):
    assert next_reminder_at(quiet) is None


@pytest.mark.parametrize(("given", "is_reminded"), [(SHORTEST_TURN_MS, True), (SHORTEST_TURN_MS - 1, False)])
def test_nobody_is_reminded_of_a_move_for_which_they_have_little_time(game, given, is_reminded):
    assert (next_reminder_at(with_time(game, given)) is not None) is is_reminded
