"""Coming back: a client gets exactly what it missed, or the whole game, and never a false "nothing new"."""

import pytest

from server.realtime.play.round_feed import MAX_EVENTS, EventHistory
from server.realtime.protocol.outbox import MAX_TEXTS
from server.storage.stores import ChatLine
from tests.support.realtime.client import Client
from tests.support.realtime.node import BLACK, WHITE, Node

LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]


async def played(node, variants):
    game, white, black = await node.pair(variants)
    for ply, uci in enumerate(LINE):
        await (white, black)[ply % 2].move(uci, ply)
    await white.ask("chat", text="good luck")
    return game, white, black


@pytest.mark.row("F3")
@pytest.mark.parametrize("who", [WHITE, BLACK, None])
async def test_resuming_from_any_event_number_leads_to_the_same_state(node, variants, who):
    game, white, _ = await played(node, variants)
    snapshot = white.last("snapshot")
    last = white.last("said")["v"]
    for v in range(last + 1):
        client = Client(node, who)
        got = await client.hi(game, snapshot["epoch"], v)
        events = [message for message in got if message["t"] not in ("resumed", "crowd")]
        assert [event["v"] for event in events] == list(range(v + 1, last + 1))
        resumed = next(message for message in got if message["t"] == "resumed")
        assert resumed["v"] == last
        assert ("legal" in resumed) == (who is WHITE)
        assert ("said" in [event["t"] for event in events]) == (who is not None and v < last)
        client.close()


@pytest.mark.row("F3")
@pytest.mark.parametrize("v", [-1, 999])
async def test_an_impossible_number_brings_a_snapshot(node, variants, v):
    game, white, _ = await played(node, variants)
    client = Client(node, None)
    got = await client.hi(game, white.last("snapshot")["epoch"], v)
    assert [message["t"] for message in got] == ["snapshot", "crowd"]


@pytest.mark.row("F4")
async def test_a_restart_brings_a_snapshot(node, store, clock, variants):
    game, white, _ = await played(node, variants)
    reborn = Node(store, clock)
    client = Client(reborn, WHITE)
    old = white.last("snapshot")
    got = await client.hi(game, old["epoch"], 0)
    snapshot = got[0]
    assert snapshot["t"] == "snapshot"
    assert snapshot["epoch"] != old["epoch"]
    assert [move[0] for move in snapshot["moves"]] == LINE
    assert [line["text"] for line in snapshot["chat"]] == ["good luck"]


async def test_a_round_that_was_unloaded_has_a_new_epoch(node, clock, variants):
    game, white, black = await node.pair(variants)
    await white.ask("abort")
    epoch = white.last("snapshot")["epoch"]
    white.close()
    black.close()
    await node.tick(60_000)
    await node.rounds.unload_idle()
    assert node.rounds.in_memory(game) is None
    client = Client(node, WHITE)
    got = await client.hi(game, epoch, 1)
    assert got[0]["t"] == "snapshot"
    assert got[0]["ended"]["by"] == black.last("over")["ended"]["by"] == "white", "who aborted it is stored"


@pytest.mark.row("F2")
async def test_a_move_whose_answer_was_lost_is_sent_again_after_the_return(node, store, variants):
    game, white, black = await node.opened(variants)
    white.send("move", uci="g1f3", ply=2)
    white.close()
    back = Client(node, WHITE)
    back.send("hi", proto=1, game=game)
    answer = await back.move("g1f3", 2)
    assert (answer["t"], answer["dup"]) == ("ok", True)
    assert len(store.games[game].plies) == 3
    assert black.last("moved")["uci"] == "g1f3"


async def test_commands_sent_right_behind_hi_wait_for_it(node, variants):
    game = await node.new_game(variants)
    client = Client(node, WHITE)
    client.send("hi", proto=1, game=game)
    assert (await client.move("e2e4", 0))["t"] == "ok"


async def test_a_watcher_gets_a_placeholder_for_each_line_of_the_players_chat(node, variants):
    game, white, black = await node.pair(variants)
    epoch = white.last("snapshot")["epoch"]
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for ply in range(7):
        await (white, black)[ply % 2].move(knights[ply % 4], ply)
    found = node.rounds.in_memory(game)
    start = found.feed.v
    for at in range(20):
        found.feed.show_chat(_line(game, at))
    client = Client(node, None)
    got = await client.hi(game, epoch, start)
    assert client.code is None
    assert sum(message["t"] == "nothing" for message in got) == 20


def _line(game, at):
    return ChatLine(game, "players", WHITE.id, WHITE.name, "x", at)


def test_a_resume_never_exceeds_what_an_outbox_holds():
    assert MAX_EVENTS < MAX_TEXTS


def test_history_keeps_a_bounded_number_of_events():
    history = EventHistory()
    for number in range(MAX_EVENTS + 50):
        history.append(str(number), str(number))
    assert history.since(history.epoch, history.v - MAX_EVENTS, False) is not None
    assert history.since(history.epoch, history.v - MAX_EVENTS - 1, False) is None
    assert history.since(history.epoch, history.v - 2, False) == [str(MAX_EVENTS + 48), str(MAX_EVENTS + 49)]
    assert history.since(history.epoch, history.v, False) == []


def test_history_keeps_a_bounded_size():
    history = EventHistory()
    for _ in range(100):
        history.append("x" * 1_000, "y")
    assert history.since(history.epoch, 0, False) is None
    assert history.since(history.epoch, history.v - 3, True) == ["y"] * 3
    assert history.since(history.epoch, history.v - 4, True) is None


def test_an_event_that_cannot_be_resent_ends_the_history_before_it():
    history = EventHistory()
    history.append("a", "a")
    history.skip()
    history.append("b", "b")
    assert history.since(history.epoch, 1, False) is None
    assert history.since(history.epoch, 2, False) == ["b"]
