"""The clocks of one game at two processes, over what is really stored: nobody loses by what the other process has not
heard, and a flag falls once. Times come back from the store as they were, so they are judged as in memory.
"""

import asyncio

import pytest

from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.games.status import Status
from server.realtime.play.round_timers import DOUBT_MS, KEEP_BEFORE_MS
from server.rules.variant.pieces import Color
from server.storage.sqlite.store import SqliteStore
from tests.support.patience import PATIENCE_S
from tests.support.realtime.hand_clock import HandClock
from tests.support.realtime.node import Deaf, Node
from tests.support.rules.built_in import VARIANTS

MINUTE = TimeControl.realtime(60_000, 0)
STALL_MS, STALLS = 8_000, 5
"""More in all than the other process would wait by itself."""


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
async def nodes(place, clock):
    """Two processes that hear nothing of each other; on SQLite two stores on one file stand for two of them."""
    first = await place.open()
    second = SqliteStore(first._file, VARIANTS) if isinstance(first, SqliteStore) else await place.open()
    both = [Node(store, clock, Deaf()) for store in (first, second)]
    for node in both:
        node.store.shared = True
    yield both
    for node in both:
        await node.live.services.background.finish(1)


async def opened(nodes):
    """A game after 1. e4 e5, each move made at another process: the round at each."""
    game = await nodes[0].new_game(VARIANTS, MINUTE)
    rounds = [await node.rounds.get(game) for node in nodes]
    for ply, uci in enumerate(("e2e4", "e7e5")):
        await rounds[ply].submit(PlayMove(Color(ply), uci, ply), nodes[ply].clock())
        await rounds[1 - ply].refresh()
    return rounds


def turn_to(clock, at):
    clock.turn(at - clock())


async def test_time_given_back_by_one_process_is_not_taken_by_the_other(nodes, clock):
    here, there = await opened(nodes)
    in_time = there.game.deadline + DOUBT_MS
    here.presence.arrive(Color.WHITE, clock(), False)
    for _ in range(STALLS):
        clock.turn(STALL_MS)
        here.credit_stall(STALL_MS, busy=False)
    for at in (in_time - KEEP_BEFORE_MS, in_time + 1):
        turn_to(clock, at)
        nodes[0].live.services.timers.fire_due()
        await nodes[0].live.services.background.finish(PATIENCE_S)
        await nodes[1].rounds.check_deadlines()
    stored = await nodes[1].store.load(here.game.id)
    assert (stored.status, stored.deadline) == (Status.LIVE, in_time - DOUBT_MS + STALLS * STALL_MS)


async def test_a_flag_that_both_see_fall_falls_once_and_at_the_same_time(nodes, clock):
    here, there = await opened(nodes)
    turn_to(clock, here.game.deadline + DOUBT_MS + 1)
    before = (await nodes[0].store.load(here.game.id)).rev
    await asyncio.gather(*(node.rounds.check_deadlines() for node in nodes))
    stored = await nodes[0].store.load(here.game.id)
    assert (stored.rev, stored.status, stored.outcome.winner) == (before + 1, Status.OVER, Color.BLACK)
    for one in (here, there):
        await one.refresh()
        assert one.game.outcome == stored.outcome


async def test_a_move_stored_by_one_process_is_not_flagged_by_what_the_other_remembers(nodes, clock):
    here, there = await opened(nodes)
    clock.turn(50_000)
    await here.submit(PlayMove(Color.WHITE, "g1f3", 2), clock())
    # The other still believes that it is White's turn.
    assert len(there.game.plies) == 2
    turn_to(clock, there.game.deadline + DOUBT_MS + 1)
    await nodes[1].rounds.check_deadlines()
    stored = await nodes[1].store.load(here.game.id)
    assert (stored.status, len(stored.plies)) == (Status.LIVE, 3)
    assert stored.clock.remaining(Color.WHITE, clock()) == 10_000


async def test_each_process_reads_the_same_time_of_every_move(nodes, clock):
    here, there = await opened(nodes)
    for ply, (uci, took) in enumerate((("g1f3", 1_234), ("b8c6", 7), ("f1b5", 20_001), ("a7a6", 999)), start=2):
        clock.turn(took)
        mover, other = (here, there) if ply % 2 == 0 else (there, here)
        await mover.refresh()
        await mover.submit(PlayMove(Color(ply % 2), uci, ply), clock())
        await other.refresh()
        stored = await nodes[ply % 2].store.load(here.game.id)
        for game in (here.game, there.game):
            assert game.clock == stored.clock
            assert [one.left_ms for one in game.plies] == [one.left_ms for one in stored.plies]
