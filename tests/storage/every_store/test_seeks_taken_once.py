"""Nobody is paired by two of their seeks, whatever store and however many servers: one step ends all of them."""

import asyncio

import pytest

from server.games.player import Player
from server.games.seeks import Pairing, Seeker
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.tables.seeks import taking
from tests.support.storage.seeks import ANNA, BEN, CARLA, DAYS, standing

RACES = 25


def by(player, name, **changes):
    return standing(name, maker=Seeker(player, False), rated=False, **changes)


def with_white(taker):
    return Pairing(taker, "chess", Color.WHITE)


async def stand(store, *seeks):
    for one in seeks:
        await store.seeks.add(one)


async def left(store):
    return {one.seek.id for one in await store.seeks.open()}, {seek.id for seek, _ in await store.seeks.taken()}


async def test_taking_a_seek_ends_the_other_seeks_of_both_players(store):
    await stand(store, by(ANNA, "a1"), by(ANNA, "a2"), by(ANNA, "a3", control=DAYS), by(BEN, "b1"), by(CARLA, "c1"))
    assert await store.seeks.take("a1", with_white(BEN))
    assert await left(store) == ({"a3", "c1"}, {"a1"})


async def test_a_seek_is_not_taken_when_the_other_is_gone(store):
    await stand(store, by(ANNA, "a1"), by(BEN, "b1"))
    assert not await store.seeks.take("a1", with_white(BEN), {"b1", "b2"})
    assert await left(store) == ({"a1", "b1"}, set())
    assert await store.seeks.take("a1", with_white(BEN), {"b1"})


async def two_of_one(stores, race):
    """Two seeks of Anna's, each wanted by somebody else at another server; returns whether each was paired."""
    mine = [f"a{race}-{n}" for n in range(2)]
    await stand(stores[0], *(by(ANNA, name) for name in mine))
    takers = [Player(f"t{race}-{n}", f"Taker {n}") for n in range(2)]
    asked = zip(stores, mine, takers, strict=True)
    return await asyncio.gather(*(store.seeks.take(name, with_white(taker)) for store, name, taker in asked))


async def each_takes_the_other(stores, race):
    """Anna and Ben take each other's seek, each at a server that knows both."""
    a, b = f"a{race}", f"b{race}"
    await stand(stores[0], by(ANNA, a), by(BEN, b))
    return await asyncio.gather(
        stores[0].seeks.take(b, with_white(ANNA), {a}), stores[1].seeks.take(a, with_white(BEN), {b})
    )


async def takes_while_being_taken(stores, race):
    """Anna takes Ben's seek while Carla takes Anna's."""
    a, b = f"a{race}", f"b{race}"
    await stand(stores[0], by(ANNA, a), by(BEN, b))
    won = await asyncio.gather(
        stores[0].seeks.take(b, with_white(ANNA), {a}), stores[1].seeks.take(a, with_white(CARLA))
    )
    await stores[0].seeks.withdraw(b, BEN.id)
    return won


@pytest.mark.parametrize("race", [two_of_one, each_takes_the_other, takes_while_being_taken])
async def test_of_two_pairings_of_one_person_one_comes_about(store, race):
    for number in range(RACES):
        assert sorted(await race([store, store], number)) == [False, True]
        standing_still, ((taken, _),) = await store.seeks.open(), await store.seeks.taken()
        assert standing_still == []
        await store.seeks.remove(taken.id)


@pytest.mark.parametrize("race", [two_of_one, each_takes_the_other, takes_while_being_taken])
async def test_of_two_pairings_of_one_person_at_two_servers_one_comes_about(shared_place, race):
    stores = [await shared_place.open() for _ in range(2)]
    for number in range(RACES):
        assert sorted(await race(stores, number)) == [False, True]
        standing_still, ((taken, _),) = await stores[0].seeks.open(), await stores[1].seeks.taken()
        assert standing_still == []
        await stores[0].seeks.remove(taken.id)


class DiesAt:
    """A collection, and a server that dies at its `fatal` write from now on."""

    def __init__(self, collection, fatal):
        self._collection = collection
        self._left = fatal

    def __getattr__(self, name):
        if name not in ("update_one", "delete_many"):
            return getattr(self._collection, name)
        self._left -= 1
        if self._left > 0:
            return getattr(self._collection, name)
        raise Unavailable("The server died here.")


@pytest.mark.parametrize("fatal", [1, 2])
async def test_a_pairing_that_was_decided_is_carried_out_when_its_server_has_died(shared_place, fatal):
    dead, alive = [await shared_place.open() for _ in range(2)]
    await stand(alive, by(ANNA, "a1"), by(ANNA, "a2"), by(BEN, "b1"), by(CARLA, "c1"))
    dead.seeks._seeks = DiesAt(dead.seeks._seeks, fatal)
    with pytest.raises(Unavailable):
        await dead.seeks.take("a1", with_white(BEN))
    assert not await alive.seeks.take("a2", with_white(CARLA))
    assert await left(alive) == ({"c1"}, {"a1"})


async def test_a_pairing_carried_out_by_half_is_carried_out_before_its_seek_goes(shared_place):
    """Its game may be made by one who has read the seek as taken just before its server died."""
    dead, alive = [await shared_place.open() for _ in range(2)]
    await stand(alive, by(ANNA, "a1"), by(ANNA, "a2"), by(BEN, "b1"))
    dead.seeks._seeks = DiesAt(dead.seeks._seeks, 2)
    with pytest.raises(Unavailable):
        await dead.seeks.take("a1", with_white(CARLA))
    await alive.seeks.remove("a1")
    assert await left(alive) == ({"b1"}, set())


async def test_no_names_are_kept_of_a_completed_pairing(shared_place):
    store = await shared_place.open()
    await stand(store, by(ANNA, "a1"))
    assert await store.seeks.take("a1", with_white(BEN))
    kept = str(await store.seeks._pairings.find({}).to_list(None))
    assert not [word for word in ("a1", BEN.id, BEN.name) if word in kept]


async def test_a_seek_that_is_withdrawn_before_the_pairing_is_carried_out_becomes_no_game(shared_place):
    dead, alive = [await shared_place.open() for _ in range(2)]
    await stand(alive, by(ANNA, "a1"), by(ANNA, "a2"), by(BEN, "b1"))
    dead.seeks._seeks = DiesAt(dead.seeks._seeks, 1)
    with pytest.raises(Unavailable):
        await dead.seeks.take("a1", with_white(BEN))
    assert await alive.seeks.withdraw("a1", ANNA.id)
    assert await left(alive) == ({"a2", "b1"}, set())
    assert await alive.seeks.take("a2", with_white(BEN))


async def test_a_server_that_is_late_with_a_pairing_undoes_nothing(shared_place):
    """It has read the last pairing, stands still, and carries it out when all is over."""
    late, others = [await shared_place.open() for _ in range(2)]
    await stand(others, by(ANNA, "a1"), by(BEN, "b1"))
    assert await others.seeks.take("a1", with_white(CARLA))
    read = late.seeks._pairings
    decided = {**await read.find_one({"_id": "last"}), "seek": "a1", **taking(with_white(CARLA))}
    await others.seeks.remove("a1")

    class ReadBefore:
        update_one = read.update_one

        async def find_one(self, _):
            return decided

    late.seeks._pairings = ReadBefore()
    assert await left(late) == ({"b1"}, set())
    late.seeks._pairings = read
    assert await late.seeks.take("b1", with_white(ANNA))
