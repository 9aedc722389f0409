"""A server that stalls for a moment: nobody pays for it, and nobody gains by keeping it busy."""

import asyncio
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.clock import MAX_BUSY_MS
from server.games.clocks.time_control import TimeControl
from server.realtime.play.round import Round
from server.realtime.services.recovery import BEAT_S, StallWatchdog
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.node import Node
from tests.support.storage.memory_store import MemoryStore

MINUTE = TimeControl.realtime(60_000, 0)


def stall(node, clock, ms, worked_ms=0):
    """The loop stands still for `ms`, then its timers run, as they do before anything that arrived meanwhile.

    `worked_ms`: so much processor time the process used; with none, the machine had stopped it.
    """
    watchdog = node.live._watchdog
    watchdog._beat_at = clock()
    watchdog._used_s, watchdog._processor_s = 0, lambda: worked_ms / 1000
    node.rounds.stopping = True
    clock.turn(ms + int(BEAT_S * 1_000))
    watchdog._beat()
    node.rounds.stopping = False
    node.live.services.timers.fire_due()


@pytest.mark.row("T9")
async def test_a_stall_is_given_back_before_anything_else_is_decided(node, store, clock, variants):
    game, white, black = await node.opened(variants, control=MINUTE)
    clock.turn(5_000)
    stall(node, clock, 61_000)
    white.send("move", uci="g1f3", ply=2)
    await settle()
    assert white.last("ok") is not None
    assert store.games[game].outcome is None
    assert store.games[game].plies[2].left_ms == 54_900
    told = black.last("clock")
    assert (told["why"], told["clock"]["white"]) == ("stall", 54_900)


@pytest.mark.row("T9")
async def test_a_busy_server_gives_back_two_seconds_per_side_and_game(node, store, clock, variants, caplog):
    game, white, black = await node.opened(variants, control=MINUTE)
    stall(node, clock, 500, worked_ms=450)
    await settle()
    assert white.last("clock")["clock"]["white"] == 59_900
    assert node.live.services.stats.busy_limits == 0
    stall(node, clock, 9_000, worked_ms=9_000)
    await settle()
    assert white.last("clock")["clock"]["white"] == 52_300
    assert node.live.services.stats.busy_limits == 1
    assert f"game {game}: the server was busy on the turns of white" in caplog.text
    told = len(white.all("clock"))
    stall(node, clock, 5_000, worked_ms=5_000)
    assert len(white.all("clock")) == told
    assert node.live.services.stats.busy_limits == 1
    await white.move("g1f3", 2)
    assert store.games[game].clock.busy_ms == (2_000, 0)
    stall(node, clock, 1_000, worked_ms=1_000)
    assert black.last("clock")["clock"]["black"] == 59_900


async def test_a_busy_stall_while_a_command_is_stored_counts_within_the_limit(node, store, clock, variants):
    game, white, _ = await node.opened(variants, control=MINUTE)
    store.hold = asyncio.Event()
    white.send("offer", kind="draw")
    await settle()
    stall(node, clock, 10_000, worked_ms=9_000)
    store.hold.set()
    await settle()
    assert node.rounds.in_memory(game).game.clock.remaining(Color.WHITE, clock()) == 60_000 - 10_100 + 2_000


STALLS = st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 15_000), st.integers(0, 2)), max_size=8)


