"""Fairy-Stockfish, as pages load it, has the same moves as our core, in every variant that variants.ini can say.

More and other games: `--seed N --plies N`; more made-up variants: `--full`.
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from server.rules.fairy_stockfish import Inexpressible, Part, section_name, variants_ini
from server.rules.movegen.legal import divide, legal_moves, play
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from tests.support.engine.random_variants import PLAINER, random_variant
from tests.support.rules.built_in import EVERY_VARIANT
from tests.support.rules.shipped_engine import ShippedEngine
from tests.support.rules.vectors import records

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "node_modules/fairy-stockfish-nnue.wasm").is_dir(),
        reason="the npm package fairy-stockfish-nnue.wasm is not installed (run `make client`)",
    ),
]
TOO_LARGE = {one.id for one in EVERY_VARIANT.values() if one.files > 12 or one.ranks > 10}
FORMS = [
    pytest.param(variant, chess960, id=f"{variant.id}960" if chess960 else variant.id)
    for variant in EVERY_VARIANT.values()
    for chess960 in ((False, True) if variant.chess960 else (False,))
    if variant.id not in TOO_LARGE
]


@pytest.fixture(scope="module")
def engine():
    with ShippedEngine() as running:
        for variant in EVERY_VARIANT.values():
            if variant.id not in TOO_LARGE:
                running.learn(variants_ini(variant))
                assert running.knows(section_name(variant))
        yield running


def assert_same_moves(engine, variant, chess960, position, depth=1):
    fen = format_fen(position)
    theirs = engine.divide(section_name(variant), chess960, fen, depth)
    ours = divide(position, depth)
    assert theirs == ours, f"{fen}: {dict(theirs.items() ^ ours.items())}"


def assert_same_game(engine, variant, chess960, rng, plies):
    """Captures and promotions come more often than in games of people."""
    start = shuffled_fen(variant, rng) if chess960 else variant.start_fen
    position = parse_fen(variant, start, chess960)
    for _ in range(plies):
        assert_same_moves(engine, variant, chess960, position)
        if not (legal := legal_moves(position)):
            break
        move = max(rng.choices(legal, k=2), key=lambda one: (len(one.uci), position.board[one.target] > 0))
        position = play(position, move)


@pytest.mark.parametrize(("variant", "chess960"), FORMS)
def test_start(engine, variant, chess960):
    assert_same_moves(engine, variant, chess960, parse_fen(variant, variant.start_fen, chess960), 2)


@pytest.mark.parametrize(("variant", "chess960"), FORMS)
def test_random_games(engine, variant, chess960, seed, plies):
    rng = random.Random(f"{seed} {variant.id} {chess960} Fairy-Stockfish")
    for _ in range(2):
        assert_same_game(engine, variant, chess960, rng, plies * 3)


@pytest.mark.parametrize(("variant", "chess960"), FORMS)
def test_recorded_positions(engine, variant, chess960):
    """Those whose moves are counted, and picked ones: en passant, castling, gating at their edges."""
    for kind in ("perft", "positions", "unoffered/perft", "unoffered/positions"):
        for record in records(kind):
            if record["variant"] == variant.id and record["chess960"] == chess960:
                assert_same_moves(engine, variant, chess960, parse_fen(variant, record["fen"], chess960))


def test_made_up_variants(engine, seed, scale):
    """What a host may put into a folder: it is played by our rules, or refused."""
    rng = random.Random(f"{seed} made-up Fairy-Stockfish")
    played = 0
    while played < scale(160):
        variant = replace(random_variant(rng, PLAINER), id=f"made-up-{seed}-{played}")
        try:
            ini = variants_ini(variant)
        except Inexpressible:
            continue
        played += 1
        engine.learn(ini)
        assert engine.knows(section_name(variant)), ini
        try:
            assert_same_game(engine, variant, False, rng, 40)
        except AssertionError as error:
            raise AssertionError(f"variant {played} of seed {seed}: {ini}") from error


@pytest.mark.parametrize("name", sorted(TOO_LARGE))
def test_board_that_is_too_large(name):
    with pytest.raises(Inexpressible) as refused:
        variants_ini(EVERY_VARIANT[name])
    assert refused.value.part is Part.BOARD
