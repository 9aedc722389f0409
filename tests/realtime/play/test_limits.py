"""Floods, silence and nonsense on one connection."""

import pytest

from server.realtime.play import views
from server.realtime.play.connection import (
    HELLO_COST,
    HELLO_TIMEOUT,
    MAX_FAULTS,
    PLAYER_MESSAGES,
    POLICY,
    WATCHER_MESSAGES,
)
from server.realtime.runtime.limits import TokenBucket
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import WHITE


async def test_a_client_that_never_says_hi_is_cut_off(node):
    client = Client(node, WHITE)
    await node.tick(9_999)
    assert client.code is None
    await node.tick(1)
    assert client.code == HELLO_TIMEOUT


async def test_a_client_whose_every_hi_is_one_too_many_is_cut_off(node):
    client = Client(node, None)
    for _ in range(WATCHER_MESSAGES - HELLO_COST + 1):
        client.send("ping")
    client.send("hi", proto=1, game="abcdefghij", epoch="", v=-1)
    assert client.last("error")["code"] == "rate"
    await node.tick(10_000)
    assert client.code == HELLO_TIMEOUT


@pytest.mark.row("F16")
async def test_an_old_page_is_told_to_reload(node):
    client = Client(node, WHITE)
    client.send("hi", proto=0, game="abcdefghij")
    assert (client.last("reload"), client.code) == ({"t": "reload"}, 4400)


@pytest.mark.row("N8")
async def test_a_newer_page_reconnects_until_its_server_is_there(node):
    client = Client(node, WHITE)
    client.send("hi", proto=2, game="abcdefghij")
    assert (client.all("reload"), client.code) == ([], 1013)


async def test_a_missing_game_is_refused(node):
    client = Client(node, WHITE)
    await client.hi("abcdefghij")
    assert client.last("error")["code"] == "no_game"
    assert (await client.move("e2e4", 0))["code"] == "no_game"


@pytest.mark.row("S7")
async def test_a_flood_is_answered_for_a_while_and_then_cut_off(node):
    client = Client(node, None)
    for _ in range(WATCHER_MESSAGES):
        client.send("ping")
        client.read()
    assert client.code is None
    for _ in range(MAX_FAULTS + 1):
        client.send("ping")
    assert client.last("error")["code"] == "rate"
    assert client.code == POLICY


