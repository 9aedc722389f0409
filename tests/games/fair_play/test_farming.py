"""Which series of rated games look farmed, and which are only those of unlike players."""

import pytest

from server.games.fair_play import (
    MIN_GAIN,
    MIN_GAMES,
    QUICK_PLIES,
    SHOWN_GAMES,
    Harvest,
    Losses,
    RatedGame,
    Series,
)

QUICK, LONG = QUICK_PLIES, QUICK_PLIES + 1


def series(*games):
    known = Series()
    for number, (won, reason, plies, gain) in enumerate(games):
        known = known.after(RatedGame(f"g{number:02}", won, reason, plies, gain, -gain))
    return known


@pytest.mark.parametrize(
    ("games", "farmed"),
    [
        ([(True, "resign", QUICK, 1)] * MIN_GAMES, True),
        ([(True, "time", QUICK, 1)] * MIN_GAMES, True),
        ([(False, "resign", QUICK, -1)] * MIN_GAMES, True),
        ([(True, "resign", QUICK, 1)] * 9 + [(False, "resign", LONG, -5)], True),
        ([(True, "checkmate", LONG, MIN_GAIN / MIN_GAMES)] * MIN_GAMES, True),
        ([(True, "resign", QUICK, 20)] * (MIN_GAMES - 1), False),
        ([(True, "resign", QUICK, 1)] * 8 + [(None, "agreement", LONG, 0)] * 2, False),
        ([(True, "resign", LONG, 1)] * MIN_GAMES, False),
        ([(True, "checkmate", QUICK, 1)] * MIN_GAMES, False),
        ([(True, "resign", QUICK, 9), (False, "resign", QUICK, -9)] * MIN_GAMES, False),
        ([], False),
    ],
)
def test_one_side_has_to_win_nearly_all_and_quickly_or_with_much_gain(games, farmed):
    assert series(*games).farmed is farmed


def test_a_series_keeps_what_the_host_reads_and_does_not_grow():
    games = [(True, "checkmate", LONG, 2.5)] * 30 + [(True, "resign", QUICK, 2.5)] * 3 + [(False, "resign", LONG, -4)]
    known = series(*games)
    assert (known.games, known.winning.won, known.winning.quick) == (34, 33, 3)
    assert known.winning.gain == pytest.approx(33 * 2.5 - 4)
    assert known.winning is known.one
    assert known.other.gain == pytest.approx(-known.one.gain)
    shown = [game for _, game in known.winning.examples]
    assert len(shown) == SHOWN_GAMES
    assert shown[:4] == ["g30", "g31", "g32", "g00"]


GIVEN_UP = [(True, "resign", QUICK, 20)]
PLAYED = [(True, "resign", LONG, 20)]


@pytest.mark.parametrize(
    ("losers", "farmed"),
    [
        ([GIVEN_UP * 9] * 2, True),
        ([GIVEN_UP * 2] * (MIN_GAMES // 2), True),
        ([GIVEN_UP * 2] * (MIN_GAMES // 2 - 1), False),
        ([GIVEN_UP * 20], False),
        ([PLAYED * 9] * 20, False),
        ([GIVEN_UP] * 100, False),
        ([GIVEN_UP * 3 + PLAYED * 4] * 20, False),
        ([], False),
    ],
)
def test_several_quick_losers_together_make_a_harvest(losers, farmed):
    assert Harvest.of([series(*games) for games in losers]).farmed is farmed


def test_a_harvest_says_how_many_points_it_brought():
    harvest = Harvest.of([series(*GIVEN_UP * 9), series(*GIVEN_UP * 8), series(*PLAYED * 9)])
    assert (harvest.losers, harvest.games, harvest.side.won, harvest.side.quick) == (2, 17, 17, 17)
    assert harvest.side.gain == pytest.approx(17 * 20)
    assert len(harvest.side.examples) == SHOWN_GAMES


@pytest.mark.parametrize(
    ("met", "only"),
    [
        ([("w", 9, 9)], True),
        ([("w", 9, 9), ("x", 9, 9)], True),
        ([("w", 9, 9), ("x", 1, 0)], True),
        ([("w", 9, 9), ("x", 2, 0)], False),
        ([("w", 4, 4), ("x", 4, 4), ("y", 4, 4)], False),
        ([("w", 1, 1)], False),
    ],
)
def test_an_account_that_does_little_but_lose_is_there_to_lose(met, only):
    losses = Losses()
    for opponent, games, lost in met:
        losses = losses.after(opponent, games, lost)
    assert losses.only is only
