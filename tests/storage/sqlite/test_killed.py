"""kill -9 of the server in the middle of its writes: what was acknowledged is there in the next life, all of it.

This proves that nothing is acknowledged before the system has it; it cannot prove that the disk would keep it through
a loss of power.
"""

import asyncio
import subprocess
import sys
from collections import defaultdict
from random import Random

import pytest

from server.storage.sqlite.store import SqliteStore
from tests.support.games import moved
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import game_called

pytestmark = pytest.mark.slow


async def acknowledged_until_killed(path, life_s, too_soon=0.0):
    """The moves that the player process said were stored before it was killed, by game: [(ply, uci), ...]."""
    player = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.sqlite.player_to_kill", str(path), str(too_soon)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    first = await player.stdout.readline()
    await asyncio.sleep(life_s)
    player.kill()
    rest, errors = await player.communicate()
    assert not errors.decode()
    ledger = defaultdict(list)
    for line in (first + rest).decode().splitlines():
        game, plies, uci = line.split(" ")
        ledger[game].append((int(plies), uci))
    return ledger


async def lost_moves(path, ledger):
    """Acknowledged moves that are not stored. Fails if a stored game is not a game, or holds what nobody played."""
    store = await SqliteStore.open(path, VARIANTS)
    assert await store._file.read(lambda file: file.execute("PRAGMA integrity_check").fetchone()) == ("ok",)
    lost = 0
    for game_id, acknowledged in ledger.items():
        found = await store.load(game_id)
        played = [ply.uci for ply in found.plies]
        assert len(played) <= len(acknowledged) + 1
        start = game_called(game_id, variant=found.terms.variant.id)
        assert moved(start, " ".join(played)) == found
        lost += sum(len(played) < ply or played[ply - 1] != uci for ply, uci in acknowledged)
    await store.close()
    return lost


@pytest.mark.row("F1")
async def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path, full):
    path, random, checked = tmp_path / "games.sqlite3", Random(1), 0
    kills = 5 if full else 2
    for _ in range(kills):
        ledger = await acknowledged_until_killed(path, random.uniform(0.05, 0.3))
        assert await lost_moves(path, ledger) == 0
        checked += sum(map(len, ledger.values()))
    assert checked > 20 * kills


async def test_the_ledger_finds_a_server_that_acknowledges_too_soon(tmp_path):
    path = tmp_path / "games.sqlite3"
    ledger = await acknowledged_until_killed(path, life_s=0.2, too_soon=0.02)
    assert await lost_moves(path, ledger) > 0
