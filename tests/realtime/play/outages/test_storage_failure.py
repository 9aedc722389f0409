"""What happens when the store fails in every way it can: nothing is lost, done twice, or charged to a player."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE, Node


async def test_a_short_outage_delays_the_move_and_costs_nobody_time(node, store, clock, variants):
    game, white, black = await node.opened(variants)
    clock.turn(10_000)
    black.read()
    store.down = True
    request = white.send("move", uci="g1f3", ply=2)
    await settle()
    assert white.last("wait")["id"] == request
    await node.pass_time(30)
    assert all(message["t"] == "crowd" for message in black.read())
    store.down = False
    await node.pass_time(6)
    assert white.last("ok")["id"] == request
    moved = black.last("moved")
    assert (moved["uci"], moved["clock"]["white"]) == ("g1f3", 290_000)
    assert black.last("clock")["clock"]["black"] == 300_000
    stored = store.games[game]
    assert len(stored.plies) == 3
    assert stored.clock.remaining(Color.BLACK, clock()) > 293_000


async def test_while_a_command_waits_for_the_store_others_are_told_so_at_once(node, store, variants):
    _, white, black = await node.opened(variants)
    store.down = True
    white.send("move", uci="g1f3", ply=2)
    await settle()
    answer = await black.ask("resign")
    assert (answer["t"], answer["code"]) == ("error", "busy")
    white.send("ping")
    assert white.read()[-1]["t"] == "pong"


async def test_a_command_behind_a_waiting_write_is_refused_as_busy(node, store, variants):
    _, white, black = await node.opened(variants)
    store.hold = asyncio.Event()
    white.send("move", uci="g1f3", ply=2)
    await settle()
    request = black.send("resign")
    await node.tick(900)
    assert white.last("wait") is not None
    answer = black.last("error")
    assert (answer["id"], answer["code"]) == (request, "busy")
    store.hold.set()
    await settle()
    assert white.last("ok") is not None


async def test_a_move_is_not_refused_while_the_arrival_of_both_is_being_stored(node, store, variants):
    game = await node.new_game(variants)
    white = await node.seat(game, WHITE)
    store.hold = asyncio.Event()
    await node.seat(game, BLACK)
    assert node.rounds.in_memory(game).busy
    assert not node.rounds.in_memory(game).game.both_met
    request = white.send("move", uci="e2e4", ply=0)
    await node.tick(900)
    assert white.last("error") is None
    assert white.last("wait")["id"] == request
    store.hold.set()
    await settle()
    assert white.last("ok")["id"] == request


@pytest.mark.row("F9")
async def test_after_a_minute_the_command_is_refused_and_memory_matches_the_store(node, store, variants):
    game, white, black = await node.opened(variants)
    before = store.games[game]
    store.down = True
    request = white.send("move", uci="g1f3", ply=2)
    await node.pass_time(75)
    answer = white.last("error")
    assert (answer["id"], answer["code"]) == (request, "storage")
    store.down = False
    assert store.games[game] is before
    again = await white.move("g1f3", 2)
    assert again["t"] == "ok"
    assert [move["uci"] for move in black.all("moved")][-1] == "g1f3"
    assert store.games[game].plies[2].left_ms == 300_000


@pytest.mark.row("F9")
async def test_nobody_loses_on_time_because_of_an_outage(node, store, clock, variants):
    game, white, _ = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    store.down = True
    white.send("move", uci="g1f3", ply=2)
    await node.pass_time(120)
    store.down = False
    await node.pass_time(5)
    stored = store.games[game]
    assert stored.outcome is None
    assert stored.clock.remaining(Color.WHITE, clock()) > 14_000


@pytest.mark.row("F11")
@pytest.mark.parametrize("command", ["move", "resign"])
async def test_a_write_whose_answer_was_lost_counts_once(node, store, variants, command):
    game, white, black = await node.opened(variants)
    store.lose_answers = 1
    fields = {"uci": "g1f3", "ply": 2} if command == "move" else {}
    request = white.send(command, **fields)
    await node.pass_time(2)
    answer = white.last("ok")
    assert answer["id"] == request
    assert store.games[game].rev == node.rounds.in_memory(game).game.rev
    assert len(black.all("moved" if command == "move" else "over")) == (3 if command == "move" else 1)


async def test_a_slow_write_is_not_taken_from_the_opponents_time(node, store, clock, variants):
    _, white, black = await node.opened(variants)
    store.hold = asyncio.Event()
    white.send("move", uci="g1f3", ply=2)
    await settle()
    clock.turn(500)
    store.hold.set()
    await settle()
    assert black.last("moved")["clock"]["black"] == 300_000
    store.hold = None
    clock.turn(1_000)
    await black.move("b8c6", 3)
    assert white.last("moved")["clock"]["black"] == 299_000


async def test_a_game_changed_by_another_process_is_shown_again(node, store, clock, variants):
    """The store decides: the slower of two writers hears that their move came too late."""
    game, white, black = await node.opened(variants)
    other = Node(store, clock)
    elsewhere = await other.seat(game, WHITE)
    assert (await elsewhere.move("g1f3", 2))["t"] == "ok"
    answer = await white.move("b1c3", 2)
    assert answer["code"] == "stale"
    assert [move["uci"] for move in black.all("moved")] == ["e2e4", "e7e5", "g1f3"]
    assert len(store.games[game].plies) == 3


async def test_chat_that_cannot_be_stored_is_not_shown(node, store, variants):
    _, white, black = await node.opened(variants)
    with store.outage():
        answer = await white.ask("chat", text="hello")
    assert answer["code"] == "storage"
    assert black.last("said") is None


async def test_a_game_that_cannot_be_read_is_asked_for_again_later(node, store, clock, variants):
    game = await node.new_game(variants)
    fresh = Node(store, clock)
    with store.outage():
        client = Client(fresh, BLACK)
        got = await client.hi(game)
    assert (got[-1]["code"], client.code) == ("storage", 1013)


async def test_an_outage_before_the_friend_came_leaves_nothing_behind(node, store, variants):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, FIVE_MINUTES, rated=False)
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    white = await node.seat(created.game.id, WHITE)
    store.down = True
    white.send("move", uci="e2e4", ply=0)
    await node.pass_time(75)
    assert white.last("error")["code"] == "storage"
    store.down = False
    await node.pass_time(5)
    loads = store.loads
    await node.pass_time(10)
    assert store.loads == loads
    assert (await white.move("e2e4", 0))["t"] == "ok"
    await node.rounds.join(created.game.id, created.secret, BLACK)
    black = await node.seat(created.game.id, BLACK)
    assert "e7e5" in black.last("snapshot")["legal"].split()
