"""The Swiss: nobody meets twice, nobody is left over twice, colours alternate, and equal points are told apart."""

import random
import time
from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.swiss import (
    ALONE_MS,
    SWISS,
    TIES,
    Line,
    buchholz,
    buchholz_cut,
    pair_round,
    ranked,
    seats_of,
    tie_of,
)
from server.games.tournaments.tournament import (
    FREE,
    HALF,
    BadTournament,
    Candidate,
    Entrant,
    Field,
    NotInTournament,
    Scoring,
    Sheet,
    Standing,
    TournamentTerms,
    WaitReason,
    announced,
    check_terms,
    is_too_late,
    round_called,
)
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

W, B = Color.WHITE, Color.BLACK
START = 1_000_000
RAPID = TimeControl.realtime(600_000, 5_000)
TERMS = TournamentTerms(
    "Club", "swiss", "chess", False, RAPID, True, START, 0, Scoring.PLAIN, berserk=False, rounds=5, rest_s=60
)
CUP = announced("cup", Player("o", "Olga"), TERMS, 0)
BY_HAND = replace(CUP, terms=replace(TERMS, rest_s=0))


def seated(cards, numbers, people):
    return seats_of(cards, numbers, dict.fromkeys(people, frozenset()))


def play(count, rounds, seed, away=0.0):
    """The cards of a tournament of so many people, each of whom misses a round with that chance; checked each round."""
    chance = random.Random(seed)
    people = [f"p{at:03}" for at in range(count)]
    strength = {one: chance.randint(800, 2400) for one in people}
    numbers = {one: at for at, one in enumerate(sorted(people, key=lambda one: -strength[one]), 1)}
    cards = {one: [] for one in people}
    for _ in range(rounds):
        here = [one for one in people if chance.random() >= away]
        seats = {one.person: one for one in seated(cards, numbers, here)}
        pairs = run_at_once(pair_round(list(seats.values())))
        if any(black in seats[white].met for white, black in pairs):
            assert not could_part(seats), (seed, count)
        for white, black in pairs:
            if black == FREE:
                cards[white].append(Line("U"))
                continue
            better = strength[white] + chance.randint(-300, 300) - strength[black]
            letters = "1" + "0" if better > 100 else "01" if better < -100 else "=="
            cards[white].append(Line(letters[0], black, W))
            cards[black].append(Line(letters[1], white, B))
        in_it = [person for pair in pairs for person in pair if person != FREE]
        assert len(in_it) == len(set(in_it))
        assert set(in_it) <= set(here)
        assert len(here) - len(in_it) <= len(here) % 2
        for one in people:
            cards[one] += [Line("Z")] * (one not in in_it)
    return cards


def could_part(seats):
    """Could all of them, or all but one who may be left over, meet somebody new? By looking at every way."""

    def complete(people):
        if not people:
            return True
        free = {one: [other for other in people if other != one and other not in seats[one].met] for one in people}
        one = min(people, key=lambda each: len(free[each]))
        return any(complete(people - {one, other}) for other in free[one])

    people = frozenset(seats)
    left_over = [one for one in people if not seats[one].has_free] or people
    return complete(people) if len(people) % 2 == 0 else any(complete(people - {one}) for one in left_over)


def sizes(config_full):
    chance = random.Random(33)
    sizes = [chance.randint(5, 101) for _ in range(300)]
    return sizes if config_full else sizes[:40]


