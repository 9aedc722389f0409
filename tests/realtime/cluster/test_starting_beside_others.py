"""A process that starts where games run: it waits only until it knows whether another process was running."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.storage.tables.notices import SiteNotice
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import Deaf, Node

MINUTE = TimeControl.realtime(60_000, 0)
STEP_MS = 200


@pytest.fixture
async def starting(store, clock, variants):
    """A game whose clock runs, and a process that is about to start beside the one that has it."""
    living, fresh = (Node(store, clock, Deaf()) for _ in range(2))
    game, _, _ = await living.opened(variants, control=MINUTE)
    store.alive = clock()
    recovering = asyncio.create_task(fresh.recover())
    await settle()
    yield game, recovering
    recovering.cancel()
    for node in (living, fresh):
        await node.live.services.background.finish(0)


async def test_anothers_first_heartbeat_ends_the_wait_and_stops_no_clock(starting, store, clock):
    game, recovering = starting
    for _ in range(2):
        clock.turn(STEP_MS)
        await settle()
    assert not recovering.done()
    store.alive = clock()
    clock.turn(STEP_MS)
    await recovering
    assert store.games[game].clock.paused_at is None


async def test_two_seconds_without_any_heartbeat_mean_that_clocks_stood_still(starting, store, clock):
    game, recovering = starting
    died = clock()
    for _ in range(9):
        clock.turn(STEP_MS)
        await settle()
    assert not recovering.done()
    clock.turn(STEP_MS)
    await recovering
    assert store.games[game].clock.paused_at == died


async def test_one_of_several_that_begins_anew_pairs_nobody_before_the_announced_restart(store, clock):
    """The others are still to go, with whom it would pair. Who is alone has been restarted as a whole."""
    now = clock()
    await store.notices.post(SiteNotice("We update.", now, now + 1_500_000, now + 600_000))
    clock.turn(60_000)
    alone, beside = Node(store, clock), Node(store, clock, Deaf())
    shown = []
    for later_ms in (0, 539_999, 1):
        clock.turn(later_ms)
        for node in (alone, beside):
            await node.live.notice.refresh()
        shown.append([node.live.services.restart.announced for node in (alone, beside)])
    assert shown == [[False, True], [False, True], [False, False]]
