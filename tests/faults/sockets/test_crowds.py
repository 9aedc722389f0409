"""Many at once who behave: storms of reconnects, a thousand watchers, steady play. Everybody is served in time."""

import asyncio
import itertools
import time

import pytest

from tests.faults.sockets.health import stalls
from tests.support.live.followers import Follower
from tests.support.live.guests import Guest
from tests.support.live.processes import cpu_s

AT_ONCE = 50
BULLET_S = 0.2
"""Between two half-moves of fast players. Of a game that goes on faster than people play, those who come back last
would have missed more than a round remembers, and get the whole game."""


@pytest.mark.row("S3")
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_a_storm_of_reconnects_is_served_while_games_go_on(
    web, host, seated, ledger, rng, scale, counted, at_most
):
    count = scale(1_000)
    tables = await seated(10)
    for table in tables:
        await table.come()
    storm = [Follower(Guest(web, host.port), rng.choice(tables).game, ledger) for _ in range(count)]
    for some in range(0, count, AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in storm[some : some + AT_ONCE]))
    for follower in storm:
        follower.leave()
    began = time.monotonic()
    playing = [asyncio.create_task(table.play(20, BULLET_S, rng)) for table in tables]
    async with stalls(web, host.port) as late:
        await asyncio.gather(*(follower.come() for follower in storm))
        served_s = time.monotonic() - began
    assert at_most(served_s, 5)
    assert at_most(max(late, default=0), 400)
    assert all(follower.view.resumed == 1 for follower in storm)
    await asyncio.gather(*playing)
    assert all(len(table.followed) == 20 for table in tables)
    counted("sockets in one instant", count)
    counted("seconds until all were served", round(served_s, 2))
    counted("ms for which the server stood still", max(late, default=0))


@pytest.mark.row("S13")
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_a_move_reaches_the_last_of_a_thousand_watchers(web, host, seated, ledger, scale, counted, at_most):
    (table,), count = await seated(1), scale(1_000)
    await table.come()
    crowd = [Follower(Guest(web, host.port), table.game, ledger) for _ in range(count)]
    for some in range(0, count, AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in crowd[some : some + AT_ONCE]))
    times = []
    for ply in range(40):
        sent = time.monotonic()
        assert (await table.players[ply % 2].move(ply, table.moves[ply]))["t"] == "ok"
        await asyncio.gather(*(one.until(lambda ply=ply, one=one: len(one.view.moves) > ply) for one in crowd))
        times.append(time.monotonic() - sent)
        mover = table.players[1 - ply % 2]
        await mover.until(lambda ply=ply, mover=mover: len(mover.view.moves) > ply)
    assert at_most(sorted(times)[-2], 0.25)
    counted("watchers", count)


@pytest.mark.row("S14")
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_steady_load(host, web, seated, ledger, rng, scale, full, counted, at_most):
    """A hundred moves a second over two hundred games, five hundred watchers: a minute of it and not ten, as all rows
    together have half an hour."""
    tables = await seated(scale(200), least=60)
    for table in tables:
        await table.come()
    watchers = [Follower(Guest(web, host.port), rng.choice(tables).game, ledger) for _ in range(scale(500))]
    for some in range(0, len(watchers), AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in watchers[some : some + AT_ONCE]))
    seconds, waits, ends = 60 if full else 3, [], time.monotonic() + (60 if full else 3)

    async def play(table):
        await asyncio.sleep(2 * rng.random())
        for ply in itertools.count():
            if time.monotonic() > ends or ply == len(table.moves):
                return
            mover = table.players[ply % 2]
            await mover.until(lambda mover=mover, ply=ply: len(mover.view.moves) >= ply)
            sent = time.monotonic()
            assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
            waits.append(time.monotonic() - sent)
            await asyncio.sleep(max(0.0, 2 - waits[-1]))

    before = cpu_s(host.process.pid)
    await asyncio.gather(*(play(table) for table in tables))
    busy = (cpu_s(host.process.pid) - before) / seconds
    assert at_most(busy, 0.8)
    waits.sort()
    assert at_most(waits[len(waits) // 2], 0.02)
    assert at_most(waits[int(len(waits) * 0.99)], 0.1)
    counted("moves", len(waits))
    counted("seconds", seconds)
    counted("% of a core", round(100 * busy))
