"""The database is killed in mid-write: whatever a store had acknowledged is there afterwards, and nothing is torn."""

import asyncio
from contextlib import suppress

import pytest

from server.storage.errors import StoreError
from tests.support.storage.engines import MongoPlace
from tests.support.storage.secantus import Secantus
from tests.support.storage.stored_games import game_called, random_steps

pytestmark = pytest.mark.slow
KILLS, GAMES, ENOUGH = 3, 8, 60
"""It is killed when so many moves are acknowledged."""


@pytest.fixture
def secantus(tmp_path):
    server = Secantus(tmp_path / "wiredtiger")
    server.start()
    yield server
    server.kill()


async def save_until(over, store, steps, acknowledged, more):
    """Saves one step after the other until `over`; notes each that was acknowledged, and calls `more`."""
    before = steps[0]
    with suppress(StoreError):
        await store.create(before)
        acknowledged.append(before)
        for after in steps[1:]:
            if over.is_set():
                return
            await store.save(before, after)
            acknowledged.append(after)
            before = after
            more()


async def test_what_was_acknowledged_outlives_a_database_that_was_killed_in_mid_write(secantus):
    place = MongoPlace(secantus.uri)
    store = await place.open()
    for kill in range(KILLS):
        played = [
            random_steps(game_called(f"k{kill}g{number}"), 80, seed=kill * GAMES + number) for number in range(GAMES)
        ]
        ledgers, enough, over = [[] for _ in played], asyncio.Semaphore(0), asyncio.Event()
        saving = [
            asyncio.create_task(save_until(over, store, steps, ledger, enough.release))
            for steps, ledger in zip(played, ledgers, strict=True)
        ]
        for _ in range(ENOUGH):
            await enough.acquire()
        secantus.kill()
        over.set()
        # Started while the driver still tries: giving up takes a store twice the driver's three seconds.
        await asyncio.to_thread(secantus.start)
        await asyncio.gather(*saving)
        for steps, ledger in zip(played, ledgers, strict=True):
            found = await store.load(steps[0].id)
            assert found in steps[max(0, len(ledger) - 1) :] or not ledger
    await place.leave()
