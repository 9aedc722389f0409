"""Whole games judged once more: what the rules allow passes, and every way to be wrong is found."""

from dataclasses import replace

import pytest

from server.games.append_only import AppendOnlySequence
from server.games.changes.ending import Resign
from server.games.game import play
from server.games.judging import Misjudged, judge_game
from server.games.status import Status
from server.rules.endings import Outcome
from server.rules.variant.pieces import Color
from tests.support.games import START, live_game, moved, open_game, over_game, running_game
from tests.support.imported_games import MATE, tagged
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import random_steps

BACK_AND_FORTH = "g1f3 g8f6 f3g1 f6g8 " * 2


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_random_games_of_every_variant_pass(variant):
    for seed in range(3):
        judge_game(random_steps(live_game(variant=variant), 120, seed=seed)[-1])


@pytest.mark.parametrize(
    "game",
    [
        open_game(),
        running_game(),
        over_game(),
        play(running_game(), Resign(Color.WHITE), START)[0],
        moved(live_game(), BACK_AND_FORTH),
        tagged(MATE),
        tagged("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"),
    ],
)
def test_games_as_played_pass(game):
    judge_game(game)


def with_ply(game, **changes):
    return replace(game, plies=AppendOnlySequence((*game.plies[:-1], replace(game.plies[-1], **changes))))


def over(game, reason, winner=None):
    return replace(game, status=Status.OVER, outcome=Outcome(winner, reason))


MATED = over_game()
REPEATED = moved(live_game(), BACK_AND_FORTH)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (with_ply(running_game(), uci="e7e4"), "no legal ply 2"),
        (with_ply(running_game(), uci="nonsense"), "no legal ply 2"),
        (with_ply(running_game(), san="e6"), "writes ply 2 as e6"),
        (replace(MATED, status=Status.LIVE, outcome=None), "does not end by checkmate"),
        (over(MATED, "checkmate", Color.WHITE), "does not end by checkmate"),
        (over(running_game(), "checkmate", Color.WHITE), "does not show"),
        (over(running_game(), "repetition"), "does not show"),
        (replace(REPEATED, plies=REPEATED.plies.appended(running_game().plies[0])), "goes on after repetition"),
        (over(tagged(MATE), "resign", Color.WHITE), "does not end by checkmate"),
    ],
)
def test_illegal_games_are_found(game, why):
    with pytest.raises(Misjudged, match=why):
        judge_game(game)
