"""Nodes are replaced one after the other by the next release, which speaks another protocol, while people play (N8).

There is one release here, so the next one is this one with a higher number of the protocol.
"""

import asyncio
import signal
import time

import pytest
import pytest_asyncio

from server.realtime.protocol.wire import PROTOCOL
from tests.faults.nodes.travellers import journeys, play_on
from tests.support.live.followers import Follower
from tests.support.live.view import View
from tests.support.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

OTHER_RELEASE = """
import os, sys
sys.path.insert(0, os.getcwd())
from server.realtime.protocol import wire
wire.PROTOCOL = {protocol}
"""
"""Python runs it first in a process that has it on its path."""
MEANWHILE, TOGETHER = 6, 2
"""So many half-moves are played in each game while a node is replaced, and then between players of two releases."""


class Page(Follower):
    """It speaks the protocol of the release that it was loaded from, and is loaded again when a node says so."""

    proto = PROTOCOL

    async def come(self, port=None):
        told = self.heard["reload"]
        try:
            await super().come(port)
        except ConnectionError:
            if self.heard["reload"] == told:
                raise
            self.proto, self.view = await self.guest.protocol(port), View()
            await super().come(port)

    def say(self, kind, /, **fields):
        super().say(kind, **(fields | {"proto": self.proto} if kind == "hi" else fields))


@pytest_asyncio.fixture(loop_scope="package")
async def release(cluster, at_most):
    """`await release(0, 2)` replaces a node by one that speaks protocol 2; none of these is left afterwards."""

    async def replace(number, protocol):
        node = cluster.nodes[number]
        began = time.monotonic()
        code, errors = await node.stop(signal.SIGTERM)
        assert code == 0, errors
        assert "Traceback" not in errors
        assert at_most(time.monotonic() - began, 10)
        (node.folder / "sitecustomize.py").write_text(OTHER_RELEASE.format(protocol=protocol))
        await cluster.start(number)

    yield replace
    for node in cluster.nodes:
        (node.folder / "sitecustomize.py").unlink(missing_ok=True)
        await node.kill()


async def go_home(journeys):
    """Returns when all of these are back where they began."""
    for journey in journeys:
        await journey.there.wait()
        journey.there.clear()
        journey.player.leave()
    await asyncio.gather(*(journey.there.wait() for journey in journeys))


@pytest.mark.row("N8")
@pytest.mark.timeout(1800)
async def test_a_rolling_upgrade_under_load_loses_nothing(cluster, release, across, ledger, rng, scale, full, counted):
    rolls, up = scale(10), {0, 1}
    tables = await across(20 if full else 8, least=150, page=Page)

    def home_if_it_runs(journey):
        return journey.home if journey.home in up else 1 - journey.home

    async with journeys(tables, home_if_it_runs, [node.port for node in cluster.nodes]) as pairs:
        everybody = [journey for pair in pairs for journey in pair]

        async def all_play(plies):
            each = zip(tables, pairs, strict=True)
            await asyncio.gather(*(play_on(table, pair, len(table.followed) + plies, rng) for table, pair in each))

        for protocol in range(PROTOCOL + 1, PROTOCOL + 1 + rolls):
            for number in range(2):
                playing = asyncio.create_task(all_play(MEANWHILE))
                up.discard(number)
                await release(number, protocol)
                up.add(number)
                await playing
                await go_home([journey for journey in everybody if journey.home == number])
                if number == 0:
                    await all_play(TOGETHER)
    for journey in everybody:
        assert journey.player.heard["reload"] == rolls, "each page is told once for each release"
        assert journey.stays == [1 - journey.home, journey.home] * rolls, "somebody came back too often"
    assert not ledger.complaints(await cluster.stored(tables))
    counted("rolls of two nodes, each to the next protocol", rolls)
    counted("acknowledged moves", ledger.acknowledged)
    counted("of them between players of two releases", rolls * TOGETHER * len(tables))