async def test_credits_come_back_with_time(node):
    client = Client(node, None)
    for _ in range(20):
        for _ in range(WATCHER_MESSAGES // 4):
            client.send("ping")
        client.read()
        node.clock.turn(5_000)
    assert client.last("error") is None


async def test_a_player_may_send_more_than_a_watcher(node, variants):
    _game, white, _ = await node.pair(variants)
    await white.move("e2e4", 0)
    for _ in range(PLAYER_MESSAGES - 10):
        white.send("ping")
        white.read()
    assert white.last("error") is None


async def test_nonsense_is_answered_for_a_while_and_then_cut_off(node):
    client = Client(node, None)
    for _ in range(MAX_FAULTS):
        client.connection.receive("{", node.clock())
    assert client.last("error")["code"] == "bad_message"
    assert client.code is None
    client.connection.receive("{", node.clock())
    assert client.code == POLICY


async def test_asking_for_whole_games_costs_more_than_chatting(node, variants):
    game, *_ = await node.opened(variants)
    client = Client(node, None)
    for _ in range(WATCHER_MESSAGES):
        await client.hi(game)
    assert len(client.all("snapshot")) == WATCHER_MESSAGES // HELLO_COST
    assert client.code == POLICY


@pytest.fixture
def encoded(monkeypatch):
    """The colors for which a whole game was put together, in order."""
    made, snapshot = [], views.snapshot

    def counted(game, color, *args, **others):
        made.append(color)
        return snapshot(game, color, *args, **others)

    monkeypatch.setattr(views, "snapshot", counted)
    return made


async def test_a_snapshot_is_encoded_once_for_everybody_until_the_next_move(node, variants, clock, encoded):
    game, white, black = await node.opened(variants)
    encoded.clear()
    for _ in range(9):
        await Client(node, None).hi(game)
    watcher = await node.seat(game, None)
    assert encoded == [None]
    clock.turn(3_000)
    later = await node.seat(game, None)
    before, after = (client.last("snapshot") for client in (watcher, later))
    assert before["clock"]["white"] - after["clock"]["white"] == 3_000, "the clocks go on all the same"
    assert before | {"clock": None} == after | {"clock": None}
    await white.move("g1f3", 2)
    assert len((await node.seat(game, None)).last("snapshot")["moves"]) == 3
    await black.ask("chat", text="hello")
    assert [line["text"] for line in (await node.seat(game, WHITE)).last("snapshot")["chat"]] == ["hello"]
    assert encoded == [None, None, Color.WHITE]


async def test_stale_moves_bring_one_snapshot_until_the_next_move(node, variants, encoded):
    _, white, black = await node.opened(variants)
    encoded.clear()
    had = len(white.all("snapshot"))
    answers = [await white.move("a1a2", 1) for _ in range(8)]
    assert {answer["code"] for answer in answers} == {"stale"}
    assert len(white.all("snapshot")) == had + 1
    await white.move("g1f3", 2)
    await black.move("b8c6", 3)
    await white.move("a1a2", 3)
    assert len(white.all("snapshot")) == had + 2
    assert encoded == [Color.WHITE] * 2


async def test_a_board_that_stays_wrong_gets_a_bounded_number_of_snapshots(node, variants, clock):
    """Moves that count are taken all the while."""
    _, white, black = await node.opened(variants)
    had, stale = len(white.all("snapshot")), 0
    for number, file in enumerate("abcdfgh"):
        for client, uci, ply in ((white, f"{file}2{file}3", 2), (black, f"{file}7{file}6", 3)):
            assert (await client.move(uci, 2 * number + ply))["t"] == "ok"
            assert (await white.move("a1a2", 0))["code"] == "stale"
            clock.turn(500)
            stale += 1
    assert 0 < len(white.all("snapshot")) - had < stale


async def test_nothing_is_encoded_for_a_socket_that_was_cut(node, variants, encoded):
    _, white, _ = await node.opened(variants)
    encoded.clear()
    white.send("move", uci="a1a2", ply=1)
    white.outbox.cut(1008)
    await settle()
    assert encoded == []


@pytest.mark.row("S17")
async def test_an_internal_error_is_answered_once_and_the_round_lives(node, store, variants, monkeypatch, caplog):
    _, white, black = await node.opened(variants)

    async def broken(before, after):
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(store, "save", broken)
        answer = await white.move("g1f3", 2)
    assert answer["code"] == "internal"
    number = answer["message"].split()[-1].strip(".")
    assert number in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert black.last("moved")["uci"] == "g1f3"


def test_credits():
    bucket = TokenBucket(2, 1_000)
    assert [bucket.take(at) for at in (0, 0, 0, 499, 500, 500)] == [True, True, False, False, True, False]


# --- chat -----------------------------------------------------------------------------------------------------------


async def test_answers_to_the_servers_pings_cost_nothing_and_invented_ones_do(node, variants):
    _game, white, _ = await node.pair(variants)
    meter = white.connection._subscriber.meter
    for _ in range(PLAYER_MESSAGES * 2):
        white.send("pong", p=meter.ping(node.clock(), True))
    assert white.last("error") is None
    for _ in range(PLAYER_MESSAGES + 1):
        white.send("pong", p="never sent")
        white.read()
    assert white.last("error")["code"] == "rate"


async def test_in_a_fast_game_a_player_whose_lag_is_known_is_asked_for_it_once_a_second(node, variants):
    _game, white, black = await node.pair(variants)
    moves = enumerate(["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6", "d2d3", "d7d6"])
    for ply, uci in moves:
        node.clock.turn(250)
        await (black if ply % 2 else white).move(uci, ply)
    assert len(black.all("moved")) == 10
    # Three to know it, and one more in the second and a half that is left.
    assert (len(white.all("ping")), len(black.all("ping"))) == (4, 4)
