"""Adjourning a game and resuming it, as the players' pages see it."""

from server.games.clocks.time_control import DAY_MS
from tests.support.realtime.node import BLACK, WHITE, Node


async def put_off(node, variants):
    """Both have moved, and agree to adjourn. Returns the game's id and both clients."""
    game, white, black = await node.opened(variants)
    assert (await white.ask("offer", kind="adjourn"))["t"] == "ok"
    black.read()
    assert (await black.ask("accept", offer=black.last("offered")["offer"]))["t"] == "ok"
    white.read()
    return game, white, black


async def test_everybody_sees_that_a_game_is_adjourned(node, clock, variants):
    game, white, _black = await put_off(node, variants)
    told = white.last("adjourned")
    assert told["adjourned"] == {"at": clock()}
    assert told["clock"]["paused"] == "adjourned"
    assert (await white.ask("move", uci="g1f3", ply=2))["code"] == "not_allowed"
    again = await node.seat(game, WHITE)
    snapshot = again.last("snapshot")
    assert (snapshot["status"], snapshot["adjourned"], "legal" in snapshot) == ("adjourned", {"at": clock()}, False)


async def test_an_adjourned_game_goes_on_when_both_are_here_and_ready(node, store, variants):
    game, white, black = await put_off(node, variants)
    await node.tick(60_000)
    assert (await white.ask("ready"))["t"] == "ok"
    assert store.games[game].adjourned is not None
    await black.ask("ready")
    await node.tick()
    white.read()
    assert white.last("clock")["why"] == "resumed"
    assert "g1f3" in white.last("clock")["legal"]
    black.read()
    assert "legal" not in black.last("clock")
    assert store.games[game].adjourned is None
    assert (await white.ask("move", uci="g1f3", ply=2))["t"] == "ok"


async def test_a_player_who_is_ready_and_leaves_is_waited_for(node, store, clock, variants):
    game, white, black = await put_off(node, variants)
    await white.ask("ready")
    white.close(bye=True)
    await node.tick(DAY_MS)
    await black.ask("ready")
    await node.tick(DAY_MS)
    assert store.games[game].adjourned is not None
    before = store.games[game].clock.left_ms
    back = await node.seat(game, WHITE)
    await node.tick()
    back.read()
    assert back.last("clock")["why"] == "resumed"
    assert store.games[game].clock.left_ms == before


async def test_a_restart_does_not_resume_an_adjourned_game(node, store, clock, variants):
    game, _, _ = await put_off(node, variants)
    store.alive = clock() - 1_000
    await node.live.services.background.finish(0)
    clock.turn(60_000)
    reborn = Node(store, clock)
    await reborn.recover()
    assert len(reborn.rounds) == 0
    white = await reborn.seat(game, WHITE)
    await reborn.seat(game, BLACK)
    await reborn.tick(120_000)
    white.read()
    assert white.last("clock") is None
    assert store.games[game].adjourned is not None


async def test_a_claim_after_two_weeks_does_not_need_the_opponent_absent(node, store, variants):
    game, white, _black = await put_off(node, variants)
    await white.ask("ready")
    assert (await white.ask("claim", result="win"))["code"] == "not_allowed"
    assert white.last("adjourned")["adjourned"]["claim"][0] == "white"
    await node.tick(14 * DAY_MS)
    assert (await white.ask("claim", result="win"))["t"] == "ok"
    assert store.games[game].outcome.reason == "left"
