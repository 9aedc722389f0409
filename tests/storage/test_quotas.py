"""Whatever the order in which the steps of several requests reach the store: nobody has more than they may have, and
nobody is refused what there is room for.
"""

import asyncio
import random

import pytest

from server.games.people import MAX_TIES, Tie, TieKind
from server.games.player import Player
from server.storage.damage import Damage
from server.storage.tables.quotas import KEPT_MS, QUOTAS, QuotaStore
from server.storage.tables.table import KEY, Table, TableEngine, is_met
from server.storage.tables.ties import TIES, TieStore, key_of

MOST = 3
NOW = 1_700_000_000_000


class MixedTables(TableEngine):
    """Tables in memory; before each step others may take several of theirs. `stop`: so many more steps are taken."""

    def __init__(self, rng, stop=None):
        self.rng, self.stop, self.kept = rng, stop, {}

    async def _turn(self):
        for _ in range(self.rng.randrange(4)):
            await asyncio.sleep(0)
        if self.stop is not None:
            self.stop -= 1
            if self.stop < 0:
                await asyncio.Future()

    def _meant(self, kind, where):
        rows = self.kept.setdefault(kind.name, {})
        return [row for row in rows.values() if all(is_met(one, row[name]) for name, one in where.items())]

    async def write(self, steps, only_if_first):
        """Of several steps each is a turn of its own, as in MongoDB."""
        first = None
        for step in steps:
            await self._turn()
            done = self._carry_out(step)
            first = done if first is None else first
            if only_if_first and not first:
                break
        return first

    def _carry_out(self, step):
        rows, meant = self.kept.setdefault(step.kind.name, {}), self._meant(step.kind, step.where)
        match step.change:
            case "add_if_new" if step.record[KEY] in rows:
                return 0
            case "add" | "add_if_new" | "put":
                rows[step.record[KEY]] = dict(step.record)
                return 1
            case "set":
                for row in meant:
                    row.update(step.record)
            case "delete":
                for row in meant:
                    del rows[row[KEY]]
        return len(meant)

    async def settle(self, mark, steps):
        raise NotImplementedError

    async def find(self, kind, where, order, limit, only):
        await self._turn()
        found = [dict(row) for row in self._meant(kind, where)]
        return sorted(found, key=lambda row: [row[name] for name in order.split()])[: limit or None]

    async def count(self, kind, where):
        raise NotImplementedError

    def table(self, kind):
        return Table(self, Damage(), kind)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setitem(MAX_TIES, TieKind.FOLLOWS, MOST)


def store_of(engine):
    return TieStore(engine.table(TIES), engine.table(QUOTAS))


def follows(whom, rng):
    """Clocks of nodes differ, so what is made later may say that it was earlier."""
    return Tie("anna", TieKind.FOLLOWS, Player(whom, whom), NOW + rng.randrange(5))


def standing(engine):
    return {row["other"] for row in engine.kept.get(TIES.name, {}).values()}


@pytest.mark.parametrize("before", [0, 2, MOST, MOST + 2])
async def test_of_many_at_once_as_many_stand_as_may(before, seed, scale):
    for number in range(scale(2_000)):
        rng = random.Random(f"{seed} {number}")
        engine = MixedTables(rng)
        for one in range(before):  # of an earlier release, which noted no places and could let in too many
            engine.kept.setdefault(TIES.name, {})[key_of("anna", "follows", f"old{one}")] = {
                KEY: key_of("anna", "follows", f"old{one}"),
                "owner": "anna",
                "kind": "follows",
                "other": f"old{one}",
                "name": "",
                "at": NOW - 9,
            }
        whom = [f"new{one}" for one in range(rng.randrange(1, MOST + 5))]
        kept = await asyncio.gather(*(store_of(engine).keep(follows(one, rng)) for one in whom))
        there = {f"old{one}" for one in range(before)}
        assert standing(engine) == there | {one for one, stands in zip(whom, kept, strict=True) if stands}
        assert sum(kept) == max(0, min(MOST - before, len(whom)))


async def test_who_removes_and_adds_meanwhile_never_has_too_many(seed, scale):
    for number in range(scale(2_000)):
        rng = random.Random(f"{seed} {number}")
        engine, admitted = MixedTables(rng), set()

        async def act(whom, rng=rng, engine=engine, admitted=admitted):
            store = store_of(engine)
            for _ in range(rng.randrange(1, 4)):
                if whom in admitted:
                    admitted.discard(whom)
                    await store.remove("anna", TieKind.FOLLOWS, whom)
                elif await store.keep(follows(whom, rng)):
                    admitted.add(whom)
                assert len(admitted) <= MOST

        await asyncio.gather(*(act(f"{one}") for one in range(MOST + 4)))
        assert standing(engine) == admitted
        rest = [store_of(engine).keep(follows(f"more{one}", rng)) for one in range(MOST + 1)]
        assert sum(await asyncio.gather(*rest)) == MOST - len(admitted), "every place that is free is given"


async def test_what_a_crash_leaves_takes_the_next_place(seed):
    for stop in range(1, 5):
        rng = random.Random(f"{seed} {stop}")
        engine = MixedTables(rng)
        for one in range(MOST):
            assert await store_of(engine).keep(follows(f"{one}", rng))
        engine.stop = stop
        dies = asyncio.create_task(store_of(engine).keep(follows("left", rng)))
        for _ in range(100):
            await asyncio.sleep(0)
        dies.cancel()
        engine.stop = None
        assert len(standing(engine)) <= MOST + 1
        assert not await store_of(engine).keep(follows("another", rng))
        for one in range(len(standing(engine)) - MOST + 1):
            await store_of(engine).remove("anna", TieKind.FOLLOWS, f"{one}")
        assert await store_of(engine).keep(follows("another", rng))
        assert not await store_of(engine).keep(follows("one more", rng))


async def test_places_are_forgotten_and_what_stands_still_counts(seed):
    rng = random.Random(seed)
    engine = MixedTables(rng)
    quotas = QuotaStore(engine.table(QUOTAS))
    for one in range(MOST):
        assert await store_of(engine).keep(follows(f"{one}", rng))
    await quotas.expire(NOW + KEPT_MS - 1)
    assert engine.kept[QUOTAS.name]
    await quotas.expire(NOW + KEPT_MS + 9)
    assert not engine.kept[QUOTAS.name]
    another = Tie("anna", TieKind.FOLLOWS, Player("another", "Another"), NOW + KEPT_MS)
    assert not await store_of(engine).keep(another)
