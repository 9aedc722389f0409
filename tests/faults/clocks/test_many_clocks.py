"""Clocks that run cost nothing while nobody acts (T7): one heap of deadlines, and no task for each game."""

import asyncio
import gc
import time

import pytest

from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.live import LivePlay
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from server.storage.sqlite.store import SqliteStore
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

AT_ONCE = 50
SECONDS = {True: 5, False: 0.5}
MAX_OF_A_CORE = 0.03


async def begin(live, number):
    """One more game in which both have moved, so that White's clock runs."""
    chess = VARIANTS["chess"]
    terms = Terms(chess, False, chess.start_fen, TimeControl.realtime(600_000, 0), rated=False)
    created = await create_open_game(live.rounds.services, terms, Player(f"white-{number}", "white"), Color.WHITE)
    await live.rounds.join(created.game.id, created.secret, Player(f"black-{number}", "black"))
    found = await live.rounds.get(created.game.id)
    for ply, uci in enumerate(("e2e4", "e7e5")):
        await found.submit(PlayMove(tuple(Color)[ply], uci, ply), live.services.now())
    return found


@pytest.fixture
def tests_left_alone():
    """Python's collector would walk through all other tests here; a server sees to that (server/serving.py)."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.row("T7")
@pytest.mark.alone
@pytest.mark.timeout(120)
@pytest.mark.usefixtures("tests_left_alone")
async def test_running_clocks_cost_almost_nothing(tmp_path, scale, full, counted, monkeypatch, at_most):
    count, seconds = scale(5_000), SECONDS[full]
    # Or a slow machine lets go of the first while it makes the last, as nobody follows them.
    monkeypatch.setattr("server.realtime.play.rounds.IDLE_MS", 600_000)
    store = await SqliteStore.open(tmp_path / "games.sqlite3", VARIANTS)
    live = LivePlay(store, VARIANTS)
    await live.start()
    try:
        rounds = []
        for some in range(0, count, AT_ONCE):
            rounds += await asyncio.gather(*(begin(live, number) for number in range(some, some + AT_ONCE)))
        # What the last moves have set going is no part of a game in which nobody acts.
        await live.services.background.finish(PATIENCE_S)
        before, tasks = time.process_time(), len(asyncio.all_tasks())
        await asyncio.sleep(seconds)
        busy = (time.process_time() - before) / seconds
        assert all(one.game.clock.turn is Color.WHITE for one in rounds)
        assert all(live.rounds.in_memory(one.game.id) is one for one in rounds)
    finally:
        await live.stop()
        await store.close()
    assert tasks < 30
    assert at_most(busy, MAX_OF_A_CORE)
    counted("clocks", count)
    counted("% of a core", round(100 * busy, 1))
