"""How long request handlers hold the event loop is measured step by step, and changes nothing else."""

import asyncio

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from server.web.operation import loop_times
from server.web.operation.loop_times import LoopTime, LoopTimes, Timed, timing


@pytest.fixture(autouse=True)
def compute(monkeypatch):
    """Turns the account of this thread's computing, which stands still otherwise, by so many seconds."""
    spent = [0.0]
    monkeypatch.setattr(loop_times, "thread_time", lambda: sum(spent))
    return spent.append


async def test_longest_step_between_two_awaits_is_the_hold(compute):
    async def in_three_steps():
        for seconds in (1, 4, 2):
            compute(seconds)
            await asyncio.sleep(0)
        return "done"

    hold = LoopTime()
    assert await Timed(in_three_steps(), hold) == "done"
    assert (hold.longest, hold.total) == (4, 7)


async def test_errors_pass_in_both_directions():
    seen = []

    async def fails():
        try:
            await asyncio.wait_for(asyncio.sleep(10), 0.001)
        except TimeoutError as error:
            seen.append(error)
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here"):
        await Timed(fails(), LoopTime())
    assert len(seen) == 1


async def test_cancelled_handler_is_cancelled_where_it_waits():
    cleaned = []

    async def waits():
        try:
            await asyncio.sleep(10)
        finally:
            cleaned.append(True)

    async def handler():
        await Timed(waits(), LoopTime())

    task = asyncio.create_task(handler())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned == [True]


async def test_each_route_has_its_own_figure_and_addresses_that_lead_nowhere_share_one(compute):
    async def page(request):
        if "slow" in request.path:
            compute(3)
        return web.Response()

    times = LoopTimes(LoopTime)
    app = web.Application(middlewares=[timing(times)])
    app.router.add_get("/slow/{name}", page)
    app.router.add_get("/quick", page)
    async with TestClient(TestServer(app)) as http:
        for path in ("/slow/a", "/slow/b", "/quick", "/nowhere", "/nothing"):
            await http.get(path)
    assert set(times) == {"GET /slow/{name}", "GET /quick", "GET none"}
    assert (times["GET /slow/{name}"].longest, times["GET /quick"].longest) == (3, 0)
