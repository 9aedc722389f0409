"""FIDE's report file: each thing in its columns, people by starting number, and rounds as they were played."""

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.swiss import SWISS
from server.games.tournaments.tournament import (
    FREE,
    HALF,
    Entrant,
    GameResult,
    Pairing,
    Scoring,
    TournamentTerms,
    announced,
    finished,
    result_without_game,
    standings,
)
from server.rules.variant.pieces import Color
from server.web.tournament_files import write_report

STARTS = 1_767_225_600_000
"""2026-01-01."""
DAY = 86_400_000
TERMS = TournamentTerms(
    "Club", "swiss", "chess", False, TimeControl.realtime(900_000, 10_000), True, STARTS, 0, Scoring.PLAIN, rounds=3
)
CUP = finished(announced("cup", Player("o", "Olga"), TERMS, 0), STARTS + DAY)
PEOPLE = {
    "a": Entrant(Player("a", "Anna"), 1700, False, 1),
    "b": Entrant(Player("b", "Ben"), 1500, False, 2),
    "c": Entrant(Player("c", "Zoë" + 40 * "x"), 1600, False, 3),
}


def game(wave, white, black, winner, absent=None):
    pairing = Pairing(f"g{wave}{white}", wave, 0, white, black, STARTS)
    return GameResult(pairing, winner, 30, STARTS + wave * 1_000, absent)


def columns(line, first, last):
    return line[first - 1 : last]


def test_each_thing_is_in_its_columns_and_people_are_named_by_their_starting_number():
    free = result_without_game(Pairing("x", 1, 1, "b", FREE, STARTS))
    half = result_without_game(Pairing("y", 2, 1, "c", HALF, STARTS))
    results = [
        *(game(1, "a", "c", None), free, game(2, "b", "a", Color.BLACK), half),
        game(3, "c", "b", Color.WHITE, absent=Color.BLACK),
    ]
    report = write_report(CUP, standings(SWISS, CUP, PEOPLE, results), "https://club.example").splitlines()
    head = {line[:3]: line[4:] for line in report}
    assert head["012"] == "Club"
    assert head["022"] == "https://club.example"
    assert head["042"] == "2026/01/01"
    assert head["062"] == "3"
    assert head["122"] == "900+10"
    assert head["XXR"] == "3"
    dates = next(line for line in report if line.startswith("132"))
    assert columns(dates, 92, 99) == columns(dates, 102, 109) == "26/01/01"
    anna, zoe, ben = (line for line in report if line.startswith("001"))
    assert [columns(one, 5, 8) for one in (anna, zoe, ben)] == ["   1", "   2", "   3"]
    assert columns(zoe, 15, 47) == "Zoë" + 30 * "x"
    assert [columns(one, 49, 52) for one in (anna, zoe, ben)] == ["1700", "1600", "1500"]
    assert [columns(one, 81, 84) for one in (anna, zoe, ben)] == [" 1.5", " 2.0", " 1.0"]
    assert [columns(one, 86, 89) for one in (anna, zoe, ben)] == ["   2", "   1", "   3"]
    assert [columns(anna, at, at + 9) for at in (90, 100, 110)] == ["  0002 w =", "  0003 b 1", "  0000 - Z"]
    assert [columns(zoe, at, at + 9) for at in (90, 100, 110)] == ["  0001 b =", "  0000 - H", "  0003 w +"]
    assert [columns(ben, at, at + 9) for at in (90, 100, 110)] == ["  0000 - U", "  0001 w 0", "  0002 b -"]


def test_a_report_before_the_first_round_has_everybody_and_no_rounds():
    report = write_report(announced("cup", Player("o", "Olga"), TERMS, 0), standings(SWISS, CUP, PEOPLE, ()))
    assert [len(line.rstrip()) for line in report.splitlines() if line.startswith("001")] == [89, 89, 89]
    assert "132" not in [line[:3] for line in report.splitlines()]
