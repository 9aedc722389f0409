"""The loop pauses for the thread that writes, if its write takes long. The bench of attacks shows that it is enough."""

import asyncio

import pytest

from server.storage import thread_pauses
from server.storage.thread_pauses import LATE_S, LONGEST_S, SHORTEST_S, pausing_for_thread


@pytest.fixture
def pauses(monkeypatch):
    """How long each of them was."""
    slept = []
    monkeypatch.setattr(thread_pauses, "sleep", slept.append)
    return slept


async def test_the_longer_a_write_takes_the_longer_are_the_pauses(pauses):
    with pausing_for_thread():
        await asyncio.sleep(0.2)
    assert SHORTEST_S <= pauses[0] < pauses[-1] <= LONGEST_S
    assert sum(pauses) < 0.2


async def test_a_quick_write_needs_none(pauses):
    with pausing_for_thread():
        await asyncio.sleep(0)
    await asyncio.sleep(2 * LATE_S)
    assert not pauses


async def test_they_end_with_the_write(pauses):
    with pausing_for_thread():
        await asyncio.sleep(0.05)
    so_far = len(pauses)
    await asyncio.sleep(0.05)
    assert len(pauses) == so_far > 0


async def test_a_write_that_fails_ends_them_too(pauses):
    with pytest.raises(ZeroDivisionError), pausing_for_thread():
        raise ZeroDivisionError
    await asyncio.sleep(2 * LATE_S)
    assert not pauses
