"""The robin: who meets whom and with which colour is FIDE's, a section begins when it is full, and whoever withdraws
does so by rule.
"""

from dataclasses import replace
from itertools import combinations

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.errors import BadTerms, NotAllowed
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.tournaments.robin import ROBIN, all_games, berger_table, seats, winner_who_goes_on
from server.games.tournaments.tournament import (
    SIZES,
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
    as_withdrawn,
    check_terms,
    joined,
    next_section,
    standings,
)
from server.rules.variant.pieces import Color
from tests.support.games import START

DAYS = TimeControl.correspondence(3)
TERMS = TournamentTerms(
    "Club", "robin", "chess", False, DAYS, False, START, 0, Scoring.PLAIN, berserk=False, size=4, go_on=True
)
SECTION = announced("first", Player("olga", "Olga"), TERMS, START)
PEOPLE = ("anna", "ben", "carla", "dora")
FIDE = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / 3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4"
    " / 4-8 5-3 6-2 7-1",
}
"""The tables of FIDE's handbook, C.05."""


def entrants(*people, **standing):
    return {
        one: Entrant(Player(one, one.title()), 1500, False, at, standing.get(one, Standing.IN), at)
        for at, one in enumerate(people or PEOPLE)
    }


def candidates(*people, apart=()):
    return tuple(
        Candidate(
            one, place, 1500, START, apart=frozenset(b for pair in apart for b in pair if one in pair and b != one)
        )
        for place, one in enumerate(people, 1)
    )


def paired(tournament, field):
    work = ROBIN.pair(tournament, field, START + 1)
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value


def result(white, black, winner, absent=None, board=0):
    pairing = Pairing(f"{white}{black}{board}", 1, board, white, black, START)
    return GameResult(pairing, winner, 40, START + 9, absent)


def table(results, people=None, tournament=SECTION):
    return {one.person: one for one in standings(ROBIN, tournament, people or entrants(), results)}


@pytest.mark.parametrize("people", [4, 6, 8])
def test_the_tables_are_those_of_fide(people):
    table = [" ".join(f"{white}-{black}" for white, black in pairs) for pairs in berger_table(people)]
    assert " / ".join(table) == FIDE[people]


@pytest.mark.parametrize("people", [5, 7])
def test_with_an_odd_number_whoever_would_meet_the_next_one_rests(people):
    without = [[pair for pair in one.split() if str(people + 1) not in pair] for one in FIDE[people + 1].split(" / ")]
    assert [[f"{white}-{black}" for white, black in pairs] for pairs in berger_table(people)] == without


@pytest.mark.parametrize("size", SIZES)
def test_all_meet_all_once_or_twice_and_nobody_has_much_more_of_one_colour(size):
    once, twice = all_games(size, twice=False), all_games(size, twice=True)
    assert sorted(map(tuple, map(sorted, once))) == list(combinations(range(1, size + 1), 2))
    for person in range(1, size + 1):
        whites = sum(white == person for white, _ in once)
        assert abs(2 * whites - (size - 1)) <= 1
        assert sum(white == person for white, _ in twice) == size - 1
    assert len(set(twice)) == 2 * len(once)


def test_a_section_begins_once_when_it_is_full_with_those_who_came_first():
    section = replace(SECTION, terms=replace(TERMS, twice=True))
    assert paired(section, Field(candidates(*PEOPLE[:3]))) == ()
    pairs = paired(section, Field(candidates(*PEOPLE, "emil")))
    assert pairs[:2] == (("anna", "dora"), ("ben", "carla"))
    assert len(pairs) == 12
    assert "emil" not in {person for pair in pairs for person in pair}
    assert paired(section, Field(candidates(*PEOPLE), round=1)) == ()


def test_two_of_whom_one_has_blocked_the_other_are_in_no_section_together():
    field = Field(candidates(*PEOPLE, "emil", apart=[("anna", "ben")]))
    assert [one.person for one in seats(SECTION, field)] == ["anna", "carla", "dora", "emil"]


