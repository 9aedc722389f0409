"""When the players of a tournament are told something, and who they are."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.tournament import (
    MINUTE_MS,
    REMIND_MS,
    TOLD_WITHIN_MS,
    Entrant,
    Played,
    Scoring,
    Sheet,
    Standing,
    TournamentNews,
    TournamentTerms,
    announced,
    called_off,
    finished,
    news_claimed,
    news_of,
    news_told,
    players_to_tell,
)
from server.rules.variant.pieces import Color

HOUR = 60 * MINUTE_MS
TERMS = TournamentTerms(
    *("Cup", "swiss", "chess", False, TimeControl.realtime(60_000, 0), True, HOUR, 0, Scoring.PLAIN),
    berserk=False,
    rounds=3,
    rest_s=30,
)
CUP = announced("cup", Player("o", "Olga"), TERMS, 0)
SECTION = announced("s", Player("o", "Olga"), replace(TERMS, format="robin", rounds=0, size=4), 0)
ARENA = announced("a", Player("o", "Olga"), replace(TERMS, format="arena", rounds=0, minutes=30), 0)


def test_players_are_reminded_ten_minutes_before_and_once():
    at = HOUR - REMIND_MS
    assert [news_of(CUP, now) for now in (at - 1, at, HOUR - 1, HOUR)] == [
        None,
        *[TournamentNews.SOON] * 2,
        None,  # it has begun, as the server was down
    ]
    claimed = news_claimed(CUP, at)
    assert news_of(claimed, at) is None
    told = news_told(claimed, at)
    assert (told.news_at, told.rev) == (0, CUP.rev + 2)
    assert SECTION.news_at == 0
    assert announced("late", CUP.organiser, TERMS, HOUR - 5 * MINUTE_MS).news_at == 0


def test_players_are_not_reminded_of_rounds_that_follow_each_other_on_one_evening():
    day = 24 * HOUR
    dates = (HOUR + 20 * MINUTE_MS, HOUR + 40 * MINUTE_MS, HOUR + day, HOUR + day + 10 * MINUTE_MS)
    cup = announced("cup", CUP.organiser, replace(TERMS, rounds=5, rest_s=0, dates=dates), 0)
    told = []
    while cup.news_at:
        told.append(cup.news_at + REMIND_MS)
        cup = news_told(cup, cup.news_at)
    assert told == [HOUR, HOUR + day]


@pytest.mark.parametrize(("one", "told"), [(CUP, True), (SECTION, True), (ARENA, False)])
def test_the_end_of_rounds_and_of_sections_is_told_within_a_day(one, told):
    done = finished(one, 2 * HOUR)
    assert (news_of(done, 2 * HOUR) is TournamentNews.OVER) is told
    assert news_of(done, 2 * HOUR + TOLD_WITHIN_MS) is None
    assert news_of(news_told(news_claimed(done, 2 * HOUR), 2 * HOUR), 9 * HOUR) is None
    assert news_of(called_off(one, 2 * HOUR), 3 * HOUR) is None


def test_whoever_is_in_it_is_reminded_and_whoever_has_played_is_told_the_table():
    won = Played("g", "b", Color.WHITE, True, False, 2, False, False, False, 5)
    missed = Played("g", "b", Color.WHITE, False, False, 0, False, False, True, 5)
    sheets = [
        Sheet(Entrant(Player(name, name), 1500, False, 0, standing, at=1), played)
        for name, standing, played in (
            ("in", Standing.IN, ()),
            ("paused", Standing.PAUSED, ()),
            ("missed", Standing.IN, (missed,)),
            ("left", Standing.LEFT, (won,)),
        )
    ]
    assert [one.person for one in players_to_tell(CUP, sheets, 0)] == ["in"]
    assert [one.person for one in players_to_tell(finished(CUP, 9), sheets, 0)] == ["missed", "left"]
