"""A process that reaches neither the store nor the others: its players are sent away before anybody may claim that they
have left, and win nothing and lose nothing by it.

Time is turned by hand; what travels takes the time that it takes. Each process has its own way to either store.
"""

import asyncio

import pytest

from server.games.status import Status
from server.realtime.services.recovery import CUT_OFF_MS
from server.storage.mongo import client
from tests.support.patience import PATIENCE_S
from tests.support.realtime.far_processes import turn_clock, two_processes
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.listener import until
from tests.support.realtime.node import BLACK, WHITE
from tests.support.redis_server import needs_redis, running_redis
from tests.support.storage.engines import MongoPlace

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)
LATER_S = 70
"""By then whoever sits at a process that is dead could be claimed to have left."""
STEP_S = 2
RETRY_S = 4
"""So soon, or sooner, a page that has lost its connection is back."""


@pytest.fixture
async def processes(secantus, redis, clock, monkeypatch):
    # A store that cannot be reached is given up within a moment, of which this test waits for many.
    monkeypatch.setitem(client.OPTIONS, "serverSelectionTimeoutMS", 20)
    place = MongoPlace(secantus.direct_uri)
    async with two_processes(redis, place, clock) as both:
        yield both
    await place.leave()


async def beat_until(processes, so):
    async with asyncio.timeout(PATIENCE_S):
        while not so():
            await asyncio.gather(*(far.beat() for far in processes))
            await asyncio.sleep(0.02)


async def pass_seconds(processes, seconds):
    for _ in range(seconds // STEP_S):
        turn_clock(processes, STEP_S * 1_000)
        await asyncio.gather(*(far.beat() for far in processes))
        await settle()


def plies(far, game):
    found = far.node.rounds.in_memory(game)
    return None if found is None else len(found.game.plies)


@pytest.fixture
async def table(processes, clock, variants):
    """White at one process, Black at the other, after 1. e4 e5: the game, and both players."""
    here, there = processes
    game = await here.node.new_game(variants)
    white, black = await here.node.seat(game, WHITE), await there.node.seat(game, BLACK)
    names = [far.node.live.services.hearing.node for far in processes]

    def hear():
        hearings = [far.node.live.services.hearing for far in processes]
        boards = [far.node.rounds.in_memory(game) for far in processes]
        return all(one.hears_all(names, clock()) is not None for one in hearings) and all(
            board is not None and board.presence.players_here == 2 for board in boards
        )

    await beat_until(processes, hear)
    for ply, (player, uci) in enumerate([(white, "e2e4"), (black, "e7e5")]):
        await beat_until(processes, lambda ply=ply: all(plies(far, game) == ply for far in processes))
        player.send("move", uci=uci, ply=ply)
    await beat_until(processes, lambda: all(plies(far, game) == 2 for far in processes))
    return game, white, black


async def claims(player):
    request = player.send("claim", result="win")

    def answers():
        player.read()
        return [told for told in player.got if told.get("id") == request and told["t"] in ("ok", "error")]

    await until(answers)
    return answers()[0]["t"] == "ok"


async def test_who_sits_at_a_process_that_is_cut_off_is_sent_to_another_in_time(processes, table, clock):
    here, there = processes
    game, white, black = table
    there.cut("bus database")
    began = clock()
    while not black.outbox.closed:
        assert not await claims(white)
        await pass_seconds(processes, STEP_S)
    assert CUT_OFF_MS <= clock() - began <= CUT_OFF_MS + 3_000
    assert there.node.live.cut_off
    await pass_seconds(processes, RETRY_S)
    assert not await claims(white)
    again = await here.node.seat(game, BLACK)
    await pass_seconds(processes, LATER_S)
    assert not await claims(white)
    assert here.node.rounds.in_memory(game).game.status is Status.LIVE
    assert not again.outbox.closed
    assert not white.outbox.closed


@pytest.mark.parametrize("what", ["bus", "database"])
async def test_as_long_as_a_process_reaches_one_of_the_two_its_players_stay(processes, table, what):
    _, white, black = table
    processes[1].cut(what)
    await pass_seconds(processes, LATER_S)
    assert not black.outbox.closed
    assert not await claims(white)


async def test_a_process_without_others_keeps_its_pages_while_its_store_is_away(node, clock, variants):
    _, white, black = await node.opened(variants)
    clock.turn(LATER_S * 1_000)
    await node.live.leave_pages_if_cut_off()
    assert not white.outbox.closed
    assert not black.outbox.closed
