"""An unmodified lichess-bot plays here by changing its `url`, with Debian's Fairy-Stockfish.

It is in no registry, so this is skipped unless LICHESS_BOT names a checkout of it, with its requirements in `.venv`.
"""

import asyncio
import json
import os
import random
import shutil
import signal
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest
import pytest_asyncio

from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.uci import parse_uci
from tests.support.bots.berserk_client import become_bot, challenge, with_token
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

CHECKOUT = os.environ.get("LICHESS_BOT", "")
ENGINE = shutil.which("fairy-stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHECKOUT, reason="set LICHESS_BOT to a checkout of lichess-bot"),
    pytest.mark.skipif(ENGINE is None, reason="no fairy-stockfish found"),
]
PLIES = 12
SECONDS = 60
"""It starts, and an engine for each game."""


@pytest_asyncio.fixture
async def lichess_bot(server, anna, tmp_path):
    """The name of the account for which it runs."""
    engine = Path(ENGINE)
    settings = {
        "token": await with_token(anna, "AnnaBot"),
        "url": str(server.make_url("/")),
        "engine": {"dir": str(engine.parent), "name": engine.name, "protocol": "uci", "ponder": False},
        "move_overhead": 100,
        "challenge": {
            "accept_bot": True,
            "concurrency": 1,
            "variants": ["standard", "chess960", "crazyhouse", "kingOfTheHill", "threeCheck"],
            "time_controls": ["bullet", "blitz", "rapid"],
            "modes": ["casual"],
        },
    }
    (tmp_path / "config.yml").write_text(json.dumps(settings))
    program = [f"{CHECKOUT}/.venv/bin/python", "lichess-bot.py", "-u", "--disable_auto_logging"]
    running = await asyncio.create_subprocess_exec(
        *program,
        "--config",
        str(tmp_path / "config.yml"),
        cwd=CHECKOUT,
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    try:
        await asyncio.wait_for(says(running.stdout, b"awaiting challenges"), SECONDS)
        rest = asyncio.create_task(running.stdout.read())
        yield "AnnaBot"
    finally:
        # Its own processes outlive it otherwise.
        os.killpg(running.pid, signal.SIGKILL)
    await rest
    await running.wait()


async def says(lines, text):
    async for line in lines:
        if text in line:
            return
    pytest.fail("it ended before it was ready")


@pytest.mark.parametrize(
    ("key", "variant", "chess960"),
    [
        ("standard", "chess", False),
        ("chess960", "chess", True),
        ("crazyhouse", "crazyhouse", False),
        ("kingOfTheHill", "kingofthehill", False),
        ("threeCheck", "3check", False),
    ],
)
async def test_it_accepts_a_challenge_and_plays(server, lichess_bot, ben, key, variant, chess960):
    player = await become_bot(ben, "BenBot", server.make_url("/"))
    other = type("Named", (), {"name": lichess_bot})
    game = (await challenge(player, other, variant=key, clock_limit=60, clock_increment=1))["id"]
    stream = player.listen(player.client.bots.stream_game_state(game))
    full = await stream.until("gameFull", SECONDS)
    fen = full["initialFen"]
    first = start_position(VARIANTS[variant]) if fen == "startpos" else parse_fen(VARIANTS[variant], fen, chess960)
    draw, state, moves = random.Random(key), full["state"], []
    while state["status"] in ("created", "started"):
        position, moves = first, state["moves"].split()
        for uci in moves:
            position = play(position, parse_uci(position, uci))
        if state["status"] == "created":
            pass
        elif len(moves) >= PLIES:
            await player.do(player.client.bots.resign_game, game)
        elif len(moves) % 2 == 0:
            await player.do(player.client.bots.make_move, game, draw.choice(legal_moves(position)).uci)
        state = await stream.until("gameState", SECONDS)
    assert len(moves) >= PLIES or state["status"] in ("mate", "variantEnd")
    assert state["winner"] == "black"
    await asyncio.wait_for(stream.ended.wait(), PATIENCE_S)
