"""One of two nodes is killed, or restarted as one does it for an update: everybody plays on at the other (N5, N8)."""

import asyncio
import signal
import time

import pytest

from tests.bench.live.people import Guest
from tests.faults.players import Follower, Table, in_turn
from tests.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

QUICK = {"kind": "realtime", "initial": 3, "increment": 0}
ADOPTED_S = 10
PAUSE_S = 0.4


async def return_always(player, at, ports, there, returns):
    """Whenever the line of `player` is gone, he comes back at the other node; `there` is set while he has one."""
    while True:
        await player.line.closed
        there.clear()
        at = 1 - at
        await player.come(ports[at])
        returns.append(at)
        there.set()


async def travel(table, plies, ports, rng):
    """Play on to so many half-moves through whatever happens to the nodes. How often each player had to come back."""
    theirs, returns = [asyncio.Event(), asyncio.Event()], ([], [])
    keeping = [
        asyncio.create_task(return_always(player, at, ports, there, back))
        for at, (player, there, back) in enumerate(zip(table.players, theirs, returns, strict=True))
    ]
    for there in theirs:
        there.set()
    while len(table.followed) < plies:
        await asyncio.gather(*(there.wait() for there in theirs))
        await table.play(plies, PAUSE_S, rng)
        # Whose line is gone learns it before the next try.
        await asyncio.sleep(0)
    for task in keeping:
        task.cancel()
    ended = await asyncio.gather(*keeping, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in ended), ended
    return [len(back) for back in returns]


async def abandoned(cluster, web, ledger, rng):
    """A quick game that only the second node knows, whose clock runs and whose players will not come back."""
    score = in_turn(60)[0]
    white, black = (Guest(web, cluster.port(1)) for _ in range(2))
    game = await white.challenge(score.start, QUICK)
    await black.join(game)
    table = Table(score, game["id"], tuple(Follower(guest, game["id"], ledger) for guest in (white, black)))
    await table.come(cluster.port(1))
    await table.play(4, 0, rng)
    return table


async def flagged(cluster, table):
    """Returns when the store has the end of the game."""
    store = await cluster.place.open()
    while (game := await store.load(table.game)).outcome is None:  # noqa: ASYNC110 - another process ends it
        await asyncio.sleep(0.1)
    return game.outcome.reason


@pytest.mark.row("N5")
@pytest.mark.timeout(1800)
async def test_a_node_is_killed_and_its_players_go_on_at_the_other(
    cluster, across, web, ledger, rng, scale, full, counted
):
    kills, plies, ports = scale(30), 140 if full else 12, [node.port for node in cluster.nodes]
    tables, left_alone = await across(20 if full else 8, least=150), await abandoned(cluster, web, ledger, rng)
    playing = [asyncio.create_task(travel(table, plies, ports, rng)) for table in tables]
    for number in range(kills):
        await asyncio.sleep(rng.uniform(0.5, 1.5))
        await cluster.nodes[1 - number % 2].kill()
        if number == 0:
            async with asyncio.timeout(QUICK["initial"] + ADOPTED_S):
                assert await flagged(cluster, left_alone) == "time"
        await cluster.start(1 - number % 2)
    returns = [sum(each) for each in await asyncio.gather(*playing)]
    assert min(returns) >= 1
    assert not ledger.complaints(await cluster.stored([*tables, left_alone]))
    counted("kills", kills)
    counted("acknowledged moves", ledger.acknowledged)


@pytest.mark.row("N8")
@pytest.mark.timeout(1800)
async def test_nodes_are_restarted_one_after_the_other_under_load(cluster, across, ledger, rng, scale, full, counted):
    rolls, plies, ports = scale(10), 140 if full else 12, [node.port for node in cluster.nodes]
    tables = await across(20 if full else 8, least=150)
    playing = [asyncio.create_task(travel(table, plies, ports, rng)) for table in tables]
    for number in range(2 * rolls):
        began = time.monotonic()
        code, errors = await cluster.nodes[number % 2].stop(signal.SIGTERM)
        assert code == 0, errors
        assert "Traceback" not in errors
        assert time.monotonic() - began <= 10
        await cluster.start(number % 2)
    returns = [count for each in await asyncio.gather(*playing) for count in each]
    assert 1 <= max(returns) <= 2 * rolls, "more than once for a restart"
    assert not ledger.complaints(await cluster.stored(tables))
    counted("rolls of two nodes", rolls)
    counted("acknowledged moves", ledger.acknowledged)
