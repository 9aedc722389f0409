"""Heavy requests take turns: however many come at once, what else is due is done in between."""

import asyncio

import pytest

from server.settings import Settings
from server.web.budgets import heavy
from server.web.budgets.heavy import HeavyWork
from server.web.rendering.problems import Problem
from tests.support.web.budgets import BUDGETS


async def test_only_a_few_heavy_requests_are_under_way_at_once():
    work, under_way, most = HeavyWork(Settings()), 0, 0

    async def request():
        nonlocal under_way, most
        async with work.place(""):
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(request() for _ in range(50)))
    assert most == heavy.MAX_AT_ONCE


async def test_too_many_heavy_requests_are_told_to_retry(monkeypatch):
    monkeypatch.setattr(heavy, "MAX_WAITING", 2)
    work = HeavyWork(Settings())
    holding = [work.place("") for _ in range(heavy.MAX_AT_ONCE)]
    for one in holding:
        await one.__aenter__()
    waiting = [asyncio.create_task(work.place("").__aenter__()) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Problem) as refusal:
        await work.place("").__aenter__()
    assert refusal.value.status == 503
    for one in holding:
        await one.__aexit__(None, None, None)
    await asyncio.gather(*waiting)
    assert len(work._places) == 0


@pytest.mark.parametrize("route", [route for route, budget in BUDGETS.items() if budget.heavy])
def test_nothing_that_waits_for_a_body_keeps_a_place(route):
    assert route.startswith("GET ")


async def test_heavy_requests_of_one_key_wait_only_for_each_other():
    work, order = HeavyWork(Settings()), []

    async def one(key, rounds):
        async with work.alone(key):
            for _ in range(rounds):
                await asyncio.sleep(0)
            order.append(f"{key}{rounds}")

    await asyncio.gather(one("a", 20), one("a", 1), one("b", 2))
    assert order == ["b2", "a20", "a1"]
    assert not work._alone
