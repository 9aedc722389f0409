"""A write whose answer was lost, and that the store has all the same, is shown once, as what it was."""

from server.realtime.domain_events import GameEnded
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import WHITE

OUTAGE_S = 75
"""Longer than a command waits for the store."""


async def lost(store, node, client, t, **fields):
    """`client` sends a command that is stored without an answer, and is told in the end that it was not saved."""
    store.lose_answers = 1
    request = client.send(t, **fields)
    await settle()
    with store.outage():
        await node.pass_time(OUTAGE_S)
    answer = client.last("error")
    assert (answer["id"], answer["code"]) == (request, "storage")


async def test_a_move_found_by_a_refresh_is_shown_once_when_it_is_sent_again(nodes, store, variants):
    game, white, black = await nodes[0].opened(variants)
    await lost(store, nodes[0], white, "move", uci="g1f3", ply=2)
    await nodes[0].live._look()
    assert black.last("moved")["uci"] == "g1f3"
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert [move["uci"] for move in black.all("moved")] == ["e2e4", "e7e5", "g1f3"]
    assert len(store.games[game].plies) == 3


async def test_an_end_found_by_a_refresh_is_published_once(nodes, store, variants):
    _, white, black = await nodes[0].opened(variants)
    await lost(store, nodes[0], white, "resign")
    for _ in range(2):
        await nodes[0].live._look()
        await nodes[0].tick(3_000)
    assert len(black.all("over")) == 1
    ends = [event for event in nodes[0].published if isinstance(event, GameEnded)]
    assert len(ends) == 1


async def test_another_command_is_not_taken_for_the_one_whose_answer_was_lost(node, store, variants):
    game, white, black = await node.opened(variants)
    await lost(store, node, white, "move", uci="g1f3", ply=2)
    assert (await black.ask("resign"))["t"] == "ok"
    assert [move["uci"] for move in black.all("moved")][-1] == "g1f3"
    assert store.games[game].outcome.reason == "resign"
    assert black.last("over") is not None


async def test_an_offer_whose_answer_was_lost_is_acknowledged_when_it_is_sent_again(node, store, variants):
    _, white, black = await node.opened(variants)
    await lost(store, node, black, "offer", kind="draw")
    assert (await black.ask("offer", kind="draw"))["t"] == "ok"
    assert len(white.all("offered")) == 1


async def test_time_stands_still_for_the_side_to_move_while_an_offer_is_unconfirmed(node, store, clock, variants):
    game, white, black = await node.opened(variants)
    clock.turn(5_000)
    store.lose_answers = 1
    black.send("offer", kind="draw")
    await settle()
    with store.outage():
        await node.pass_time(OUTAGE_S)
    clock.turn(2_000)
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert 292_000 <= store.games[game].plies[2].left_ms <= 295_500


async def test_clocks_run_again_once_another_process_has_stored_a_move(nodes, store, clock, variants):
    here, there = nodes
    game, white, black = await here.opened(variants)
    request = white.send("move", uci="g1f3", ply=2)
    with store.outage():
        await here.pass_time(OUTAGE_S)
    assert white.last("error")["id"] == request
    elsewhere = await there.seat(game, WHITE)
    assert (await elsewhere.move("g1f3", 2))["t"] == "ok"
    await here.live._look()
    clock.turn(5_000)
    assert (await black.move("b8c6", 3))["t"] == "ok"
    assert store.games[game].plies[3].left_ms == 295_000
