"""A film of a whole game is drawn by another process: what it is given is small, and it draws the same."""

import pickle
import random

import pytest

from server.pictures.rendering import Film, render
from server.pictures.replay import Pace, replay_svg
from server.pictures.scene import View, scenes
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import start_position
from tests.support.rules.built_in import VARIANTS

PLIES = 30
SMALL = 30_000


def random_ucis(variant, seed):
    chance, position, ucis = random.Random(seed), start_position(variant), []
    while len(ucis) < PLIES and (moves := legal_moves(position)):
        move = chance.choice(moves)
        ucis.append(move.uci)
        position = play(position, move)
    return ucis


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.id)
def test_a_film_is_small_and_drawn_elsewhere_as_here(variant, drawings, seed):
    ucis, view = random_ucis(variant, seed), View(variant)
    film = Film("svg", variant.start_fen, False, " ".join(ucis), view, drawings, Pace())
    sent = pickle.dumps(film)
    assert len(sent) < SMALL
    for _ in range(2):
        drawn = render(pickle.loads(sent))
        assert drawn.decode() == replay_svg(list(scenes(start_position(variant), ucis)), view, drawings)
