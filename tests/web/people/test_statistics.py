"""What the newest games of a player say about them: pure functions, and the page that shows it."""

from datetime import UTC, date, datetime

import pytest

from server.rules.variant.pieces import Color
from server.storage.protocols.archive import Beginning, PlayedGame
from server.storage.protocols.ratings import Tally
from server.web.people import statistics
from server.web.people.statistics import (
    SHADES,
    WEEKS,
    KindResults,
    Opening,
    Streaks,
    activity_of,
    openings_of,
    results_of,
    streaks_of,
)
from tests.support.rules.built_in import VARIANTS
from tests.support.web.accounts import page_of, register

WHITE, BLACK = Color.WHITE, Color.BLACK
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
THURSDAY = date(2026, 11, 26)


def noon(day):
    return int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()) * 1000


def game(score, color=WHITE, variant="chess", chess960=False, day=THURSDAY, game_id="g"):
    return PlayedGame(game_id, noon(day), color, variant, chess960, "ben", True, score)


def test_each_day_of_the_last_weeks_has_a_box_as_dark_as_it_was_busy():
    games = [game(1)] * 8 + [game(0, day=date(2026, 11, 23))] + [game(None, day=date(2026, 6, 1))] * 3
    activity = activity_of([*games, game(1, day=date(2026, 5, 31))], noon(THURSDAY))
    days = [day for week in activity.weeks for day in week]
    assert (days[0].day, days[-1].day, len(activity.weeks)) == (date(2026, 6, 1), THURSDAY, WEEKS)
    assert [len(week) for week in activity.weeks] == [7] * (WEEKS - 1) + [4]
    assert {day.day.day: (day.games, day.shade) for day in days if day.games} == {
        26: (8, SHADES),
        23: (1, 1),
        1: (3, 2),
    }
    assert (activity.games, activity.active, activity.most) == (12, 3, 8)
    assert [(one.month, one.games) for one in activity.months] == [*((11, 9), (10, 0), (9, 0), (8, 0), (7, 0), (6, 3))]


def test_nobody_has_been_active_for_half_a_year():
    activity = activity_of([game(1, day=date(2025, 1, 1))], noon(THURSDAY))
    assert (activity.games, {day.shade for week in activity.weeks for day in week}) == (0, {0})


def test_results_are_told_by_variant_form_and_colour():
    games = [game(1), game(0.5), game(0, BLACK), game(1, variant="grand"), game(1, chess960=True), game(None)]
    assert results_of(games) == [
        KindResults("chess", False, Tally(1, 1, 0), Tally(0, 0, 1)),
        KindResults("grand", False, Tally(1), Tally()),
        KindResults("chess", True, Tally(1), Tally()),
    ]


@pytest.mark.parametrize(
    ("scores", "streaks"),
    [
        ([1, 1, None, 1, 0.5, 1, 0, 1], Streaks(3, 3, 5)),
        ([0, 1, 1], Streaks(0, 2, 2)),
        ([0.5, 0.5], Streaks(0, 0, 2)),
        ([None], Streaks(0, 0, 0)),
        ([], Streaks(0, 0, 0)),
    ],
)
def test_streaks_are_of_games_with_a_result(scores, streaks):
    assert streaks_of([game(score) for score in scores]) == streaks


def test_favourite_openings_end_with_a_move_of_ones_own_and_begin_from_the_usual_start():
    played = [
        *(("a", WHITE, 1, "e2e4 e7e5 g1f3"), ("b", WHITE, 0, "e2e4 e7e5 g1f3"), ("c", WHITE, 1, "e2e4 c7c5 g1f3")),
        *(("d", BLACK, 0.5, "d2d4 g8f6 c2c4"), ("e", BLACK, 1, "d2d4 g8f6 g1f3"), ("f", BLACK, 1, "d2d4")),
        *(("g", BLACK, 1, "e2e5 e7e6"), ("h", BLACK, 1, "e2e5 e7e6")),
    ]
    games = {one: game(score, color, game_id=one) for one, color, score, _ in played}
    began = [Beginning(one, USUAL, moves.split()) for one, _, _, moves in played]
    began += [Beginning("a", "8/8/8/8/8/8/8/8 w - - 0 1", ["e2e4", "e7e5", "g1f3"])]
    assert openings_of(VARIANTS["chess"], WHITE, games, began) == [
        Opening("1. e4 e5 2. Nf3", "e2e4.e7e5.g1f3", Tally(1, 0, 1))
    ]
    assert openings_of(VARIANTS["chess"], BLACK, games, began) == [Opening("1. d4 Nf6", "d2d4.g8f6", Tally(1, 1, 0))]


async def finished(white, black, rated=False):
    """A game that Black has resigned after two moves of each."""
    made = await white.challenge(rated=rated)
    await black.join(made)
    async with white.follow(made) as here, black.follow(made) as there:
        for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
            await (here, there)[ply % 2].move(ply, uci)
        await there.send({"t": "resign", "id": 9})
        await here.until("over")


async def test_the_page_tells_it_and_how_many_games_it_is_of(anna, ben, monkeypatch):
    await register(anna, "Annabel")
    await register(ben, "Benedict")
    assert "Activity" not in await page_of(anna, "/@/Annabel")
    for _ in range(2):
        await finished(anna, ben)
    page = await page_of(ben, "/@/Annabel")
    assert "2 games in the last half year on 1 day." in page
    assert 'href="/analysis/chess#m=e2e4.e7e5.g1f3">1. e4 e5 2. Nf3</a></th><td>2</td><td>100 %</td>' in page
    assert "Most won in a row" in page
    assert "100 % <small" in page
    assert "All of this is about the newest" not in page
    monkeypatch.setattr(statistics, "GAMES_READ", 2)
    assert "All of this is about the newest" in await page_of(ben, "/@/Annabel")
