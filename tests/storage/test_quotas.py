"""Whatever the order in which the steps of several requests reach the store: nobody has more than they may have, and
nobody is refused what there is room for.
"""

import asyncio
import random
from collections import defaultdict

import pytest

from server.games.people import MAX_TIES, Tie, TieKind
from server.games.player import Player
from server.storage.damage import Damage
from server.storage.tables.quotas import KEPT_MS, QUOTAS, QuotaStore
from server.storage.tables.table import KEY, Table
from server.storage.tables.ties import TIES, TieStore, key_of
from tests.support.storage.memory_table import MemoryTables

MOST = 3
NOW = 1_700_000_000_000


class Mixed:
    """A store in memory: before each step others may take several of theirs. `stop`: so many more steps are taken."""

    def __init__(self, rng):
        self.rng, self.stop, self.kept = rng, None, defaultdict(dict)

    async def _reach(self):
        for _ in range(self.rng.randrange(4)):
            await asyncio.sleep(0)
        if self.stop is not None:
            self.stop -= 1
            if self.stop < 0:
                await asyncio.Future()

    def _written(self):
        """Nothing fails after it was written."""

    def table(self, kind):
        return Table(MemoryTables(self), Damage(), kind)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setitem(MAX_TIES, TieKind.FOLLOWS, MOST)


def ties_of(store):
    return TieStore(store.table(TIES), store.table(QUOTAS))


def follows(whom, rng):
    """Clocks of nodes differ, so what is made later may say that it was earlier."""
    return Tie("anna", TieKind.FOLLOWS, Player(whom, whom), NOW + rng.randrange(5))


def standing(store):
    return {row["other"] for row in store.kept[TIES.name].values()}


@pytest.mark.parametrize("before", [0, 2, MOST, MOST + 2])
async def test_of_many_at_once_as_many_stand_as_may(before, seed, scale):
    for number in range(scale(2_000)):
        rng = random.Random(f"{seed} {number}")
        store = Mixed(rng)
        for one in range(before):  # of an earlier release, which noted no places and could let in too many
            store.kept[TIES.name][key_of("anna", "follows", f"old{one}")] = {
                KEY: key_of("anna", "follows", f"old{one}"),
                "owner": "anna",
                "kind": "follows",
                "other": f"old{one}",
                "name": "",
                "at": NOW - 9,
            }
        whom = [f"new{one}" for one in range(rng.randrange(1, MOST + 5))]
        kept = await asyncio.gather(*(ties_of(store).keep(follows(one, rng)) for one in whom))
        there = {f"old{one}" for one in range(before)}
        assert standing(store) == there | {one for one, stands in zip(whom, kept, strict=True) if stands}
        assert sum(kept) == max(0, min(MOST - before, len(whom)))


async def test_who_removes_and_adds_meanwhile_never_has_too_many(seed, scale):
    for number in range(scale(2_000)):
        rng = random.Random(f"{seed} {number}")
        store, admitted = Mixed(rng), set()

        async def act(whom, rng=rng, store=store, admitted=admitted):
            store = ties_of(store)
            for _ in range(rng.randrange(1, 4)):
                if whom in admitted:
                    admitted.discard(whom)
                    await store.remove("anna", TieKind.FOLLOWS, whom)
                elif await store.keep(follows(whom, rng)):
                    admitted.add(whom)
                assert len(admitted) <= MOST

        await asyncio.gather(*(act(f"{one}") for one in range(MOST + 4)))
        assert standing(store) == admitted
        rest = [ties_of(store).keep(follows(f"more{one}", rng)) for one in range(MOST + 1)]
        assert sum(await asyncio.gather(*rest)) == MOST - len(admitted), "every place that is free is given"


async def test_what_a_crash_leaves_takes_the_next_place(seed):
    for stop in range(1, 5):
        rng = random.Random(f"{seed} {stop}")
        store = Mixed(rng)
        for one in range(MOST):
            assert await ties_of(store).keep(follows(f"{one}", rng))
        store.stop = stop
        dies = asyncio.create_task(ties_of(store).keep(follows("left", rng)))
        for _ in range(100):
            await asyncio.sleep(0)
        dies.cancel()
        store.stop = None
        assert len(standing(store)) <= MOST + 1
        assert not await ties_of(store).keep(follows("another", rng))
        for one in range(len(standing(store)) - MOST + 1):
            await ties_of(store).remove("anna", TieKind.FOLLOWS, f"{one}")
        assert await ties_of(store).keep(follows("another", rng))
        assert not await ties_of(store).keep(follows("one more", rng))


async def test_places_are_forgotten_and_what_stands_still_counts(seed):
    rng = random.Random(seed)
    store = Mixed(rng)
    quotas = QuotaStore(store.table(QUOTAS))
    for one in range(MOST):
        assert await ties_of(store).keep(follows(f"{one}", rng))
    await quotas.expire(NOW + KEPT_MS - 1)
    assert store.kept[QUOTAS.name]
    await quotas.expire(NOW + KEPT_MS + 9)
    assert not store.kept[QUOTAS.name]
    another = Tie("anna", TieKind.FOLLOWS, Player("another", "Another"), NOW + KEPT_MS)
    assert not await ties_of(store).keep(another)
