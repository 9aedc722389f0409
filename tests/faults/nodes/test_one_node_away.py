"""One of two nodes is killed: everybody plays on at the other, also the games that only the dead one knew (N5)."""

import asyncio

import pytest

from server.realtime.play.round_timers import DOUBT_MS
from tests.faults.nodes.travellers import journeys, play_on
from tests.support.live.followers import Follower, Table, in_turn
from tests.support.live.guests import Guest
from tests.support.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

QUICK = {"kind": "realtime", "initial": 3, "increment": 0}
ADOPTED_S = DOUBT_MS / 1_000 + 10


def at_the_other(journey):
    return 1 - journey.at


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
async def test_players_of_a_killed_node_go_on_at_the_other(
    cluster, across, web, ledger, rng, scale, full, within, counted
):
    kills, plies, ports = scale(30), 140 if full else 12, [node.port for node in cluster.nodes]
    tables, left_alone = await across(20 if full else 8, least=150), await abandoned(cluster, web, ledger, rng)
    async with journeys(tables, at_the_other, ports) as pairs:
        playing = [asyncio.create_task(play_on(*each, plies, rng)) for each in zip(tables, pairs, strict=True)]
        for number in range(kills):
            await asyncio.sleep(rng.uniform(0.5, 1.5))
            await cluster.nodes[1 - number % 2].kill()
            if number == 0:
                async with asyncio.timeout(QUICK["initial"] + within(ADOPTED_S)):
                    assert await flagged(cluster, left_alone) == "time"
            await cluster.start(1 - number % 2)
        await asyncio.gather(*playing)
    assert all(white.stays or black.stays for white, black in pairs)
    assert not ledger.complaints(await cluster.stored([*tables, left_alone]))
    counted("kills", kills)
    counted("acknowledged moves", ledger.acknowledged)
