"""The arena: when a wave runs, who meets whom with which colour, what games are worth, and what those who wait read."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments import arena
from server.games.tournaments.arena import ARENA, FREE_AFTER_MS, last_pairing_at, longest_wait_ms
from server.games.tournaments.tournament import (
    LATE_MS,
    MINUTE_MS,
    Busy,
    Candidate,
    Entrant,
    Field,
    GameResult,
    Pairing,
    Scoring,
    Standing,
    TournamentTerms,
    WaitReason,
    announced,
    did_not_come,
    standings,
)
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

W, B = Color.WHITE, Color.BLACK
START = 1_000_000
BLITZ = TimeControl.realtime(300_000, 3_000)
TERMS = TournamentTerms("Thursday", "arena", "chess", False, BLITZ, True, START, 60)
CUP = announced("cup", Player("o", "Olga"), TERMS, 0)
NOW = START + 10 * MINUTE_MS
LONG_AGO = NOW - MINUTE_MS


def free(person, place, since=NOW - FREE_AFTER_MS, met=(), **more):
    return Candidate(person, place, 1500, since, tuple(met), **more)


def paired(*waiting, playing=(), now=NOW, cup=CUP):
    return set(run_at_once(ARENA.pair(cup, Field(waiting, tuple(playing)), now)))


def test_two_who_are_free_meet_at_once():
    assert paired(free("a", 1), free("b", 2)) == {("a", "b")}


def test_nobody_is_paired_before_pause_was_in_reach():
    assert not paired(free("a", 1), free("b", 2, since=NOW - FREE_AFTER_MS + 1))


def test_nobody_is_paired_before_the_start_or_when_too_little_time_is_left():
    two = free("a", 1, since=0), free("b", 2, since=0)
    assert not paired(*two, now=START - 1)
    assert paired(*two, now=last_pairing_at(CUP))
    assert not paired(*two, now=last_pairing_at(CUP) + 1)


def test_they_wait_for_somebody_nearer_who_is_free_in_a_moment_but_not_for_long():
    far = free("a", 1), free("z", 20)
    near = Busy("b", 2, NOW + 5_000)
    assert not paired(*far, playing=[near])
    assert paired(*far, playing=[replace(near, free=NOW + 60_000)])
    assert paired(free("a", 1, since=NOW - longest_wait_ms(CUP)), far[1], playing=[near])


def test_last_opponents_do_not_meet_again_while_somebody_else_is_there():
    a, b = free("a", 1, met=[("b", W)]), free("b", 2, met=[("a", B)])
    assert not paired(a, b, playing=[Busy("c", 3, NOW + 300_000), Busy("d", 4, NOW + 300_000)])
    assert paired(a, b) == {("b", "a")}


def test_last_opponents_meet_again_if_both_ask_for_it_and_have_waited():
    others = [Busy("c", 3, NOW + 300_000), Busy("d", 4, NOW + 300_000)]
    a = free("a", 1, LONG_AGO, [("b", W)], again=True)
    b = free("b", 2, LONG_AGO, [("a", B)], again=True)
    assert paired(a, b, playing=others)
    assert not paired(a, replace(b, again=False), playing=others)
    assert not paired(a, replace(b, since=NOW - arena.AGAIN_AFTER_MS + 1), playing=others)


def test_of_an_odd_number_the_newest_waits():
    five = [free(name, place, LONG_AGO + place) for place, name in enumerate("abcde", 1)]
    assert "e" not in {person for pair in paired(*five) for person in pair}


def test_whoever_had_white_less_often_has_it():
    a, b = free("a", 1, met=[("x", W), ("y", B), ("z", W)]), free("b", 2, met=[("x", B)])
    assert paired(a, b) == {("b", "a")}


def test_nobody_has_a_color_four_times_running():
    a = free("a", 1, LONG_AGO, [("x", W), ("y", W), ("z", W)])
    others = [Busy("c", 3, NOW + 300_000)]
    assert not paired(a, free("b", 2, LONG_AGO, [("u", W), ("v", W), ("w", W)]), playing=others)
    # Black lacks more Whites, but the other one must not have White again.
    worse = free("b", 2, LONG_AGO, [("u", W), ("v", W), ("w", B), ("q", W), ("r", W)])
    assert paired(a, worse, playing=others) == {("b", "a")}


def test_those_who_are_kept_apart_never_meet_though_nobody_else_is_there_and_are_not_told_so():
    a, b = free("a", 1, LONG_AGO, apart=frozenset({"b"})), free("b", 2, LONG_AGO, apart=frozenset({"a"}))
    assert not paired(a, b)
    assert ARENA.why_waiting(CUP, Field((a, b)), "a", NOW).reason is WaitReason.ALONE
    assert paired(a, b, free("c", 3, LONG_AGO)) in ({("a", "c")}, {("b", "c")})


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 40_000), st.sampled_from("abcdefgh")), max_size=40))
def test_nobody_is_in_two_pairs_of_a_wave(people):
    waiting = [free(f"p{n}", place, NOW - since, [(last, W)]) for n, (place, since, last) in enumerate(people)]
    met = [person for pair in paired(*waiting) for person in pair]
    assert len(met) == len(set(met))


# --- what games are worth --------------------------------------------------------------------------------------------


def game(number, winner, plies=40, absent=None, berserk=(False, False), ended=NOW, white="a", black="b"):
    pairing = Pairing(f"g{number}", number, 0, white, black, NOW)
    return GameResult(pairing, winner, plies, ended, absent, berserk=berserk)


def points(*results, scoring=Scoring.ARENA, person="a"):
    return [one.points for one in ARENA.worth(scoring, results, person)]


def test_after_two_wins_everything_counts_double_until_a_game_is_not_won():
    assert points(*(game(n, winner) for n, winner in enumerate([W, W, W, None, W, B, W]))) == [2, 2, 4, 2, 2, 0, 2]


def test_a_short_draw_is_worth_nothing_and_a_second_one_only_if_it_was_long_or_a_win_came_between():
    assert points(game(1, None, 19)) == [0]
    assert points(game(1, None), game(2, None)) == [1, 0]
    assert points(game(1, None), game(2, B), game(3, None)) == [1, 0, 0]
    assert points(game(1, None), game(2, None, 60)) == [1, 1]
    assert points(game(1, None), game(2, W), game(3, None)) == [1, 2, 1]


def test_berserk_is_worth_a_point_if_the_game_is_won_and_long_enough():
    berserk = (True, False)
    assert points(game(1, W, 14, berserk=berserk), game(2, W, 13, berserk=berserk)) == [3, 2]
    assert points(game(1, B, berserk=berserk)) == [0]
    assert points(game(1, B, berserk=berserk), person="b") == [2]


def test_the_plain_scheme_counts_halves_and_that_of_children_gives_something_for_losing():
    three = game(1, W), game(2, None, 6), game(3, B, 6)
    assert points(*three, scoring=Scoring.PLAIN) == [2, 1, 0]
    assert points(*three, scoring=Scoring.CHILDREN) == [3, 2, 1]
    assert points(game(1, B, 0, absent=W), scoring=Scoring.CHILDREN) == [0]


def test_children_get_nothing_for_a_game_that_was_given_up_or_drawn_at_once_and_the_winner_gets_all():
    at_once = game(1, B, 0), game(2, None, 5), game(3, W, 1)
    assert points(*at_once, scoring=Scoring.CHILDREN) == [0, 0, 3]


def entrants(*names):
    return {name: Entrant(Player(name, name.upper()), 1500, False, START, at=START) for name in names}


def test_the_table_is_by_points_then_by_performance_then_by_who_joined_first():
    people = entrants("a", "b", "c", "d")
    people["d"] = replace(people["d"], rating=1900, joined=0)
    results = [game(1, W), game(1, W, white="c", black="d")]
    assert [sheet.person for sheet in standings(ARENA, CUP, people, results)] == ["c", "a", "d", "b"]


@given(st.lists(st.tuples(st.sampled_from([W, B, None]), st.integers(0, 80), st.booleans()), max_size=12), st.randoms())
def test_the_table_is_the_same_in_whatever_order_the_results_have_come(games, shuffler):
    people = entrants("a", "b")
    results = [
        game(n, winner, plies, white="ab"[swap], black="ba"[swap]) for n, (winner, plies, swap) in enumerate(games)
    ]
    shuffled = results[:]
    shuffler.shuffle(shuffled)
    assert standings(ARENA, CUP, people, shuffled) == standings(ARENA, CUP, people, results)


def test_a_game_under_way_at_the_end_counts_for_five_minutes_if_the_organiser_has_chosen_so():
    late = game(1, W, ended=CUP.ends + LATE_MS)
    strict = replace(CUP, terms=replace(TERMS, late=False))
    assert standings(ARENA, CUP, entrants("a", "b"), [late])[0].points == 2
    assert standings(ARENA, CUP, entrants("a", "b"), [replace(late, ended=late.ended + 1)])[0].points == 0
    assert standings(ARENA, strict, entrants("a", "b"), [late])[0].points == 0


def test_whoever_has_left_stays_in_the_table_with_what_they_have_played():
    people = entrants("a", "b", "c")
    gone = {name: replace(one, standing=Standing.LEFT) for name, one in people.items()}
    assert {sheet.person for sheet in standings(ARENA, CUP, gone, [game(1, W)])} == {"a", "b"}


def test_whoever_did_not_come_rests_until_they_say_that_they_are_back():
    first, second = standings(ARENA, CUP, entrants("a", "b"), [game(1, B, 0, absent=W)])
    assert not did_not_come(first)
    assert did_not_come(second)
    assert not did_not_come(replace(second, entrant=replace(second.entrant, at=NOW + 1)))


def test_it_is_over_at_its_end_or_when_the_last_game_is():
    nobody, one_game = Field(), Field(under_way=1)
    assert not ARENA.is_over(CUP, nobody, CUP.ends - 1)
    assert ARENA.is_over(CUP, nobody, CUP.ends)
    assert not ARENA.is_over(CUP, one_game, CUP.ends)
    assert ARENA.is_over(CUP, one_game, CUP.ends + LATE_MS)


# --- why somebody waits ----------------------------------------------------------------------------------------------

ME = free("me", 5, met=[("ida", W)])


@pytest.mark.parametrize(
    ("waiting", "playing", "now", "reason"),
    [
        ([ME], [], START - 1, WaitReason.NOT_STARTED),
        ([ME], [], CUP.ends, WaitReason.OVER),
        ([ME], [], CUP.ends - 1_000, WaitReason.LAST_PAIRINGS),
        ([], [], NOW, WaitReason.AWAY),
        ([ME], [], NOW, WaitReason.ALONE),
        ([ME, free("ben", 6)], [], NOW, WaitReason.SOON),
        ([ME], [Busy("ida", 1, NOW)], NOW, WaitReason.ALONE),
        ([ME, free("ida", 1, met=[("me", B)])], [Busy("tom", 1, NOW + 60_000)], NOW, WaitReason.PLAYING),
    ],
)
def test_somebody_who_waits_is_told_why(waiting, playing, now, reason):
    assert ARENA.why_waiting(CUP, Field(tuple(waiting), tuple(playing)), "me", now).reason is reason


def test_somebody_who_waits_is_told_who_is_free_next_and_when():
    told = ARENA.why_waiting(CUP, Field((ME,), (Busy("tom", 1, NOW + 90_000), Busy("ben", 2, NOW + 60_000))), "me", NOW)
    assert (told.person, told.seconds, told.others) == ("ben", 60, 2)
