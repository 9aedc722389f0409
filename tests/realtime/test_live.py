"""What a process does again and again for all its games lets others go on in between."""

import asyncio

import pytest

from server.games.people import Tie, TieKind
from server.games.player import Player
from server.realtime.cluster.bus import Deleted
from server.realtime.protocol.feed import Subscriber
from server.realtime.protocol.tv_messages import TvHi
from server.storage import time_slices
from tests.support.patience import waits_for_a_slice
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox


@pytest.fixture
async def games(node, variants):
    return [await node.new_game(variants) for _ in range(20)]


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("work", ["_ping", "_look"])
async def test_all_rounds_are_visited_in_time_slices(node, work):
    async with time_slices.slice_lock():
        going = asyncio.create_task(getattr(node.live, work)())
        assert await waits_for_a_slice(going)
    await going


@pytest.mark.usefixtures("games")
async def test_games_for_tv_are_found_in_time_slices(node):
    node.live.tv.subscribe(Subscriber(ManualOutbox(), None), TvHi(t="hi", proto=1))
    async with time_slices.slice_lock():
        going = asyncio.create_task(node.live.tv.refresh())
        assert await waits_for_a_slice(going)
    await going


async def test_all_blocks_are_read_again_in_time_slices(node, store):
    await store.ties.keep(Tie("anna", TieKind.BLOCKS, Player("ben", "Ben"), 0))
    async with time_slices.slice_lock():
        going = asyncio.create_task(node.live.ties.read_all_blocks())
        assert await waits_for_a_slice(going)
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


async def test_whoever_becomes_a_bot_while_the_bots_are_read_is_one_here(node, monkeypatch):
    stored, answers = {"old": "Old"}, []

    async def bots():
        read = dict(stored)
        answers.append(answer := asyncio.Event())
        await answer.wait()
        return read

    monkeypatch.setattr(node.store.accounts, "bots", bots, raising=False)
    known = node.live.services.bots
    known.add_bot("deleted", "Deleted")
    first = asyncio.create_task(node.live.read_bots())
    await settle()
    stored["new"] = "New"
    known.add_bot("new", "New")
    second = asyncio.create_task(node.live.read_bots())
    await settle()
    assert len(answers) == 1, "what was read first is taken first"
    answers[0].set()
    await first
    assert known.people == {"old": "Old", "new": "New"}
    await settle()
    answers[1].set()
    await second
    assert known.people == {"old": "Old", "new": "New"}
