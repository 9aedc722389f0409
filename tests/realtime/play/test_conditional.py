"""Conditional moves at the board: only their owner hears of them, and the store gets a move with its answer."""

import json

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.conditional import judge_tree
from server.realtime.domain_events import YourTurn
from server.realtime.play import rounds
from tests.support.games import live_game, moved
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node

DAYS = TimeControl.correspondence(3)
SICILIAN = ["c7c5", "g1f3", "d7d6", "d2d4", 2, "b8c6", "f1b5", 4, "e7e6", "d2d4"]
AFTER_NF3 = ["d7d6", "d2d4", 2, "b8c6", "f1b5"]


async def begun(node, variants, **terms):
    """1. e4, in a correspondence game: Black is to move. Its id and both players at the board."""
    game, white, black = await node.pair(variants, **{"control": DAYS, **terms})
    assert (await white.move("e2e4", 0))["t"] == "ok"
    return game, white, black


async def prepare(client, written=SICILIAN, ply=1):
    return await client.ask("conditional", ply=ply, steps=written)


async def test_the_owner_alone_hears_of_conditional_moves(node, variants):
    game, white, black = await begun(node, variants)
    other_tab, watcher = await node.seat(game, WHITE), await node.seat(game, None)
    for client in (white, other_tab, black, watcher):
        client.read()
    v = white.last("moved")["v"]
    assert await prepare(white) == {"t": "ok", "id": white.last("ok")["id"], "v": v}
    assert [white.last("conditional"), other_tab.last("conditional")] == [{"t": "conditional", "steps": SICILIAN}] * 2
    assert (black.read(), watcher.read()) == ([], [])
    for reader, seen in ((WHITE, SICILIAN), (BLACK, None), (None, None)):
        snapshot = (await Client(node, reader).hi(game))[0]
        assert (snapshot["v"], snapshot.get("conditional")) == (v, seen)


async def test_nothing_of_them_reaches_the_opponent_or_a_watcher_before_they_are_played(node, variants):
    game, white, black = await begun(node, variants)
    watcher = await node.seat(game, None)
    await prepare(white)
    await black.ask("offer", kind="draw")
    await black.move("c7c5", 1)
    seen = json.dumps([black.got, watcher.got])
    assert "conditional" not in seen
    assert not any(move in seen for move in ("d2d4", "f1b5", '"d7d6"'))


async def test_a_move_and_its_answer_are_shown_to_all_in_order_and_stored_at_once(node, store, clock, variants):
    game, white, black = await begun(node, variants)
    watcher = await node.seat(game, None)
    await prepare(white)
    revision = store.games[game].rev
    clock.turn(DAY_MS)
    assert (await black.move("c7c5", 1))["t"] == "ok"
    assert (store.games[game].rev, len(store.games[game].plies)) == (revision + 1, 3)
    for client in (white, black, watcher):
        mine, answer = client.all("moved")[-2:]
        assert [(one["uci"], one["ply"], one["fen"].split(" ")[1]) for one in (mine, answer)] == [
            ("c7c5", 1, "w"),
            ("g1f3", 2, "b"),
        ]
        assert answer["v"] == mine["v"] + 1
        assert ("legal" in mine, "legal" in answer) == (False, client is black)
        assert (answer["clock"]["run"], answer["clock"]["black"]) == ("black", 3 * DAY_MS)
    assert white.got[-1] == {"t": "conditional", "steps": AFTER_NF3}
    assert black.last("conditional") is watcher.last("conditional") is None


async def test_a_move_off_the_tree_tells_the_owner_that_it_is_dropped(node, store, variants):
    game, white, black = await begun(node, variants)
    await prepare(white)
    await black.move("e7e5", 1)
    assert white.last("conditional") == {"t": "conditional", "steps": []}
    assert len(store.games[game].plies) == 2


async def test_only_whoever_is_to_move_in_the_end_is_told_that_it_is_their_turn(node, variants):
    _, white, black = await begun(node, variants)
    await prepare(white)
    before = len(node.published)
    white.close(bye=True)
    await black.move("c7c5", 1)
    turns = [(event.player, event.away) for event in node.published[before:] if isinstance(event, YourTurn)]
    assert turns == [(BLACK, False)]
    await black.move("a7a6", 3)
    turns = [(event.player, event.away) for event in node.published[before:] if isinstance(event, YourTurn)]
    assert turns == [(BLACK, False), (WHITE, True)]


async def test_who_comes_back_gets_their_conditional_moves_as_they_are_now(node, variants):
    game, white, black = await begun(node, variants)
    await prepare(white)
    snapshot, v = white.last("snapshot"), white.last("moved")["v"]
    white.close()
    await black.move("c7c5", 1)
    got = await Client(node, WHITE).hi(game, snapshot["epoch"], v)
    assert [message["t"] for message in got][:3] == ["moved", "moved", "resumed"]
    assert got[2]["conditional"] == AFTER_NF3
    got = await Client(node, BLACK).hi(game, snapshot["epoch"], v)
    assert "conditional" not in next(message for message in got if message["t"] == "resumed")


async def test_a_restart_between_forgets_nothing(node, store, clock, variants):
    game, white, _ = await begun(node, variants)
    await prepare(white)
    store.alive = clock()
    reborn = Node(store, clock)
    await reborn.recover()
    white, black = await reborn.seat(game, WHITE), await reborn.seat(game, BLACK)
    assert white.last("snapshot")["conditional"] == SICILIAN
    await black.move("c7c5", 1)
    assert [ply.uci for ply in store.games[game].plies] == ["e2e4", "c7c5", "g1f3"]


