"""One person's seeks, wanted by two people at two nodes in the same instant: they play one of them."""

import asyncio

import pytest

from server.realtime.runtime.ids import game_of_seek
from tests.support.live.guests import Guest
from tests.support.patience import PATIENCE_S
from tests.support.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

CLOCKS = [{"kind": "realtime", "initial": 300, "increment": increment} for increment in range(2)]


RACES_EACH = 20
"""So that no limit of what one person may do is met."""


async def known(web, port, seeks, address):
    """Returns when the node there shows all of `seeks` to whoever asks from `address`."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with web.get(f"http://127.0.0.1:{port}/api/seeks", headers={"X-Forwarded-For": address}) as answer:
                assert answer.status == 200
                if {each["id"] for each in (await answer.json())["seeks"]} >= set(seeks):
                    return
            await asyncio.sleep(0.02)


@pytest.mark.row("N1")
async def test_a_player_with_two_seeks_is_paired_once(cluster, web, full, counted):
    races, ports, store = 100 if full else RACES_EACH, [node.port for node in cluster.nodes], await cluster.place.open()
    key = await store.addresses.signing_key()
    for number in range(races):
        if number % RACES_EACH == 0:
            takers = [Guest(web, port) for port in ports]
        maker = Guest(web, ports[0])
        seeks = [await maker.seek("grand", clock) for clock in CLOCKS]
        await known(web, ports[1], seeks, f"10.99.0.{number}")
        pairs = zip(takers, seeks, strict=True)
        won = await asyncio.gather(*(taker.take(seek) for taker, seek in pairs))
        played = [await store.load(game_of_seek(key, seek)) is not None for seek in seeks]
        assert sorted(played) == [False, True]
        assert won == played
    counted("races", races)