@pytest.mark.slow
@given(turns=st.lists(STALLS, max_size=8))
def test_keeping_the_server_busy_gains_at_most_two_seconds_in_a_game(turns):
    """Each turn is a list of (time to think, busy stall, commands in between); knights go out and back."""

    async def play_on():
        clock, store = HandClock(), MemoryStore()
        node = Node(store, clock)
        game, white, black = await node.opened(node.live.tv._variants, control=TimeControl.realtime(10_800_000, 0))
        thought = [0, 0]
        for number, turn in enumerate(turns):
            began = clock()
            for thinking, stalled, offers in turn:
                clock.turn(thinking)
                for _ in range(offers):
                    await (white, black)[number % 2].ask("offer", kind="takeback")
                stall(node, clock, stalled, worked_ms=stalled)
            mover, uci = ((white, ("g1f3", "f3g1")), (black, ("g8f6", "f6g8")))[number % 2]
            await mover.move(uci[number // 2 % 2], number + 2)
            thought[number % 2] += clock() - began
        if store.games[game].outcome is None:
            for color in Color:
                charged = 10_800_000 - node.rounds.in_memory(game).game.clock.remaining(color, clock())
                assert thought[color.value] - MAX_BUSY_MS <= charged <= thought[color.value]
        await node.live.services.background.finish(0)

    asyncio.run(play_on())


async def test_a_stall_alone_writes_nothing(node, store, clock, variants):
    game, white, _ = await node.opened(variants, control=MINUTE)
    writes = store.writes
    stall(node, clock, 100_000)
    await settle()
    assert store.writes == writes
    assert white.last("clock")["why"] == "stall"
    await node.tick(59_000)
    assert store.games[game].outcome is None
    await node.tick(1_500)
    assert store.games[game].outcome.reason == "time"


async def test_a_stall_while_a_command_is_stored_is_given_back_after_it(node, store, clock, variants):
    game, white, black = await node.opened(variants, control=MINUTE)
    store.hold = asyncio.Event()
    white.send("offer", kind="draw")
    await settle()
    stall(node, clock, 10_000)
    store.hold.set()
    await settle()
    assert black.last("offered") is not None
    assert node.rounds.in_memory(game).game.clock.remaining(Color.WHITE, clock()) == 59_900


@pytest.mark.row("T9")
async def test_a_stall_while_the_store_is_away_is_given_back_once(node, store, clock, variants):
    game, white, _ = await node.opened(variants, control=MINUTE)
    await node.pass_time(20)
    with store.outage():
        white.send("offer", kind="draw")
        await settle()
        stall(node, clock, 3_000)
    await node.pass_time(1)
    assert white.last("offered") is not None
    assert node.rounds.in_memory(game).game.clock.remaining(Color.WHITE, clock()) == 40_000


@pytest.mark.row("T9")
async def test_a_stall_while_another_is_given_back_is_given_back_too(node, clock, variants, monkeypatch):
    await node.opened(variants, control=MINUTE)
    watchdog = node.live._watchdog
    watchdog.start()
    stood = []
    monkeypatch.setattr(Round, "credit_stall", lambda self, ms, busy: (stood.append(ms), clock.turn(5_000)))
    for stalled in (1_000, 0):
        clock.turn(stalled + int(BEAT_S * 1_000))
        watchdog._beat()
    assert stood == [1_000, 5_000]


async def test_a_game_that_cannot_be_given_its_time_back_costs_the_others_nothing(node, clock, variants, monkeypatch):
    broken, _, _ = await node.opened(variants, control=MINUTE)
    await node.opened(variants, control=MINUTE)
    stood, watched = [], []

    def credit_stall(self, ms, busy):
        if self.game.id == broken:
            raise RuntimeError("a defect of one game")
        stood.append(ms)

    monkeypatch.setattr(Round, "credit_stall", credit_stall)
    monkeypatch.setattr(StallWatchdog, "_watch_from", lambda self, now: watched.append(now))
    watchdog = node.live._watchdog
    watchdog._beat_at = clock()
    clock.turn(1_000 + int(BEAT_S * 1_000))
    watchdog._beat()
    assert (stood, watched) == ([1_000], [clock()])


@pytest.mark.row("S4")
async def test_a_short_stall_is_logged_but_not_announced(node, clock, variants, caplog):
    caplog.set_level(logging.DEBUG, "server.realtime.services.recovery")
    _, white, _ = await node.opened(variants, control=MINUTE)
    stall(node, clock, 100)
    assert not caplog.messages
    stall(node, clock, 101)
    await settle()
    assert caplog.messages == ["the server stood still for 101 ms"]
    assert caplog.records[0].levelname == "DEBUG"
    assert node.live.services.stats.stalls == 1
    assert [told["why"] for told in white.all("clock")] == ["begin"]
