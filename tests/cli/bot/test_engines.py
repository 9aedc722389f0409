"""Levels of real engines: what each is told, and that what they answer is legal, in every variant that they play."""

import random
import shutil
from pathlib import Path

import pytest

from server.cli.engines import BotTurn, UciEngine, engine_at, own_engine, strength_of
from server.command_line import parse_command
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import parse_fen, shuffled_fen
from server.rules.notation.uci import parse_uci
from tests.support.rules.built_in import VARIANTS

FAIRY_STOCKFISH = shutil.which("fairy-stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
SKILL, ELO, LEVEL = "Skill Level", "UCI_Elo", "Level"
PLIES = 10


@pytest.mark.parametrize(
    ("options", "lowest", "highest"),
    [
        (
            {SKILL: "spin default 20 min -20 max 20"},
            "Skill Level -9, depth 2, 50 ms",
            "Skill Level 20, depth 20, 1000 ms",
        ),
        ({SKILL: "spin default 20 min 0 max 20"}, "Skill Level 0, depth 2, 50 ms", "Skill Level 20, depth 20, 1000 ms"),
        (
            {ELO: "spin default 1350 min 1350 max 2600", "UCI_LimitStrength": "check default false"},
            "UCI_LimitStrength true, UCI_Elo 1350, 50 ms",
            "UCI_LimitStrength true, UCI_Elo 2600, 1000 ms",
        ),
        (
            {LEVEL: "spin default 0 min 0 max 8", SKILL: "spin default 0 min 0 max 20"},
            "Level 1, 10000 ms",
            "Level 8, 10000 ms",
        ),
        ({ELO: "spin default 1350 min 1350 max 2600"}, "depth 2, 50 ms", "depth 20, 1000 ms"),
        ({}, "depth 2, 50 ms", "depth 20, 1000 ms"),
    ],
    ids=["fairy-stockfish", "stockfish", "by Elo alone", "the site's own", "Elo without a switch", "none"],
)
def test_a_level_is_said_in_what_the_engine_understands(options, lowest, highest):
    assert (str(strength_of(1, options)), str(strength_of(8, options))) == (lowest, highest)


@pytest.mark.parametrize(
    "options", [{SKILL: "spin default 20 min -20 max 20"}, {ELO: "spin min 0 max 3000", "UCI_LimitStrength": ""}]
)
def test_no_level_is_as_strong_as_the_next(options):
    told = [str(strength_of(level, options)) for level in range(1, 9)]
    assert len(set(told)) == 8


@pytest.mark.parametrize("level", ["0", "9", "-1", "2.5", "high"])
def test_what_is_no_level_is_refused(level, capsys):
    with pytest.raises(SystemExit):
        parse_command(["bot", "--level", level])
    assert "--level" in capsys.readouterr().err


@pytest.fixture(params=["fairy-stockfish", "the site's own"])
async def engine(request):
    """Each real engine at level 2, started."""
    if request.param == "fairy-stockfish" and FAIRY_STOCKFISH is None:
        pytest.skip("fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish)")
    program = engine_at(Path(FAIRY_STOCKFISH)) if request.param == "fairy-stockfish" else own_engine(None)
    engine = UciEngine(program, 2)
    await engine.start()
    yield engine
    await engine.stop()


async def test_its_moves_are_legal_in_every_variant_and_960_form_that_it_plays(engine):
    """Some starts are drawn, and the other side moves at random, so that castling, drops and gates come up."""
    plays = engine.variants & VARIANTS.keys()
    assert {"chess", "crazyhouse", "seirawan", "grand"} <= plays
    for name in sorted(plays):
        variant = VARIANTS[name]
        for chess960 in (False, True) if variant.chess960 else (False,):
            draw = random.Random(name)
            start = shuffled_fen(variant, draw) if chess960 else variant.start_fen
            position, played = parse_fen(variant, start, chess960), []
            while len(played) < PLIES and outcome(position) is None:
                turn = BotTurn(name, chess960, start, tuple(played), 1_000)
                uci = draw.choice(legal_moves(position)).uci if len(played) % 2 else await engine.best_move(turn)
                position, played = play(position, parse_uci(position, uci)), [*played, uci]
