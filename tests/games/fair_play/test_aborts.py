"""Who gave a game up before it began, and how long they are paused for it."""

import pytest

from server.games.changes.beginning import BothHere
from server.games.changes.ending import Abort, Expire, Resign
from server.games.fair_play import ARRIVAL_MS, LONGEST_BAN_MS, MAX_KEPT, RECENT_MS, Aborts, players_at_fault
from server.games.game import play
from tests.support.games import BLACK, BORIS, START, WANDA, WHITE, live_game, moved, open_game, running_game

MINUTE = 60_000


def aborts(*at):
    known = Aborts()
    for one in at:
        known = known.one_more(one)
    return known


def minutes_after(count):
    return (aborts(*[START] * count).banned_until - START) // MINUTE


def test_the_third_abort_costs_five_minutes_and_each_further_one_twice_as_much_up_to_an_hour():
    assert [aborts(*[START] * count).banned_until for count in (0, 1, 2)] == [0, 0, 0]
    assert [minutes_after(count) for count in range(3, 9)] == [5, 10, 20, 40, 60, 60]
    assert minutes_after(200) == LONGEST_BAN_MS // MINUTE
    assert len(aborts(*[START] * 200).at) == MAX_KEPT


def test_aborts_of_hours_ago_do_not_count():
    assert aborts(START, START, START + RECENT_MS).banned_until == 0
    assert aborts(START, START, START + RECENT_MS - 1).banned_until > 0


def blamed(game, command, now=START, never_came=(), **how):
    return players_at_fault(game, command, play(game, command, now)[0], never_came, now, **how)


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_an_abort_counts_against_the_player_who_aborts(color):
    assert blamed(live_game(), Abort(color)) == ((WANDA if color is WHITE else BORIS),)


def test_a_missed_first_move_counts_against_the_player_to_move():
    met = play(live_game(), BothHere(), START)[0]
    assert blamed(met, Expire(), met.expires) == (WANDA,)
    answered = moved(met, "e2e4")
    assert blamed(answered, Expire(), answered.expires) == (BORIS,)


@pytest.mark.parametrize("end", [Abort(WHITE), Abort(BLACK), Expire()])
def test_an_abort_counts_against_the_player_who_never_came(end):
    met = play(live_game(), BothHere(), START)[0]
    for never_came, people in (((BLACK,), (BORIS,)), ((WHITE,), (WANDA,)), ((WHITE, BLACK), (WANDA, BORIS))):
        assert blamed(met, end, met.expires, never_came) == people


@pytest.mark.parametrize("never_came", [(), (WHITE,), (BLACK,), (WHITE, BLACK)])
@pytest.mark.parametrize("end", [Abort(WHITE), Abort(BLACK), Expire()])
def test_in_doubt_only_who_is_at_fault_in_either_case_is_blamed(end, never_came):
    met = play(live_game(), BothHere(), START)[0]
    either = set(blamed(met, end, met.expires)) & set(blamed(met, end, met.expires, never_came))
    alone = len(blamed(met, end, met.expires, never_came)) == 1
    assert set(blamed(met, end, met.expires, never_came, in_doubt=True)) == (either if alone else set())


def test_an_opponent_not_there_in_the_first_moments_is_not_blamed():
    assert blamed(live_game(), Abort(WHITE), START + ARRIVAL_MS - 1, (BLACK,)) == (WANDA,)
    assert blamed(live_game(), Abort(WHITE), START + ARRIVAL_MS, (BLACK,)) == (BORIS,)


def test_games_without_an_opponent_or_that_were_played_count_against_nobody():
    waiting = open_game()
    assert blamed(waiting, Abort(WHITE)) == ()
    assert blamed(waiting, Expire(), waiting.expires) == ()
    assert blamed(running_game(), Resign(WHITE)) == ()
    assert blamed(live_game(), Expire()) == ()
