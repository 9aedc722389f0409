"""One heap for all deadlines; the queue; measuring lag."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.play.command_queue import Busy, CommandQueue
from server.realtime.play.round_subscribers import LagMeter
from server.realtime.runtime.timers import Timers
from tests.support.patience import PATIENCE_S
from tests.support.realtime.hand_clock import HandClock, settle


@pytest.fixture
def timers(clock):
    return Timers(clock)


def test_timers_fire_in_order_and_once(timers, clock):
    fired = []
    for name, delay in (("b", 20), ("a", 10), ("c", 30)):
        timers.set(name, clock() + delay, lambda name=name: fired.append(name))
    assert timers.fire_due() == clock() + 10
    clock.turn(20)
    assert timers.fire_due() == clock() + 10
    assert fired == ["a", "b"]
    clock.turn(100)
    assert timers.fire_due() is None
    assert fired == ["a", "b", "c"]


def test_setting_a_timer_again_replaces_it_and_clearing_removes_it(timers, clock):
    fired = []
    timers.set("x", clock() + 10, lambda: fired.append("early"))
    timers.set("x", clock() + 50, lambda: fired.append("late"))
    timers.set("y", clock() + 10, lambda: fired.append("y"))
    timers.clear("y")
    timers.clear("never set")
    clock.turn(10)
    timers.fire_due()
    assert fired == []
    clock.turn(40)
    timers.fire_due()
    assert fired == ["late"]
    assert len(timers) == 0


def test_a_failing_timer_does_not_stop_the_others(timers, clock, caplog):
    fired = []
    timers.set("bad", clock(), lambda: 1 // 0)
    timers.set("good", clock(), lambda: fired.append("good"))
    timers.fire_due()
    assert fired == ["good"]
    assert "ZeroDivisionError" in caplog.text


def test_cleared_timers_do_not_pile_up(timers, clock):
    for number in range(10_000):
        timers.set("flag", clock() + 600_000 + number, lambda: None)
    assert len(timers._heap) < 200


async def test_a_sooner_timer_wakes_the_task(clock):
    real = Timers(lambda: int(asyncio.get_running_loop().time() * 1000))
    running = asyncio.create_task(real.run())
    await asyncio.sleep(0)
    fired = asyncio.Event()
    real.set("soon", int(asyncio.get_running_loop().time() * 1000) + 10, fired.set)
    async with asyncio.timeout(PATIENCE_S):
        await fired.wait()
    running.cancel()


async def test_the_queue_runs_commands_one_at_a_time(clock):
    queue, order = CommandQueue(4), []

    async def pass_through(name):
        async with queue:
            order.append(name)
            await asyncio.sleep(0)
            order.append(name)

    await asyncio.gather(*(pass_through(name) for name in "abc"))
    assert order == list("aabbcc")
    assert not queue.running


async def test_a_full_queue_refuses_commands():
    queue = CommandQueue(2)
    heard = []

    async def pass_through(name, gate):
        try:
            async with queue:
                heard.append(f"{name} in")
                await gate.wait()
        except Busy:
            heard.append(f"{name} busy")

    gate = asyncio.Event()
    tasks = [asyncio.create_task(pass_through(name, gate)) for name in "abcd"]
    await settle()
    assert heard == ["a in", "d busy"]
    queue.reject_waiting()
    await settle()
    assert heard == ["a in", "d busy", "b busy", "c busy"]
    late = asyncio.create_task(pass_through("e", gate))
    await settle()
    gate.set()
    await asyncio.gather(*tasks, late)
    assert heard[-1] == "e busy"
    await pass_through("f", gate)
    assert heard[-1] == "f in"


async def test_giving_up_waiting_leaves_the_queue_working():
    queue = CommandQueue(4)
    gate = asyncio.Event()
    order = []

    async def pass_through(name):
        async with queue:
            order.append(name)
            await gate.wait()

    tasks = [asyncio.create_task(pass_through(name)) for name in "abc"]
    await settle()
    tasks[1].cancel()
    await settle()
    assert order == ["a"], "who gives up lets nobody in beside the running command"
    gate.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["a", "c"]
    tasks = [asyncio.create_task(pass_through(name)) for name in "de"]
    await asyncio.gather(*tasks)
    assert order == ["a", "c", "d", "e"]


async def test_who_gives_up_as_their_turn_comes_passes_it_on():
    queue, order = CommandQueue(4), []

    async def pass_through(name):
        async with queue:
            order.append(name)

    async with queue:
        tasks = [asyncio.create_task(pass_through(name)) for name in "ab"]
        await settle()
    tasks[0].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["b"]
    assert not queue.running


def measured(delays):
    meter, clock = LagMeter(), HandClock()
    for delay in delays:
        payload = meter.ping(clock(), False)
        clock.turn(delay)
        meter.pong(payload, clock())
    return meter


@pytest.mark.parametrize(
    ("delays", "rtt"),
    [
        ([], 0),
        ([100, 100], 0),
        ([100, 300, 200], 200),
        ([900, 900, 900], 500),
        ([10, 20, 30, 40, 50, 60, 70], 50),
    ],
)
def test_lag_is_the_median_of_the_last_five(delays, rtt):
    assert measured(delays).rtt == rtt


def test_a_pong_counts_once_and_only_for_a_ping():
    meter = measured([40, 40])
    meter.pong("0123456789abcdef", 10)
    assert meter.rtt == 0
    payload = meter.ping(0, False)
    meter.pong(payload, 40)
    for _ in range(4):
        meter.pong(payload, 10_000)
    assert meter.rtt == 40


def test_a_client_is_asked_at_once_until_its_lag_is_known_and_once_a_second_from_then_on():
    meter = LagMeter()
    payloads = []
    while meter.is_due(0):
        payloads.append(meter.ping(0, False))
    assert len(payloads) == 3
    for payload in payloads:
        meter.pong(payload, 200)
    assert meter.rtt == 200
    assert not meter.is_due(999)
    assert meter.is_due(1_000)


def test_who_is_slow_on_their_own_turns_alone_is_found_and_judged_anew():
    def judged(own, others):
        meter, clock = LagMeter(), HandClock()
        for turn in range(40):
            payload = meter.ping(clock(), turn % 2 == 0)
            clock.turn(others if turn % 2 else own)
            meter.pong(payload, clock())
        return meter

    found = judged(own=220, others=20)
    assert found.take_own_turn_delay() == 200
    assert found.take_own_turn_delay() is None
    assert judged(own=20, others=220).take_own_turn_delay() is None
    assert judged(own=169, others=20).take_own_turn_delay() is None


async def test_measured_lag_is_given_back_and_shown(node, clock, variants):
    _, white, black = await node.opened(variants, control=TimeControl.realtime(300_000, 0))
    feed = node.rounds.in_memory(white.last("snapshot")["game"]).feed
    white.read()
    for _ in range(5):
        clock.turn(2_500)
        feed.ping_players(clock())
        pings = [message["p"] for message in white.read() if message["t"] == "ping"]
        clock.turn(200)
        for payload in pings:
            white.send("pong", p=payload)
    await node.tick(3_000)
    feed.ping_players(clock())
    assert black.last("crowd")["white"]["lag"] == 200
    await white.move("g1f3", 2)
    assert black.last("moved")["lag"] == 200


async def test_a_game_that_ends_while_its_deadline_is_checked_is_not_logged(node, store, clock, variants, caplog):
    game, _, _ = await node.opened(variants, control=TimeControl.realtime(60_000, 0))
    caplog.set_level("INFO", "server.realtime.play.rounds")
    store.hold = asyncio.Event()
    clock.turn(62_000)
    node.live.services.timers.fire_due()
    looking = asyncio.create_task(node.rounds.check_deadlines())
    await settle()
    store.hold.set()
    await looking
    assert store.games[game].outcome.reason == "time"
    assert "its deadline has passed" not in caplog.text
