"""Writes that take long hold up whoever waits for them, and nobody else: the event loop never sleeps for them.

What is counted is how often the loop's thread went to sleep of its own accord although it had work, by the kernel's
account. That a busy machine lets the thread wait for a processor does not count, so the test says the same there.
"""

import asyncio
import resource
import threading
import time
from types import SimpleNamespace

from pymongo import AsyncMongoClient

from server.storage.mongo.store import MongoStore
from server.storage.sqlite.store import SqliteStore
from tests.support.games import live_game
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import game_called, random_steps

WRITES = 10
TURNS = 20_000
"""Of the loop: a sleep in each millisecond would be fifty or more."""
FEW = 10


async def sleeps_in_turns():
    """How often the loop's thread slept while the loop turned so many times and always had something to do."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    for _ in range(TURNS):
        await asyncio.sleep(0)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before


class SlowGames:
    """Stands for a collection of a database that is far away: no write comes back until `answer` is set."""

    def __init__(self):
        self.begun = asyncio.Semaphore(0)
        self.answer = asyncio.Event()

    async def bulk_write(self, updates, ordered):
        self.begun.release()
        await self.answer.wait()
        return SimpleNamespace(matched_count=len(updates))


async def test_ten_slow_writes_to_mongodb_leave_the_loop_its_turns():
    store = MongoStore(AsyncMongoClient("mongodb://127.0.0.1:1", connect=False), VARIANTS)
    store._games = games = SlowGames()
    writes = []
    for number in range(WRITES):
        before, after = random_steps(game_called(f"game{number}"), 1)
        writes.append(asyncio.create_task(store.save(before, after)))
        async with asyncio.timeout(PATIENCE_S):
            await games.begun.acquire()
    sleeps = await sleeps_in_turns()
    games.answer.set()
    await asyncio.gather(*writes)
    await store.close()
    assert sleeps < FEW


async def test_ten_slow_writes_to_sqlite_leave_the_loop_its_turns(tmp_path):
    store, answer = await SqliteStore.open(tmp_path / "games.sqlite3", VARIANTS), threading.Event()
    try:
        writes = [asyncio.create_task(store._file.write(lambda _: answer.wait())) for _ in range(WRITES)]
        writes.append(asyncio.create_task(store.create(live_game())))
        sleeps = await sleeps_in_turns()
        assert not any(write.done() for write in writes)
        answer.set()
        await asyncio.gather(*writes)
    finally:
        answer.set()
        await store.close()
    assert sleeps < FEW


async def test_a_loop_that_sleeps_in_every_hundredth_turn_is_noticed():
    async def sleep():
        for turn in range(TURNS):
            if turn % 100 == 0:
                time.sleep(0.0001)  # noqa: ASYNC251 - this is what must not be
            await asyncio.sleep(0)

    sleeping = asyncio.create_task(sleep())
    assert await sleeps_in_turns() > FEW
    await sleeping
