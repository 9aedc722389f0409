"""Work that is done once for all who ask for it while it is under way."""

import asyncio
import gc

import pytest

from server.realtime.runtime.background import SingleFlight
from tests.support.realtime.hand_clock import settle


@pytest.fixture
def flight():
    return SingleFlight()


@pytest.fixture
def work():
    return Work()


class Work:
    """Ends when it is told to, and counts how often it was begun."""

    def __init__(self):
        self.begun = 0
        self.goes_on = asyncio.Event()

    async def __call__(self):
        self.begun += 1
        number = self.begun
        await self.goes_on.wait()
        return number

    async def fail(self):
        await self()
        raise LookupError


async def asked(flight, work):
    task = asyncio.create_task(flight.do("key", work))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def test_simultaneous_callers_share_one_result(flight, work):
    asking = [await asked(flight, work) for _ in range(3)]
    work.goes_on.set()
    assert await asyncio.gather(*asking) == [1, 1, 1]
    assert await flight.do("key", work) == 2, "what is done is not kept"
    assert len(flight) == 0


async def test_a_caller_after_it_was_forgotten_starts_it_again(flight, work):
    before = await asked(flight, work)
    flight.forget("key")
    after = await asked(flight, work)
    work.goes_on.set()
    assert await asyncio.gather(before, after) == [1, 2]
    assert len(flight) == 0


async def test_one_caller_giving_up_does_not_stop_it_for_others(flight, work):
    first, second = [await asked(flight, work) for _ in range(2)]
    first.cancel()
    work.goes_on.set()
    assert await second == 1


async def test_a_failure_nobody_waits_for_is_not_logged(flight, work):
    logged = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context["message"]))
    caller = await asked(flight, work.fail)
    caller.cancel()
    await settle()
    # Its traceback knows what it waited for.
    del caller
    work.goes_on.set()
    await settle()
    assert len(flight) == 0
    gc.collect()
    assert logged == []


async def test_every_caller_hears_that_it_failed(flight, work):
    asking = [await asked(flight, work.fail) for _ in range(2)]
    work.goes_on.set()
    assert [type(one) for one in await asyncio.gather(*asking, return_exceptions=True)] == [LookupError] * 2
