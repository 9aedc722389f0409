"""Nodes whose wall clocks differ: no player's clock runs faster for it (N7)."""

import asyncio
import time

import pytest

from tests.support.live.followers import seat_tables
from tests.support.live.guests import CLOCK
from tests.support.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

ERROR_MS = 1_250


def shown(player, now):
    """(White, Black) in ms, as the page of `player` shows them at `now`."""
    clock = dict(player.view.clock)
    clock[clock["run"]] -= (now - player.heard_at) * 1000
    return clock["white"], clock["black"]


@pytest.mark.row("N7")
@pytest.mark.alone  # what a busy server gives back of its own stalls is no error of the walls
async def test_wall_clocks_ten_seconds_apart_cost_nobody_anything(
    skewed_cluster, web, ledger, rng, scale, full, counted, at_most
):
    plies, furthest, began = 40 if full else 8, 0.0, []
    tables = await seat_tables(web, skewed_cluster.port(0), scale(100), ledger)
    await skewed_cluster.come(tables)
    for table in tables:
        await table.play(2, 0, rng)
        began.append(time.monotonic())
    await asyncio.gather(*(table.play(plies, 0.2, rng) for table in tables))
    for table, begin in zip(tables, began, strict=True):
        for player in table.players:
            await player.until(lambda: len(player.view.moves) == plies)  # noqa: B023 - awaited right here
        now = time.monotonic()
        white, black = (shown(player, now) for player in table.players)
        used = 2 * CLOCK["initial"] * 1000 - sum(white)
        furthest = max(
            furthest, abs(used - (now - begin) * 1000), *(abs(w - b) for w, b in zip(white, black, strict=True))
        )
    assert at_most(furthest, ERROR_MS)
    counted("games", len(tables))
    counted(f"ms is the furthest that any clock is from the truth after {plies} half-moves", round(furthest))
