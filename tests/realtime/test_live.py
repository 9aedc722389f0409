"""What a process does again and again for all its games lets others go on in between."""

import asyncio

import pytest

from server.games.people.ties import Tie, TieKind
from server.games.player import Player
from server.realtime.process.bus import Deleted
from server.realtime.protocol.feed import Subscriber
from server.realtime.protocol.tv_messages import TvHi
from server.storage import time_slices
from tests.support.realtime.manual_outbox import ManualOutbox


@pytest.fixture
async def games(node, variants):
    return [await node.new_game(variants) for _ in range(20)]


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("work", ["_ping", "_look"])
async def test_all_rounds_are_visited_in_time_slices(node, work):
    async with time_slices.slice_lock():
        going = asyncio.create_task(getattr(node.live, work)())
        assert not (await asyncio.wait({going}, timeout=0.1))[0]
    await going


@pytest.mark.usefixtures("games")
async def test_games_for_tv_are_found_in_time_slices(node):
    node.live.tv.subscribe(Subscriber(ManualOutbox(), None), TvHi(t="hi", proto=1))
    async with time_slices.slice_lock():
        going = asyncio.create_task(node.live.tv.refresh())
        assert not (await asyncio.wait({going}, timeout=0.1))[0]
    await going


async def test_all_blocks_are_read_again_in_time_slices(node, store):
    await store.ties.keep(Tie("anna", TieKind.BLOCKS, Player("ben", "Ben"), 0))
    async with time_slices.slice_lock():
        going = asyncio.create_task(node.live.ties.read_all())
        assert not (await asyncio.wait({going}, timeout=0.1))[0]
        assert not node.live.services.blocks.are_apart("ben", "anna")
    await going
    assert node.live.services.blocks.are_apart("ben", "anna")


async def test_blocks_hold_from_the_start(node, store):
    await store.ties.keep(Tie("anna", TieKind.BLOCKS, Player("ben", "Ben"), 0))
    await node.live.start()
    assert node.live.services.blocks.are_apart("ben", "anna")
    await node.live.stop()


async def test_a_game_that_is_deleted_meanwhile_is_left_out(node, games):
    done = []

    def act(one):
        done.append(one.game.id)
        if len(done) == 1:
            node.rounds.forget(Deleted(games[-1], ("white-id", "black-id")))

    await node.rounds.do_in_each(act)
    assert done == games[:-1]
