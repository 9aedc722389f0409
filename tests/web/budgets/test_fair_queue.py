"""Work that only so much of can go on at a time: networks take turns, and who has most in the queue gives way."""

import asyncio

import pytest

from server.web.budgets.heavy import FairQueue, QueueFull
from tests.support.patience import PATIENCE_S

NEWCOMER, SECOND = "203.0.113.9", "2001:0db8:0001:0002"


class Bench:
    """A queue with one place, which `done` gives to the next one. `order`: who has had it."""

    def __init__(self, most):
        self.queue, self.order, self.next = FairQueue(1, most), [], asyncio.Semaphore(0)

    def ask(self, caller, **how):
        async def work():
            async with self.queue.place(caller, **how):
                self.order.append(caller)
                await self.next.acquire()

        return asyncio.create_task(work())

    async def done(self, times=1):
        for _ in range(times):
            self.next.release()
            for _ in range(6):
                await asyncio.sleep(0)


async def settled():
    for _ in range(6):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "flood",
    [
        ["198.51.100.1"] * 30,
        [f"198.51.100.{n}" for n in range(30)],
        [f"198.51.{n}.1" for n in range(30)],
        [f"2001:0db9:{n:04x}:0001" for n in range(30)],
        ["a session"] * 30,
    ],
    ids=["one address", "one /24", "one /16", "one /32", "one key"],
)
async def test_newcomers_are_served_next_whatever_the_flood(flood):
    bench = Bench(most=8)
    asked = [bench.ask(one) for one in flood]
    await settled()
    newcomers = [bench.ask(NEWCOMER), bench.ask(SECOND)]
    await settled()
    await bench.done(2)
    assert bench.order[1:] == [NEWCOMER, SECOND]
    await bench.done(40)
    ends = await asyncio.gather(*asked, *newcomers, return_exceptions=True)
    assert ends[-2:] == [None, None]
    assert sum(isinstance(one, QueueFull) for one in ends) == len(flood) - 7
    assert len(bench.queue) == 0


async def test_a_flood_that_comes_again_from_everywhere_lets_whoever_was_never_served_in():
    bench = Bench(most=4)
    everywhere = [f"{n}.{n}.{n}.{n}" for n in range(1, 9)]
    for caller in everywhere:
        bench.ask(caller)
        await settled()
        await bench.done()
    flood = [bench.ask(caller) for caller in everywhere]
    await settled()
    newcomer = bench.ask(NEWCOMER)
    await settled()
    await bench.done(2)
    assert bench.order[len(everywhere) + 1] == NEWCOMER
    await bench.done(9)
    assert (await asyncio.gather(newcomer, *flood, return_exceptions=True))[0] is None


async def test_a_key_that_is_no_address_counts_as_one():
    bench = Bench(most=1)
    for caller in ("1.1.1.1", "2.2.2.2"):
        bench.ask(caller)
        await settled()
        await bench.done()
    holder, served = bench.ask("1.1.1.1"), bench.ask("2.2.2.2")
    await settled()
    newcomer = bench.ask("a session")
    await settled()
    await bench.done(2)
    assert [type(one) for one in await asyncio.gather(holder, served, newcomer, return_exceptions=True)] == [
        *(type(None), QueueFull, type(None)),
    ]


async def test_who_is_known_comes_first_and_is_not_turned_away_for_strangers():
    bench = Bench(most=3)
    strangers = [bench.ask(f"{n}.1.1.1") for n in range(1, 9)]
    await settled()
    known = [bench.ask("1.1.1.1", first=True), bench.ask("1.1.1.1", first=True)]
    await settled()
    await bench.done(3)
    assert bench.order[1:3] == ["1.1.1.1"] * 2
    await bench.done(9)
    assert (await asyncio.gather(*known, *strangers, return_exceptions=True))[:2] == [None, None]


async def test_a_place_is_given_back_however_its_holder_ends():
    bench = Bench(most=4)
    holder, waits, follows = (bench.ask(f"{n}.1.1.1") for n in (1, 2, 3))
    await settled()
    waits.cancel()
    holder.cancel()
    await settled()
    assert bench.order == ["1.1.1.1", "3.1.1.1"]
    # Cancelled at the very moment at which it is given the place.
    last = bench.ask("4.1.1.1")
    await settled()
    follows.cancel()
    await asyncio.sleep(0)
    last.cancel()
    await settled()
    final = bench.ask("5.1.1.1")
    await settled()
    assert bench.order[-1] == "5.1.1.1"
    await bench.done()
    await final


async def test_a_cancelled_waiter_blocks_nobody():
    queue = FairQueue(1, 1)
    async with queue.place("holder"):
        cancelled = asyncio.create_task(queue.place("cancelled").__aenter__())
        await settled()
        cancelled.cancel()
    # Its task has not run since, so it still stands in the queue.
    async with asyncio.timeout(PATIENCE_S), queue.place(NEWCOMER):
        pass


async def test_a_cancelled_waiter_is_not_the_one_to_be_turned_away():
    bench = Bench(most=1)
    holder = bench.ask("holder")
    await settled()
    cancelled = asyncio.create_task(bench.queue.place("holder").__aenter__())
    await settled()
    newcomer = bench.ask(NEWCOMER)
    cancelled.cancel()
    await settled()
    await bench.done(2)
    await asyncio.wait_for(asyncio.gather(holder, newcomer), PATIENCE_S)
    assert bench.order == ["holder", NEWCOMER]


FLOOD = [f"{20 + n}.1.1.1" for n in range(30)]
"""Each from a network of its own, so that all have had as little as anybody."""


async def test_a_flood_from_as_many_networks_keeps_out_nobody_who_needs_less():
    bench = Bench(most=8)
    asked = [bench.ask(one, size=1_000) for one in FLOOD[:15]]
    await settled()
    newcomer = bench.ask(NEWCOMER, size=10)
    asked += [bench.ask(one, size=1_000) for one in FLOOD[15:]]
    await settled()
    await bench.done()
    assert bench.order[1:] == [NEWCOMER]
    await bench.done(40)
    await newcomer
    await asyncio.gather(*asked, return_exceptions=True)


async def test_who_stays_is_not_turned_away_and_not_served_before_others():
    bench = Bench(most=8)
    asked = [bench.ask(one, size=10) for one in FLOOD[:15]]
    await settled()
    owner = bench.ask(SECOND, size=1_000, stays=True)
    asked += [bench.ask(one, size=10) for one in FLOOD[15:]]
    await settled()
    await bench.done(40)
    await owner
    assert bench.order[-1] == SECOND
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(one, QueueFull) for one in ends) == len(FLOOD) - 8


async def test_of_all_who_stay_the_last_gives_way():
    bench = Bench(most=3)
    asked = [bench.ask(one, stays=True) for one in FLOOD[:6]]
    await settled()
    await bench.done(10)
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in ends] == [type(None)] * 4 + [QueueFull] * 2
