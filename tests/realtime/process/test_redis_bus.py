"""Two processes' worth of live play over one store, joined by a real redis-server (skipped where there is none)."""

import asyncio

import pytest
from redis.asyncio import Redis

from server.realtime.process.bus import (
    BlocksChanged,
    ChallengeMade,
    Deleted,
    GameStored,
    MessageLeft,
    PeopleHere,
    TurnPassed,
)
from server.realtime.process.redis_bus import RedisBus
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.redis_server import needs_redis, running_redis

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)


class Listener:
    """A bus that runs, and what it heard."""

    def __init__(self, url):
        self.bus = RedisBus(url)
        self.heard = []
        self.resyncs = 0
        self.task = asyncio.create_task(self.bus.run(self.heard.append, self._resync))

    def _resync(self):
        self.resyncs += 1

    async def stop(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def until(condition, seconds=10):
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.005)


@pytest.fixture
async def listeners(redis):
    both = [Listener(redis.url), Listener(redis.url)]
    await until(lambda: all(listener.resyncs for listener in both))
    yield both
    for listener in both:
        await listener.stop()


HINTS = (
    GameStored("abcdefghij", 3),
    TurnPassed("abcdefghij", "anna-id"),
    MessageLeft("abcdefghij", "anna-id", "Ben"),
    ChallengeMade("abcdefghij", "anna-id", "Ben"),
    ChallengeMade("abcdefghij", "anna-id", "Ben", proposed=True),
    ChallengeMade("abcdefghij", "anna-id", "Ben", proposed=True, proposer="Carla"),
    ChallengeMade("abcdefghij", "anna-id", "Ben", proposer="Carla"),
    BlocksChanged("anna-id"),
    PeopleHere("node", ("anna-id", "ben-id")),
    PeopleHere("node", ()),
)


@pytest.mark.parametrize("hint", HINTS)
async def test_others_hear_a_hint_and_we_do_not(listeners, hint):
    here, there = listeners
    here.bus.tell(hint)
    await until(lambda: there.heard)
    assert there.heard == [hint]
    assert here.heard == []


async def test_a_command_that_only_speaks_is_heard_and_needs_no_answer(redis, listeners):
    gone = Deleted("abcdefghij", ("white-id", "black-id"))
    await RedisBus(redis.url).publish([gone, Deleted("klmnopqrst")])
    await until(lambda: all(len(listener.heard) == 2 for listener in listeners))
    assert [listener.heard for listener in listeners] == [[gone, Deleted("klmnopqrst")]] * 2
    await redis.kill()
    await RedisBus(redis.url).publish([gone])


async def test_after_an_outage_unsent_hints_go_out_and_everybody_refreshes(redis, listeners):
    here, there = listeners
    before = there.resyncs
    await redis.kill()
    here.bus.tell(GameStored("abcdefghij", 1))
    here.bus.tell(GameStored("abcdefghij", 2))
    await asyncio.sleep(0.2)
    await redis.start()
    await until(lambda: there.resyncs > before)
    await until(lambda: not here.bus._unsent)
    assert there.heard in ([], [GameStored("abcdefghij", 2)])


async def test_an_unknown_message_is_ignored(redis, listeners):
    here, there = listeners
    raw = Redis.from_url(redis.url)
    for junk in (b"{", b"[]", b'{"node":1,"game":2,"rev":3}', b'{"node":"x","game":"g","rev":"1"}'):
        await raw.publish("fairyhouse:games", junk)
    await raw.aclose()
    here.bus.tell(GameStored("abcdefghij", 9))
    await until(lambda: there.heard)
    assert there.heard == [GameStored("abcdefghij", 9)]


async def test_two_players_on_two_processes_play_a_game(redis, store, clock, variants):
    nodes = [Node(store, clock, RedisBus(redis.url)) for _ in range(2)]
    heard = [0, 0]
    buses = []
    for index, node in enumerate(nodes):

        def resync(index=index, node=node):
            heard[index] += 1
            node.live._resync()

        buses.append(asyncio.create_task(node.live.services.bus.run(node.live._hear, resync)))
    await until(lambda: all(heard))
    game = await nodes[0].new_game(variants)
    white, black = await nodes[0].seat(game, WHITE), await nodes[1].seat(game, BLACK)
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    for ply, uci in enumerate(moves):
        mover, other = ((white, black), (black, white))[ply % 2]
        assert (await mover.move(uci, ply))["t"] == "ok"
        await until(lambda other=other, uci=uci: knows(other, uci))
    for node, bus in zip(nodes, buses, strict=True):
        bus.cancel()
        await asyncio.gather(bus, return_exceptions=True)
        await node.live.services.background.finish(1)
    assert [ply.uci for ply in store.games[game].plies] == moves


async def test_a_player_at_another_process_counts_as_here(redis, store, clock, variants):
    nodes = [Node(store, clock, RedisBus(redis.url)) for _ in range(2)]
    confirmed = []
    buses = [
        asyncio.create_task(node.live.services.bus.run(node.live._hear, lambda: confirmed.append(1))) for node in nodes
    ]
    await until(lambda: len(confirmed) == 2)
    game = await nodes[0].new_game(variants)
    white, black = await nodes[0].seat(game, WHITE), await nodes[1].seat(game, BLACK)
    presence = nodes[0].rounds.in_memory(game).presence
    await until(lambda: presence.players_here == 2)
    black.close(bye=True)
    await until(lambda: presence.players_here == 1)
    clock.turn(2_000)
    nodes[0].live.services.timers.fire_due()
    assert white.last("crowd")["black"]["here"] == "left"
    for node, bus in zip(nodes, buses, strict=True):
        bus.cancel()
        await asyncio.gather(bus, return_exceptions=True)
        await node.live.services.background.finish(1)


def knows(client, uci):
    """Has the client been shown that move, as an event or in a snapshot?"""
    client.read()
    moved, snapshot = client.last("moved"), client.last("snapshot")
    return (moved is not None and moved["uci"] == uci) or (snapshot["moves"] and snapshot["moves"][-1][0] == uci)
