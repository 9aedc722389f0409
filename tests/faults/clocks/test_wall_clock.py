"""The wall clock of the machine is set forward and back: no player's clock moves (T5)."""

import asyncio
import time
from email.utils import parsedate_to_datetime

import pytest

from server.realtime.runtime import timers
from tests.support.live.followers import seat_tables
from tests.support.live.processes import SITE
from tests.support.patience import PATIENCE_S
from tests.support.wall_clock import WallClock, needs_faketime

HOUR_MS = 3_600_000
NEAR_MS = HOUR_MS // 4
"""A step of the wall is an hour; what else a clock is wrong by is due to the machine."""


async def until_shown(web, port, step):
    """Returns when the server's wall clock is as many ms ahead of ours; it looks once a second where it stands."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with web.get(f"http://127.0.0.1:{port}/health") as answer:
                ahead = 1000 * (parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time())
            if abs(ahead - step) < HOUR_MS / 4:
                return
            await asyncio.sleep(0.05)


async def turn_of(table, ply):
    """(What the mover's clock shows when the turn of half-move `ply` begins, when that is)."""
    mover = table.players[ply % 2]
    await mover.until(lambda: len(mover.view.moves) == ply)
    return mover.view.clock[("white", "black")[ply % 2]], time.monotonic()


async def move(table, ply, began):
    """Makes half-move `ply`; the mover is charged the time that has really passed since their turn began."""
    mover, (left, at) = table.players[ply % 2], began
    passed = (time.monotonic() - at) * 1000
    assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
    await mover.until(lambda: len(mover.view.moves) > ply)
    assert abs(left - mover.view.clock[("white", "black")[ply % 2]] - passed) <= NEAR_MS
    assert mover.view.game["ended"] is None


@pytest.mark.row("T5")
def test_server_time_does_not_jump_with_the_wall_clock(monkeypatch, rng, counted):
    wall = time.time_ns()
    monkeypatch.setattr(timers.time, "time_ns", lambda: wall)
    told = timers.Now()
    last = told()
    for _ in range(1_000):
        wall += rng.randrange(-2, 3) * HOUR_MS * 1_000_000
        at = told()
        assert 0 <= at - last < 60_000
        last = at
    counted("steps", 1_000)


@pytest.mark.row("T5")
@pytest.mark.timeout(300)
@needs_faketime
async def test_a_step_of_the_wall_clock_moves_no_game_clock(host, web, ledger, rng, scale, full, tmp_path, counted):
    wall, steps = WallClock(tmp_path / "wall"), scale(40)
    await host.start(PUBLIC_URL=SITE, **wall.environment)
    tables = await seat_tables(web, host.port, 10 if full else 3, ledger, least=110)
    for table in tables:
        await table.come()
        await table.play(2, 0, rng)
    turns = [await turn_of(table, 2) for table in tables]
    for ply in range(2, 2 + steps):
        step = rng.choice((-HOUR_MS, HOUR_MS))
        wall.set(step)
        await until_shown(web, host.port, step)
        for number, table in enumerate(tables):
            await move(table, ply, turns[number])
            turns[number] = await turn_of(table, ply + 1)
    counted("steps", steps)
    counted("games", len(tables))
