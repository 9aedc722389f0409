"""Flags fall by themselves with nobody there, and a server that stood still takes nobody's time (T7, T9)."""

import asyncio
import signal
import time

import pytest

from tests.support.live.followers import stored_games

SHORT = {"kind": "realtime", "initial": 5, "increment": 0}
LATEST_S = 5 + 0.5 + 0.3
"""Its time, the most that is waited for a late socket, and how late a flag may fall."""
SHOWN_MS = {True: 300, False: 2_000}
"""How exact a clock has to be after a stall: with all the numbers, and beside other tests on the same two cores, where
a server is held up again while it gives the time back. Time that is not given back is three seconds at least."""


@pytest.mark.row("T7")
async def test_flags_fall_when_nobody_is_connected(host, seated, rng, scale, full, counted):
    tables = await seated(scale(500), clock=SHORT)
    for table in tables:
        await table.come()
        await table.play(3, 0, rng)
        table.leave()
    # Nobody may look whether they have fallen: on a busy machine they are given more time.
    await asyncio.sleep(LATEST_S if full else 3 * LATEST_S)
    host.process.kill()
    await host.process.communicate()
    ends = [game.outcome and game.outcome.reason for game in (await stored_games(host.folder, tables)).values()]
    assert set(ends) == {"time"}, ends
    counted("games without anybody", len(tables))


def told_anew(player, black_ms, exact_ms):
    return player.heard["clock"] and abs(player.view.clock["black"] - black_ms) <= exact_ms


@pytest.mark.row("T9")
@pytest.mark.alone
@pytest.mark.timeout(400)
async def test_a_server_that_stalled_gives_the_time_back(host, seated, rng, scale, full, within, counted):
    tables, stalls = await seated(10), scale(20)
    for table in tables:
        await table.come()
        await table.play(3, 0, rng)
    for _ in range(stalls):
        before = [(dict(table.players[0].view.clock), table.players[0].heard_at) for table in tables]
        for table in tables:
            table.players[0].heard.clear()
        stopped = time.monotonic()
        host.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(rng.uniform(3, 10) if full else 3)
        host.process.send_signal(signal.SIGCONT)
        for table, (clock, at) in zip(tables, before, strict=True):
            player = table.players[0]
            black = clock["black"] - (stopped - at) * 1000
            await player.until(lambda: told_anew(player, black, SHOWN_MS[full]), within(5))  # noqa: B023 - awaited here
            assert player.view.clock["white"] == clock["white"]
    counted("stalls", stalls)
    counted("games", len(tables))
