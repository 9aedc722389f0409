"""A live game against the computer: its opponent's connection plays for it, and nobody else's can."""

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.terms import Terms
from server.realtime.play.creation import create_against_computer
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK as STRANGER
from tests.support.realtime.node import FIVE_MINUTES, WHITE, Node
from tests.support.rules.built_in import VARIANTS

FOR_COMPUTER = [
    ("move", {"uci": "e7e5", "ply": 1}),
    ("resign", {}),
    ("accept", {"offer": 1}),
    ("decline", {"offer": 1}),
]
"""What its opponent's page may send for it."""
HOUR_MS = 3_600_000


async def begun(node, control=None):
    """Wanda plays White against the computer: (id, her tab)."""
    chosen = VARIANTS["chess"]
    terms = Terms(chosen, False, chosen.start_fen, control or TimeControl.unlimited(), rated=False)
    game = await create_against_computer(node.rounds.services, terms, WHITE, Color.WHITE, 3)
    return game.id, await node.seat(game.id, WHITE)


async def test_its_opponent_plays_both_sides_each_as_itself(node, store):
    game, white = await begun(node)
    assert white.last("snapshot")["black"] == {"id": "", "name": "Computer (level 3)", "level": 3}
    assert (await white.move("e2e4", 0))["t"] == "ok"
    assert (await white.move("e7e5", 1))["code"] == "not_your_turn"
    assert (await white.ask("move", uci="e7e5", ply=1, computer=1))["t"] == "ok"
    assert (await white.ask("move", uci="g1f3", ply=2, computer=1))["code"] == "not_your_turn"
    assert [ply.uci for ply in store.games[game].plies] == ["e2e4", "e7e5"]


@pytest.mark.parametrize(("t", "fields"), FOR_COMPUTER, ids=[t for t, _ in FOR_COMPUTER])
async def test_nobody_else_acts_for_it(node, t, fields):
    game, white = await begun(node)
    await white.move("e2e4", 0)
    watcher, stranger = Client(node, None), Client(node, STRANGER)
    for other in (watcher, stranger):
        await other.hi(game)
        assert (await other.ask(t, **fields, computer=1))["code"] == "not_a_player"


@pytest.mark.parametrize(("t", "fields"), FOR_COMPUTER, ids=[t for t, _ in FOR_COMPUTER])
async def test_no_person_acts_for_another(node, store, variants, t, fields):
    game, white, black = await node.pair(variants)
    await white.move("e2e4", 0)
    before = store.games[game]
    for person in (white, black):
        answer = await person.ask(t, **fields, computer=1)
        assert (answer["code"], answer["refusal"]) == ("not_allowed", "not_for_computer")
    assert store.games[game] is before


@pytest.mark.parametrize("t", ["offer", "abort", "claim", "ready", "chat"])
async def test_it_does_nothing_else(node, t):
    _, white = await begun(node)
    fields = {"offer": {"kind": "draw"}, "claim": {"result": "win"}, "chat": {"text": "Hello"}}.get(t, {})
    white.send(t, **fields, computer=1)
    await settle()
    assert white.last("error")["code"] == "bad_message"


async def test_its_moves_are_judged_as_any(node):
    _, white = await begun(node)
    await white.move("e2e4", 0)
    assert (await white.ask("move", uci="e7e4", ply=1, computer=1))["code"] == "illegal"


async def test_takeback_and_rematch_come_at_once(node):
    _, white = await begun(node)
    await white.move("e2e4", 0)
    await white.ask("offer", kind="takeback")
    assert white.last("took_back")["plies"] == 0
    await white.ask("resign", computer=1)
    assert white.last("over")["ended"] == {"result": "1-0", "winner": "white", "reason": "resign"}
    await white.ask("offer", kind="rematch")
    rematch = await node.rounds.get(white.last("rematch")["next"])
    assert (rematch.game.computer, rematch.game.black) == (Color.WHITE, WHITE)


async def test_it_answers_an_offer_of_a_draw_as_its_page_thinks(node):
    _, white = await begun(node)
    await white.move("e2e4", 0)
    await white.ask("move", uci="e7e5", ply=1, computer=1)
    await white.ask("offer", kind="draw")
    await white.ask("decline", offer=1, computer=1)
    assert white.last("offer_closed")["how"] == "declined"
    await white.move("g1f3", 2)
    await white.ask("offer", kind="draw")
    await white.ask("accept", offer=2, computer=1)
    assert white.last("over")["ended"]["reason"] == "agreement"


async def test_a_closed_page_resumes_where_it_stood(node, store):
    game, white = await begun(node, FIVE_MINUTES)
    await white.move("e2e4", 0)
    await white.ask("move", uci="e7e5", ply=1, computer=1)
    await white.move("g1f3", 2)
    white.close(bye=True)
    for _ in range(30):
        await node.tick(HOUR_MS)
    again = await node.seat(game, WHITE)
    shown = again.last("snapshot")
    assert (shown["status"], shown["turn"], shown["clock"]["run"]) == ("live", "black", "black")
    assert shown["clock"]["black"] == 300_000 - 15_000
    assert (await again.ask("move", uci="b8c6", ply=3, computer=1))["t"] == "ok"


async def test_nobody_can_claim_that_it_has_left(node):
    _, white = await begun(node, FIVE_MINUTES)
    await white.move("e2e4", 0)
    await white.ask("move", uci="e7e5", ply=1, computer=1)
    await node.tick(HOUR_MS // 60)
    assert "claim_in" not in white.last("crowd")["black"]
    assert (await white.ask("claim", result="win"))["refusal"] == "opponent_here"


async def test_after_a_restart_its_clock_goes_on_as_soon_as_its_opponent_is_there(node, store, clock):
    game, white = await begun(node, FIVE_MINUTES)
    await white.move("e2e4", 0)
    await white.ask("move", uci="e7e5", ply=1, computer=1)
    store.alive = clock() - 1_000
    await node.live.services.background.finish(0)
    clock.turn(60_000)
    reborn = Node(store, clock)
    await reborn.recover()
    assert store.games[game].clock.paused_at is not None
    back = await reborn.seat(game, WHITE)
    await reborn.tick(1)
    assert back.last("clock")["why"] == "resumed"


async def test_nobody_is_told_elsewhere_that_it_is_their_turn(node):
    _, white = await begun(node)
    node.published.clear()
    await white.move("e2e4", 0)
    white.send("move", uci="e7e5", ply=1, computer=1)
    white.close()
    await settle()
    await node.tick(1_000)
    assert node.published == []
