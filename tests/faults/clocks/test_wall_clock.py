"""The wall clock of the machine is set forward and back: no player's clock moves (T5)."""

import time
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from server.realtime import now
from tests.bench.live.processes import SITE
from tests.faults.players import seat_tables

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
HOUR_MS = 3_600_000
SHOWN_MS = 300
"""How exact a clock has to be at a step; a busy machine needs more."""


class Wall:
    """The wall clock that the server's process sees. Its monotonic clock stays the machine's, as with NTP."""

    def __init__(self, file):
        self._file = file
        self.set(0)

    def set(self, ms):
        self._file.write_text(f"{ms / 1000:+.0f}")

    @property
    def environment(self):
        return {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


async def shown_by(web, port):
    """By how many ms the server's wall clock is ahead of ours."""
    async with web.get(f"http://127.0.0.1:{port}/health") as answer:
        return 1000 * (parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time())


async def move_after(table, ply, exact_ms):
    """Black or White moves, and is charged the time that has really passed since the move before."""
    mover, side = table.players[ply % 2], ("white", "black")[ply % 2]
    await mover.until(lambda: len(mover.view.moves) == ply)
    clock = mover.view.clock[side]
    passed = (time.monotonic() - mover.heard_at) * 1000
    assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
    await mover.until(lambda: len(mover.view.moves) > ply)
    assert abs(clock - mover.view.clock[side] - passed) <= exact_ms
    assert mover.view.game["ended"] is None


@pytest.mark.row("T5")
def test_the_time_of_the_server_makes_no_step_with_the_wall(monkeypatch, rng, counted):
    wall = time.time_ns()
    monkeypatch.setattr(now.time, "time_ns", lambda: wall)
    told = now.Now()
    last = told()
    for _ in range(1_000):
        wall += rng.randrange(-2, 3) * HOUR_MS * 1_000_000
        at = told()
        assert 0 <= at - last < 60_000
        last = at
    counted("steps", 1_000)


@pytest.mark.row("T5")
@pytest.mark.timeout(300)
@pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not here; Debian has it: apt install libfaketime")
async def test_steps_of_the_machines_clock_move_nobodys(host, web, ledger, rng, scale, full, tmp_path, counted):
    wall, steps = Wall(tmp_path / "wall"), scale(100)
    await host.start(PUBLIC_URL=SITE, **wall.environment)
    tables = await seat_tables(web, host.port, 10 if full else 3, ledger, least=110)
    for table in tables:
        await table.come()
        await table.play(2, 0, rng)
    for ply in range(2, 2 + steps):
        step = rng.choice((-HOUR_MS, HOUR_MS))
        wall.set(step)
        assert abs(await shown_by(web, host.port) - step) < HOUR_MS / 4
        for table in tables:
            await move_after(table, ply, SHOWN_MS if full else 4 * SHOWN_MS)
    counted("steps", steps)
    counted("games", len(tables))
