"""The first moves of a game: how soon they are due, and what comes of one that is not made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.beginning import BothHere, rematch_of
from server.games.changes.ending import Expire
from server.games.changes.pausing import Pause, Resume
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import (
    NotStarted,
)
from server.games.game import play
from tests.support.games import (
    START,
    after,
    joined,
    kinds,
    live_game,
    met,
    moved,
    open_game,
)
from tests.support.rules.built_in import VARIANTS

SECOND = 1_000


@pytest.mark.row("T11")
@pytest.mark.parametrize(
    ("initial_s", "increment_s", "due_s"),
    [(15, 0, 15), (60, 0, 20), (180, 0, 25), (300, 3, 25), (480, 0, 30), (900, 15, 35), (3_600, 0, 35)],
)
def test_once_both_are_here_the_first_moves_are_due_soon(initial_s, increment_s, due_s):
    control = TimeControl.realtime(initial_s * SECOND, increment_s * SECOND)
    game = met(live_game(control=control), START + 40)
    assert game.deadline == START + 40 + due_s * SECOND
    game = moved(game, "e2e4", now=START + 9_000)
    assert game.deadline == START + 9_000 + due_s * SECOND


@pytest.mark.parametrize(
    ("variant", "due_s"),
    [("chess", 25), ("crazyhouse", 25), ("seirawan", 60), ("capablanca", 60), ("acedrex", 60), ("placement", 105)],
)
def test_variants_that_take_a_longer_look_have_longer_to_begin(variant, due_s):
    assert met(live_game(variant=variant)).deadline == START + due_s * SECOND


def test_a_player_new_to_the_variant_has_a_minute_to_begin_and_so_has_the_opponent():
    game, events = play(live_game(), BothHere(unhurried=True), START)
    assert (kinds(events), game.deadline) == (["BothMet"], START + 60 * SECOND)
    assert moved(game, "e2e4", now=START + 50 * SECOND).deadline == START + 110 * SECOND


@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    initial_s=st.integers(0, 3_600),
    increment_s=st.integers(1, 60),
    data=st.data(),
)
def test_no_rematch_gives_less_time_to_begin_than_the_game_before(variant, initial_s, increment_s, data):
    control = TimeControl.realtime(initial_s * SECOND, increment_s * SECOND)
    game, _ = play(live_game(variant=variant, control=control), BothHere(unhurried=data.draw(st.booleans())), START)
    for number in range(3):
        again = rematch_of(game, f"rematch-{number}", START)
        again, _ = play(again, BothHere(unhurried=data.draw(st.booleans())), START)
        assert again.deadline >= game.deadline
        game = again


@pytest.mark.row("T11")
def test_until_both_are_here_a_live_game_waits_a_day():
    game = joined(open_game(), now=START + 20 * SECOND)
    assert game.deadline == START + 20 * SECOND + DAY_MS


def test_both_players_arriving_counts_once():
    game = met(live_game())
    assert play(game, BothHere(), START + 9_000) == (game, ())


@pytest.mark.row("T11")
def test_a_first_move_not_made_ends_the_game_without_result():
    game = met(live_game())
    game, _ = play(game, Expire(), game.deadline)
    assert (game.result, game.outcome.reason) == ("*", "expired")


def test_a_started_game_does_not_expire():
    game = moved(met(live_game()), "e2e4 e7e5")
    assert play(game, Expire(), START + 99 * DAY_MS)[0].outcome.reason == "time"
    calm = moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5")
    assert play(calm, Expire(), START + 99 * DAY_MS) == (calm, ())


@pytest.mark.parametrize(
    ("control", "due"),
    [
        (TimeControl.correspondence(3), START + 3 * DAY_MS),
        (TimeControl.bank(10, 1, 30), START + 10 * DAY_MS),
        (TimeControl.bank(30, 3, 60), START + 14 * DAY_MS),
        (TimeControl.unlimited(), None),
    ],
)
def test_untimed_and_correspondence_games_need_no_quick_first_move(control, due):
    game = live_game(control=control)
    assert game.deadline == due
    assert play(game, BothHere(), START + 1) == (game, ())


def test_an_absence_of_the_server_moves_the_deadline_of_the_first_move():
    game = met(live_game())
    due = game.deadline
    game = after(game, Pause(START + 1_000), now=START + 61_000)
    assert game.deadline is None
    assert play(game, Expire(), due + DAY_MS) == (game, ())
    assert after(game, Resume(), now=START + 61_000).deadline == due + 60_000


def test_pausing_needs_a_live_game():
    with pytest.raises(NotStarted):
        play(open_game(), Pause(START), START)