async def test_a_move_whose_answer_was_lost_is_played_and_answered_once(node, store, variants):
    game, white, black = await begun(node, variants)
    await prepare(white)
    store.lose_answers = 1
    black.send("move", uci="c7c5", ply=1)
    await settle()
    with store.outage():
        await node.pass_time(75)
    assert black.last("error")["code"] == "storage"
    assert (await black.move("c7c5", 1))["t"] == "ok"
    assert [ply.uci for ply in store.games[game].plies] == ["e2e4", "c7c5", "g1f3"]
    for client in (white, black):
        assert [one["uci"] for one in client.all("moved")] == ["e2e4", "c7c5", "g1f3"]


async def test_another_process_shows_the_owner_what_was_prepared_here_and_answers_there(nodes, store, variants):
    here, there = nodes
    game, white, _ = await begun(here, variants)
    away, black = await there.seat(game, WHITE), await there.seat(game, BLACK)
    await prepare(white)
    await there.live._look()
    assert away.last("conditional")["steps"] == SICILIAN
    assert black.last("conditional") is None
    await black.move("c7c5", 1)
    await here.live._look()
    assert [move[0] for move in white.last("snapshot")["moves"]] == ["e2e4", "c7c5", "g1f3"]
    assert white.last("snapshot")["conditional"] == AFTER_NF3


async def test_a_process_that_has_not_heard_of_them_answers_all_the_same(nodes, store, variants):
    here, there = nodes
    game, white, _ = await begun(here, variants)
    black = await there.seat(game, BLACK)
    await prepare(white)
    assert (await black.move("c7c5", 1))["t"] == "ok"
    assert [ply.uci for ply in store.games[game].plies] == ["e2e4", "c7c5", "g1f3"]


async def test_saving_nothing_drops_them(node, variants):
    _, white, black = await begun(node, variants)
    await prepare(white)
    assert (await prepare(white, []))["t"] == "ok"
    assert white.last("conditional")["steps"] == []
    await black.move("c7c5", 1)
    assert len(white.all("moved")) == 2


@pytest.mark.parametrize("control", [TimeControl.realtime(300_000, 0), TimeControl.unlimited()])
async def test_other_games_refuse_them(node, variants, control):
    _, white, _ = await begun(node, variants, control=control)
    assert (await prepare(white))["refusal"] == "conditional_not_by_days"


async def test_a_watcher_has_none_and_nobody_prepares_on_their_own_turn_or_for_an_earlier_position(node, variants):
    game, white, black = await begun(node, variants)
    watcher = await node.seat(game, None)
    assert (await prepare(watcher))["code"] == "not_a_player"
    assert (await prepare(black))["refusal"] == "conditional_own_turn"
    assert (await prepare(white, ply=0))["code"] == "stale"
    assert white.last("conditional") is None


async def test_a_move_that_comes_while_they_are_judged_is_not_answered_by_them(node, store, variants):
    game, white, black = await begun(node, variants)
    request = white.send("conditional", ply=1, steps=SICILIAN)
    black.send("move", ply=1, uci="c7c5")
    await settle()
    refused = [message for message in white.read() if message.get("id") == request]
    assert [message["code"] for message in refused] == ["stale"]
    assert len(store.games[game].plies) == 2


@pytest.mark.parametrize(
    ("written", "refusal"),
    [
        (["c7c5"], "conditional_answers"),
        (["c7c5", "e4e5", 1, "g1f3"], "conditional_answers"),
        (["c7c5", "e4c5"], "illegal"),
        (["c7c5", "g1f3", 9], "too_far_back"),
        (["c7c5", "g1f3", 2] * 101, "conditional_too_many"),
    ],
)
async def test_a_tree_with_a_fault_is_refused_and_what_was_prepared_stays(node, variants, written, refusal):
    game, white, _ = await begun(node, variants)
    await prepare(white)
    assert (await prepare(white, written))["refusal"] == refusal
    assert (await Client(node, WHITE).hi(game))[0]["conditional"] == SICILIAN


@pytest.mark.parametrize(
    "written", [[0], [-1], [True], [1.5], [None], ["x" * 13], "c7c5 g1f3", [["c7c5"]], ["c7c5"] * 501]
)
async def test_what_is_no_tree_is_no_message(node, variants, written):
    _, white, _ = await begun(node, variants)
    white.send("conditional", ply=1, steps=written)
    assert white.last("error")["code"] == "bad_message"


async def test_who_has_too_much_judged_must_wait_whichever_tab_it_comes_from(node, clock, variants):
    game, white, _ = await begun(node, variants)
    second = await node.seat(game, WHITE)
    often = rounds.PREPARED_MOVES // (rounds.SAVING_COST + len(SICILIAN))
    answers = [(await prepare((white, second)[number % 2]))["t"] for number in range(often + 1)]
    assert answers == ["ok"] * often + ["error"]
    assert (second.last("error") or white.last("error"))["code"] == "rate"
    clock.turn(rounds.MINUTE_MS)
    assert (await prepare(second))["t"] == "ok"


def test_a_tree_is_judged_with_a_pause_after_each_move():
    game = moved(live_game(control=DAYS), "e2e4")
    assert len(list(judge_tree(game.position, SICILIAN))) == sum(isinstance(step, str) for step in SICILIAN)
