"""Long work in slices: an iteration of the event loop runs one, whoever asked for it."""

import asyncio

import pytest

from server.storage import time_slices
from server.storage.time_slices import run_sliced


@pytest.fixture
async def rounds():
    """How many rounds of the event loop there have been so far."""
    number = 0

    async def count():
        nonlocal number
        while True:
            number += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    yield lambda: number
    counting.cancel()


async def test_simultaneous_long_works_take_their_steps_in_different_iterations(rounds, monkeypatch):
    # Each look at the clock is a tick of it, and a step lasts for one.
    monkeypatch.setattr(time_slices, "perf_counter", iter(range(1_000_000)).__next__)
    monkeypatch.setattr(time_slices, "SLICE_S", 2)
    taken = []

    def work(name):
        for _ in range(5):
            taken.append(rounds())
            yield
        return name

    assert await asyncio.gather(*(run_sliced(work(name)) for name in "abc")) == ["a", "b", "c"]
    assert len(taken) == 15
    assert len(set(taken)) == 15


async def test_short_works_take_an_iteration_each_too(rounds):
    taken = []

    def work():
        taken.append(rounds())
        yield

    await asyncio.gather(*(run_sliced(work()) for _ in range(10)))
    assert len(set(taken)) == 10