def test_equal_points_are_parted_by_whom_one_has_beaten():
    white = Color.WHITE
    results = [
        result("anna", "ben", white),
        result("ben", "carla", white),
        result("carla", "anna", white),
        result("anna", "dora", None),
        result("ben", "dora", None),
        result("carla", "dora", white),
    ]
    found = table(results)
    # Anna and Ben have three halves each, Carla four, and Dora two.
    assert [(one.person, one.points, one.ties[0]) for one in found.values()] == [
        ("carla", 4, 2 * 3 + 2 * 2),
        ("ben", 3, 2 * 4 + 2),
        ("anna", 3, 2 * 3 + 2),
        ("dora", 2, 3 + 3),
    ]


def test_who_withdraws_after_half_of_their_games_has_none_that_counts():
    people = entrants(dora=Standing.LEFT)
    black, white = Color.BLACK, Color.WHITE
    one_played = [
        result("dora", "anna", white),
        result("dora", "ben", black, absent=white),
        result("anna", "ben", None),
    ]
    assert {person: (one.points, len(one.played)) for person, one in table(one_played, people).items()} == {
        "anna": (1, 1),
        "ben": (1, 1),
        "carla": (0, 0),
    }


def test_who_withdraws_later_loses_the_rest_which_stands_as_if_it_had_been_played():
    people = entrants(dora=Standing.OUT)
    black, white = Color.BLACK, Color.WHITE
    played = [result("dora", "anna", white), result("dora", "ben", None), result("dora", "carla", black, absent=white)]
    found = table(played, people)
    assert {person: one.points for person, one in found.items()} == {"dora": 3, "carla": 2, "ben": 1, "anna": 0}
    # Carla has beaten somebody with three halves.
    assert found["carla"].ties[0] == 6
    assert winner_who_goes_on(list(found.values())).person == "carla"


def test_what_somebody_loses_who_has_withdrawn_is_stored_as_not_played():
    lost = result("dora", "anna", Color.BLACK)
    assert as_withdrawn(lost, entrants(dora=Standing.LEFT)).absent is Color.WHITE
    assert as_withdrawn(lost, entrants(anna=Standing.LEFT)) == lost
    drawn = result("dora", "anna", None)
    assert as_withdrawn(drawn, entrants(dora=Standing.LEFT)) == drawn


def test_it_is_over_when_all_its_games_are():
    assert not ROBIN.is_over(SECTION, Field(), START)
    assert not ROBIN.is_over(SECTION, Field(round=1, under_way=1), START)
    assert ROBIN.is_over(SECTION, Field(round=1), START)


def test_whoever_waits_is_told_how_many_are_missing():
    field = Field(candidates("anna", "ben"))
    wait = ROBIN.why_waiting(SECTION, field, "anna", START)
    assert (wait.reason, wait.others) == (WaitReason.NOT_FULL, 2)
    assert ROBIN.why_waiting(SECTION, Field(banned={"ben"}), "ben", START).reason is WaitReason.BANNED
    begun = ROBIN.why_waiting(SECTION, Field(round=1, under_way=5), "anna", START)
    assert (begun.reason, begun.others) == (WaitReason.ROUND_ENDS, 5)
    assert ROBIN.why_waiting(SECTION, Field(round=1), "anna", START).reason is WaitReason.OVER


def test_nobody_enters_a_section_that_has_begun_or_one_of_winners():
    seeker = Seeker(Player("emil", "Emil"), True)
    assert joined(SECTION, None, seeker, 1500, False, START).person == seeker.player
    for section, begun in ((SECTION, 1), (replace(SECTION, called=1), 0)):
        with pytest.raises(NotAllowed, match="section_begun"):
            joined(section, None, seeker, 1500, False, START, begun)
    with pytest.raises(NotAllowed, match="section_winners"):
        joined(next_section("final", SECTION, 2, 1, START), None, seeker, 1500, False, START)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"control": TimeControl.realtime(60_000, 0)}, "tournament_days"),
        ({"size": 3}, "tournament_size"),
        ({"size": 8}, "tournament_size"),
        ({"scoring": Scoring.ARENA}, "tournament_variant"),
        ({"name": ""}, "tournament_unnamed"),
    ],
)
def test_what_cannot_be_announced(wrong, problem):
    check_terms(TERMS, START)
    with pytest.raises(BadTerms, match=problem):
        check_terms(replace(TERMS, **wrong), START)
