"""The server's own absence: nobody pays for it on the clock, and everybody is told."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.cluster.bus import GameStored
from server.realtime.cluster.presence import LOST_MS
from server.realtime.live import LivePlay
from server.rules.variant.pieces import Color
from tests.support.patience import PATIENCE_S
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node

MINUTE = TimeControl.realtime(60_000, 0)


async def crash(node, store, clock, seconds):
    """The process dies at once, the last mark being one second old; the next one starts after `seconds`."""
    store.alive = clock() - 1_000
    await node.live.services.background.finish(0)
    clock.turn(seconds * 1_000)
    reborn = Node(store, clock)
    await reborn.recover()
    return reborn


@pytest.mark.row("T4")
@pytest.mark.parametrize("seconds", [1, 60, 3_600])
async def test_a_running_clock_is_stopped_as_of_the_last_heartbeat(node, store, clock, variants, seconds):
    game, _, _ = await node.opened(variants, control=MINUTE)
    clock.turn(10_000)
    reborn = await crash(node, store, clock, seconds)
    stored = store.games[game]
    assert stored.outcome is None
    assert stored.clock.remaining(Color.WHITE, clock()) == 51_000
    assert stored.clock.remaining(Color.BLACK, clock()) == 60_000
    white = await reborn.seat(game, WHITE)
    assert white.last("snapshot")["clock"] == {"white": 51_000, "black": 60_000, "paused": "restart"}


async def test_a_paused_game_goes_on_when_both_are_back(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    reborn = await crash(node, store, clock, 5)
    white = await reborn.seat(game, WHITE)
    await reborn.tick(3_000)
    assert white.last("clock") is None
    await reborn.seat(game, BLACK)
    await reborn.tick()
    assert white.last("clock")["why"] == "resumed"
    assert white.last("clock")["clock"]["run"] == "white"


async def test_a_player_back_alone_sees_when_clocks_start_and_when_they_may_claim(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    reborn = await crash(node, store, clock, 5)
    watcher = await reborn.seat(game, None)
    assert watcher.last("crowd")["resume_in"] == 60_000
    await reborn.tick(10_000)
    white = await reborn.seat(game, WHITE)
    assert white.last("crowd")["resume_in"] == 15_000
    white.close()
    await reborn.tick(5_000)
    white = await reborn.seat(game, WHITE)
    told = white.last("crowd")
    assert (told["resume_in"], "claim_in" in told["black"]) == (10_000, False)
    await reborn.pass_time(11)
    white.read()
    told = white.last("crowd")
    assert ("resume_in" in told, told["black"]["claim_in"]) == (False, LOST_MS - 25_000)


async def test_a_paused_game_goes_on_fifteen_seconds_after_the_first_is_back(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    reborn = await crash(node, store, clock, 5)
    white = await reborn.seat(game, WHITE)
    await reborn.tick(14_999)
    assert white.last("clock") is None
    await reborn.tick(1)
    assert white.last("clock")["clock"]["white"] == 60_000


async def test_a_paused_game_goes_on_a_minute_after_the_start_if_nobody_comes(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    reborn = await crash(node, store, clock, 5)
    await reborn.tick(59_999)
    assert store.games[game].clock.paused_at is not None
    await reborn.tick(1)
    assert store.games[game].clock.paused_at is None
    await reborn.tick(61_000)
    assert store.games[game].outcome.reason == "time"


async def test_a_paused_game_goes_on_after_a_second_crash_if_nobody_comes(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    once = await crash(node, store, clock, 5)
    twice = await crash(once, store, clock, 5)
    await twice.tick(60_000)
    assert store.games[game].clock.paused_at is None
    await twice.tick(61_000)
    assert store.games[game].outcome.reason == "time"


async def test_a_second_crash_while_paused_takes_nothing_either(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=MINUTE)
    clock.turn(10_000)
    once = await crash(node, store, clock, 5)
    clock.turn(7_000)
    twice = await crash(once, store, clock, 5)
    white, black = await twice.seat(game, WHITE), await twice.seat(game, BLACK)
    await twice.tick()
    assert black.last("snapshot" if black.last("clock") is None else "clock")["clock"]["white"] == 51_000
    assert (await white.move("g1f3", 2))["t"] == "ok"


@pytest.mark.row("T12")
async def test_a_correspondence_deadline_moves_only_for_a_long_absence(node, store, clock, variants):
    game, _, _ = await node.opened(variants, control=TimeControl.correspondence(1))
    deadline = store.games[game].deadline
    reborn = await crash(node, store, clock, 60)
    assert store.games[game].deadline == deadline
    await crash(reborn, store, clock, 3_600)
    assert store.games[game].deadline == deadline + 3_601_000


async def test_a_new_store_has_nothing_to_make_up_for(node, store):
    await node.recover()
    assert store.writes == 0


async def test_stopping_finishes_what_is_in_hand_and_says_good_bye(node, store, variants):
    game, white, black = await node.opened(variants)
    store.hold = asyncio.Event()
    request = white.send("move", uci="g1f3", ply=2)
    await settle()
    stopping = asyncio.create_task(node.live.stop())
    await settle()
    late = black.send("resign")
    store.hold.set()
    await stopping
    white.read()
    black.read()
    assert white.last("ok")["id"] == request
    assert [client.last("restart")["within"] for client in (white, black)] == [5_000, 5_000]
    assert (white.code, black.code) == (1012, 1012)
    assert len(store.games[game].plies) == 3
    assert late not in [message.get("id") for message in black.got]
    assert store.games[game].outcome is None


async def test_a_running_server_leaves_marks_and_flags_by_itself(store, variants):
    """The real loops with real time, for a moment."""
    live = LivePlay(store, {})
    await live.start()
    fired = asyncio.Event()
    live.services.timers.set("soon", live.services.now() + 20, fired.set)
    async with asyncio.timeout(PATIENCE_S):
        await fired.wait()
    assert store.alive is not None
    await live.stop()


async def test_notices_about_games_not_in_memory_are_ignored(node, store):
    loads = store.loads
    node.live.others.hear_notice(GameStored("0000000000", 5))
    await settle()
    assert store.loads == loads


async def test_a_notice_brings_what_another_process_stored(node, store, clock, variants):
    game, white, _ = await node.opened(variants)
    other = Node(store, clock)
    far = await other.seat(game, WHITE)
    await far.move("g1f3", 2)
    assert len(white.all("moved")) == 2
    node.live.others.hear_notice(GameStored(game, store.games[game].rev))
    await settle()
    assert white.last("moved")["uci"] == "g1f3"
    assert len(white.all("snapshot")) == 1
