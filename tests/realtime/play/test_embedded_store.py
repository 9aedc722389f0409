"""Live play over the store that a host really has: what was acknowledged is there in the next life of the server."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.rules.variant.pieces import Color
from server.storage.sqlite.store import SqliteStore
from tests.support.patience import PATIENCE_S
from tests.support.realtime.node import BLACK, WHITE, Node


@pytest.fixture
async def path(tmp_path):
    return tmp_path / "games.sqlite3"


async def until(condition, client=None):
    """The store works in a thread of its own, so wait for it in real time."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            if client is not None:
                client.read()
            await asyncio.sleep(0.001)


async def answered(client, t, **fields):
    request = client.send(t, **fields)
    await until(lambda: any(message.get("id") == request for message in client.got), client)
    return next(message for message in client.got if message.get("id") == request)


async def at_board(node, game, player):
    client = await node.seat(game, player)
    await until(lambda: client.last("snapshot") is not None)
    return client


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "grand", "acedrex"])
async def test_a_game_goes_on_after_a_restart(path, clock, variants, variant):
    store = await SqliteStore.open(path, variants)
    node = Node(store, clock)
    game = await node.new_game(variants, variant=variant, control=TimeControl.realtime(60_000, 1_000))
    clients = [await at_board(node, game, WHITE), await at_board(node, game, BLACK)]
    for ply in range(6):
        mover = clients[ply % 2]
        legal = (mover.last("moved") or mover.last("snapshot"))["legal"].split()
        clock.turn(500)
        assert (await answered(mover, "move", uci=legal[ply], ply=ply))["t"] == "ok"
        await until(lambda ply=ply: len(clients[0].all("moved")) == len(clients[1].all("moved")) == ply + 1)
    await node.live._heartbeat.beat()
    before = node.rounds.in_memory(game).game
    await node.live.services.background.finish(1)
    await store.close()

    clock.turn(3_600_000)
    store = await SqliteStore.open(path, variants)
    reborn = Node(store, clock)
    await reborn.recover()
    white = await at_board(reborn, game, WHITE)
    snapshot = white.last("snapshot")
    assert [move[0] for move in snapshot["moves"]] == [ply.uci for ply in before.plies]
    assert snapshot["clock"] == {
        "white": before.clock.remaining(Color.WHITE, before.clock.since),
        "black": before.clock.remaining(Color.BLACK, before.clock.since),
        "paused": "restart",
    }
    assert (await answered(white, "move", uci=snapshot["legal"].split()[0], ply=6))["t"] == "ok"
    await reborn.live.services.background.finish(1)
    await store.close()


async def test_a_rematch_is_in_the_store_before_anybody_is_sent_to_it(path, clock, variants):
    store = await SqliteStore.open(path, variants)
    node = Node(store, clock)
    game = await node.new_game(variants)
    white, black = await at_board(node, game, WHITE), await at_board(node, game, BLACK)
    await answered(white, "abort")
    await answered(white, "offer", kind="rematch")
    await answered(black, "offer", kind="rematch")
    await until(lambda: white.last("rematch") is not None)
    following = await store.load(white.last("rematch")["next"])
    assert (following.white, following.black, following.previous) == (BLACK, WHITE, game)
    await node.live.services.background.finish(1)
    await store.close()