def test_in_random_tournaments_nobody_meets_twice_is_left_over_twice_or_has_a_colour_three_times_running(request):
    for seed, count in enumerate(sizes(request.config.getoption("--full", default=False))):
        rounds = min(9, (count + 1) // 2)
        for person, lines in play(count, rounds, seed, away=0.06).items():
            met = [line.opponent for line in lines if line.is_game]
            assert len(met) == len(set(met)), (seed, count, person)
            assert [line.letter for line in lines].count("U") <= 1, (seed, count, person)
            colors = [line.color for line in lines if line.is_game]
            assert all(len(set(colors[at : at + 3])) > 1 for at in range(len(colors) - 2)), (seed, count, person)
            assert abs(colors.count(W) - colors.count(B)) <= 2, (seed, count, person)


@pytest.mark.parametrize(("count", "rounds"), [(12, 10), (13, 11), (14, 11), (16, 11)])
def test_people_meet_again_only_where_nothing_else_is_left(count, rounds):
    for seed in range(6):
        play(count, rounds, seed)


def test_a_round_always_begins_even_when_everybody_has_met_everybody():
    cards = play(4, 12, 1)
    met = [line.opponent for line in cards["p000"]]
    assert len(met) == 12
    assert {met.count(one) for one in ("p001", "p002", "p003")} <= {3, 4, 5}
    assert all([line.letter for line in lines].count("U") == 1 for lines in play(5, 9, 2).values())


def test_a_round_of_two_hundred_is_paired_in_two_seconds_of_work():
    began = time.process_time()
    play(200, 9, 3)
    assert time.process_time() - began < 9 * 2


def test_the_first_round_is_upper_half_against_lower_half_with_colours_in_turn():
    numbers = {name: at for at, name in enumerate("abcdefgh", 1)}
    pairs = run_at_once(pair_round(seated({}, numbers, numbers)))
    assert pairs == [("a", "e"), ("f", "b"), ("c", "g"), ("h", "d")]


def test_the_last_is_left_over_unless_they_have_had_a_point_without_play():
    numbers = {"a": 1, "b": 2, "c": 3}
    assert run_at_once(pair_round(seated({}, numbers, numbers)))[-1] == ("c", FREE)
    cards = {"a": [Line("1", "b", W)], "b": [Line("0", "a", B)], "c": [Line("U")]}
    assert run_at_once(pair_round(seated(cards, numbers, numbers)))[-1] == ("b", FREE)
    cards = {"a": [Line("1", "b", W)], "b": [Line("-", "a", B)], "c": [Line("+")]}
    assert run_at_once(pair_round(seated(cards, numbers, numbers)))[-1] == ("b", FREE)


def test_equal_points_are_parted_by_the_scores_of_the_opponents_then_by_the_game_between_them():
    cards = {
        "a": [Line("1", "d", W), Line("=", "b", B)],
        "b": [Line("1", "c", B), Line("=", "a", W)],
        "c": [Line("0", "b", W), Line("1", "d", B)],
        "d": [Line("0", "a", B), Line("0", "c", W)],
    }
    tie = tie_of(cards)
    assert [buchholz(tie, one) for one in "abcd"] == [3, 5, 3, 5]
    assert [buchholz_cut(tie, one) for one in "abcd"] == [3, 3, 3, 3]
    order = run_at_once(ranked(cards, dict.fromkeys("abcd", 1500)))
    assert [one for one, _ in order] == ["b", "a", "c", "d"]
    assert dict(order)["b"] == (3, 5, 0, 1)
    assert len(TIES) == 4


def test_a_missed_round_is_cut_first_and_rounds_after_leaving_are_draws_for_the_opponents():
    cards = {
        "a": [Line("1", "b", W), Line("H"), Line("1", "c", B)],
        "b": [Line("0", "a", B), Line("Z"), Line("Z")],
        "c": [Line("U"), Line("-", "d", W), Line("0", "a", W)],
        "d": [Line("0", "e", W), Line("+", "c", B), Line("Z")],
    }
    tie = tie_of(cards)
    # b has left, so each round that they did not come to is half a point; of a's dummy no more than three draws count.
    assert tie.adjusted["b"] == 2
    assert buchholz(tie, "a") == 2 + 3 + 2
    assert buchholz_cut(tie, "a") == 2 + 2


def sheet(person, rating=1500, standing=Standing.IN, at=0):
    return Sheet(Entrant(Player(person, person), rating, False, 0, standing, at))


def field(*sheets, **more):
    waiting = [Candidate(one.person, 1, 1500, 0) for one in sheets if one.entrant.standing is Standing.IN]
    return Field(tuple(waiting), sheets=sheets, **more)


def paired(cup, field, now):
    return run_at_once(SWISS.pair(cup, field, now))


def test_a_round_begins_when_the_last_one_is_over_and_the_pause_is_too_or_the_organiser_says_so():
    two = sheet("a", 1600), sheet("b")
    assert not paired(CUP, field(*two), START - 1)
    assert paired(CUP, field(*two), START) == (("a", "b"),)
    later = field(*two, round=1, round_at=START, ended=START + 500)
    assert not paired(CUP, later, START + 500 + 59_999)
    assert paired(CUP, later, START + 500 + 60_000)
    assert not paired(CUP, replace(later, under_way=1), START + 900_000)
    assert not paired(BY_HAND, later, START + 900_000)
    assert paired(round_called(BY_HAND, 2), later, START + 501)
    assert not paired(CUP, replace(later, round=5), START + 900_000)


def test_who_asks_not_to_play_the_next_round_has_half_a_point_for_it_in_the_first_half_only():
    two = sheet("a", 1600), sheet("b")
    away = sheet("c", standing=Standing.PAUSED, at=START - 5)
    assert paired(CUP, field(*two, away), START)[-1] == ("c", HALF)
    assert len(paired(CUP, field(*two, away, round=1, round_at=START), START + 900_000)) == 1
    late = sheet("c", standing=Standing.PAUSED, at=START + 5)
    assert len(paired(CUP, field(*two, late, round=3, round_at=START), START + 900_000)) == 1


def test_who_waits_is_told_for_what():
    two = sheet("a"), sheet("b")

    def why(cup, field, now=START + 100):
        return SWISS.why_waiting(cup, field, "a", now).reason

    assert why(CUP, field(*two), START - 1) is WaitReason.NOT_STARTED
    assert why(CUP, field(*two, under_way=1)) is WaitReason.ROUND_ENDS
    assert why(CUP, field(*two, round=1)) is WaitReason.NEXT_ROUND
    assert why(BY_HAND, field(*two, round=1)) is WaitReason.BY_HAND
    assert why(CUP, field(sheet("a"))) is WaitReason.ALONE
    assert why(CUP, field(sheet("a"), banned=frozenset("a"))) is WaitReason.BANNED
    assert why(CUP, field(*two, round=5)) is WaitReason.OVER


def test_it_is_over_after_the_last_round_or_when_nobody_has_been_left_for_an_hour():
    two = sheet("a"), sheet("b")
    assert SWISS.is_over(CUP, field(*two, round=5), START)
    assert not SWISS.is_over(CUP, field(*two, round=5, under_way=1), START)
    assert not SWISS.is_over(CUP, field(*two, round=4), START + 7_200_000)
    assert SWISS.is_over(CUP, field(sheet("a"), round=4), START + 7_200_000)


def test_two_who_are_not_brought_together_are_alone():
    kept = [Candidate("a", 1, 1500, 0, apart=frozenset("b")), Candidate("b", 2, 1500, 0, apart=frozenset("a"))]
    two = replace(field(sheet("a"), sheet("b")), waiting=tuple(kept))
    assert not paired(CUP, two, START)
    assert SWISS.why_waiting(CUP, two, "a", START).reason is WaitReason.ALONE
    assert not SWISS.is_over(CUP, two, START + ALONE_MS - 1)
    assert SWISS.is_over(CUP, two, START + ALONE_MS)
    three = replace(two, waiting=(*kept, Candidate("c", 3, 1500, 0)))
    assert not SWISS.is_over(CUP, three, START + ALONE_MS)


def test_what_cannot_be_announced_or_begun_is_refused_and_nobody_new_comes_after_half_of_the_rounds():
    for wrong in (
        {"rounds": 2},
        {"rounds": 16},
        {"rest_s": 9},
        {"rest_s": 3_601},
        {"scoring": Scoring.ARENA},
        {"berserk": True},
    ):
        with pytest.raises(BadTournament):
            check_terms(replace(TERMS, **wrong), START - 600_000)
    check_terms(TERMS, START - 600_000)
    for cup, number in ((CUP, 2), (BY_HAND, 1), (BY_HAND, 6), (replace(BY_HAND, over=1), 2)):
        with pytest.raises(NotInTournament):
            round_called(cup, number)
    assert [is_too_late(CUP, begun) for begun in (0, 2, 3)] == [False, False, True]


def test_whoever_has_blocked_somebody_does_not_meet_them_and_a_round_begins_all_the_same():
    numbers = {name: at for at, name in enumerate("abcd", 1)}
    apart = {"a": {"c"}, "b": frozenset(), "c": {"a"}, "d": frozenset()}
    pairs = run_at_once(pair_round(seats_of({}, numbers, apart)))
    assert len(pairs) == 2
    assert {"a", "c"} not in [set(pair) for pair in pairs]
    assert run_at_once(pair_round(seats_of({}, numbers, {"a": {"b"}, "b": {"a"}}))) == ()
