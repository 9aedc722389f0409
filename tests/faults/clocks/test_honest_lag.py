"""Whoever plays over a slow connection is charged for their thinking, not for the connection (T3)."""

import asyncio
import time
from statistics import fmean

import pytest

from tests.support.proxy import Proxy

CLOCK = {"kind": "realtime", "initial": 600, "increment": 0}
"""Its quota gains a second a move at most, which no lag here uses up."""
LAGS_MS = {True: (0, 50, 200, 400), False: (0, 200)}
"""The first is the control: what is charged too much without any lag is this machine's."""
JITTER_S = 0.04
MEASURED = 6
"""Half-moves after which the server knows both players' lag."""
MEAN_MS = 30
"""More than in the control."""


async def play(table, plies, think_s, rng):
    """For each move after the first ones: by how many ms more was charged than was thought."""
    errors = []
    for ply in range(plies):
        mover = table.players[ply % 2]
        await mover.until(lambda: len(mover.view.moves) == ply)  # noqa: B023 - awaited right here
        side, shown_at = ("white", "black")[ply % 2], mover.moved_at
        before = mover.view.clock[side]
        await asyncio.sleep(rng.uniform(*think_s))
        thought = (time.monotonic() - shown_at) * 1000
        assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
        await mover.until(lambda: len(mover.view.moves) > ply)  # noqa: B023
        if ply >= MEASURED:
            errors.append(before - mover.view.clock[side] - thought)
    return errors


@pytest.mark.row("T3")
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_a_slow_network_costs_no_time_on_the_clock(host, seated, rng, scale, full, counted, at_most):
    means = []
    plies, think_s = (20, (0.75, 1.25)) if full else (12, (0.1, 0.2))
    for lag_ms in LAGS_MS[full]:
        tables = await seated(scale(100), clock=CLOCK)
        async with Proxy(("127.0.0.1", host.port)) as proxy:
            if lag_ms:
                proxy.delay_s, proxy.jitter_s = lag_ms / 1000 - JITTER_S / 2, JITTER_S
            await asyncio.gather(*(table.come(proxy.port) for table in tables))
            played = await asyncio.gather(*(play(table, plies, think_s, rng) for table in tables))
            for table in tables:
                table.leave()
        wrong = [abs(error) for game in played for error in game]
        means.append(fmean(wrong))
        assert at_most(means[-1], means[0] + MEAN_MS), lag_ms
        counted(f"moves over {lag_ms} ms, {means[-1]:.0f} ms wrong on average", len(wrong))
