"""Open seeks on every engine: kept as they were, taken by one, and finished after a crash."""

import asyncio

import pytest

from server.games.clocks.time_control import BANKS
from server.games.player import Player
from server.games.seeks import Pairing, Seeker
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate
from tests.support.storage.seeks import BEN, CARLA, DAYS, EVERY_KIND, NOW, standing


async def test_they_come_back_unchanged_even_after_a_restart(place):
    store = await place.open()
    for one in EVERY_KIND:
        await store.seeks.add(one)
    assert list(await store.seeks.open()) == EVERY_KIND
    await store.close()
    assert list(await (await place.open()).seeks.open()) == EVERY_KIND


@pytest.mark.parametrize("control", [DAYS, *BANKS])
async def test_a_seek_for_a_game_of_days_comes_back_with_its_clock(store, control):
    await store.seeks.add(standing(control=control))
    assert [one.seek.control for one in await store.seeks.open()] == [control]


async def test_an_id_is_used_once(store):
    await store.seeks.add(standing())
    with pytest.raises(Duplicate):
        await store.seeks.add(standing())


async def test_of_many_who_take_one_at_once_one_gets_it(store):
    await store.seeks.add(standing())
    takers = [Player(f"t{n}", f"Taker {n}") for n in range(8)]
    won = await asyncio.gather(*(store.seeks.take("s1", Pairing(one, "chess", Color.WHITE)) for one in takers))
    assert sum(won) == 1
    winner = takers[won.index(True)]
    assert list(await store.seeks.taken()) == [(standing().seek, Pairing(winner, "chess", Color.WHITE))]
    assert await store.seeks.open() == []
    assert await store.seeks.take("s1", Pairing(winner, "chess", Color.WHITE))
    await store.seeks.remove("s1")
    assert (await store.seeks.taken(), await store.seeks.open()) == ([], [])
    assert not await store.seeks.take("s1", Pairing(BEN, "chess", Color.WHITE))


async def test_it_is_withdrawn_by_its_maker_and_only_while_it_is_open(store):
    await store.seeks.add(standing())
    assert not await store.seeks.withdraw("s1", "b")
    await store.seeks.take("s1", Pairing(BEN, "grand", Color.BLACK))
    assert not await store.seeks.withdraw("s1", "a")
    await store.seeks.add(standing("s2"))
    assert await store.seeks.withdraw("s2", "a")
    assert not await store.seeks.withdraw("s2", "a")


async def test_seeks_of_players_who_are_here_stand_and_others_run_out(store):
    for one in EVERY_KIND:
        await store.seeks.add(one)
    await store.seeks.prolong("a", NOW + 90_000)
    await store.seeks.prolong("a", NOW + 80_000)
    assert list(await store.seeks.expire(NOW + 85_000)) == ["s3"]
    assert [one.until for one in await store.seeks.open()] == [NOW + 90_000] * 2
    await store.seeks.add(standing("s4", maker=Seeker(BEN, False)))
    await store.seeks.take("s1", Pairing(CARLA, "chess", Color.WHITE))
    assert list(await store.seeks.expire(NOW + 100_000)) == ["s4"]
    assert len(await store.seeks.taken()) == 1


async def test_many_who_have_left_cost_one_write(store, monkeypatch):
    """The lobby takes no seek meanwhile, and each write waits for the disk."""
    for number in range(5):
        await store.seeks.add(standing(f"s{number}"))
    engine, writes = store.seeks._table._engine, []
    write = engine.write

    async def counted(steps, only_if_first):
        writes.append(steps)
        return await write(steps, only_if_first)

    monkeypatch.setattr(engine, "write", counted)
    expired = await store.seeks.expire(standing().until + 1)
    assert (sorted(expired), len(writes)) == ([f"s{number}" for number in range(5)], 1)
    assert list(await store.seeks.expire(standing().until + 1)) == []
    assert len(writes) == 1


@pytest.mark.parametrize("control", [DAYS, *BANKS])
async def test_an_open_tab_does_not_prolong_a_correspondence_seek(store, control):
    await store.seeks.add(standing(control=control))
    await store.seeks.prolong("a", NOW + 90_000)
    assert [one.until for one in await store.seeks.open()] == [NOW + 60_000]


async def test_two_servers_take_one_seek_once(shared_place):
    one, other = await shared_place.open(), await shared_place.open()
    await one.seeks.add(standing())
    won = await asyncio.gather(
        one.seeks.take("s1", Pairing(BEN, "chess", Color.WHITE)),
        other.seeks.take("s1", Pairing(CARLA, "chess", Color.WHITE)),
    )
    assert sorted(won) == [False, True]


@pytest.mark.parametrize("control", [DAYS, *BANKS])
async def test_seeks_of_players_who_left_stand_shorter_except_correspondence_ones(store, control):
    for one in EVERY_KIND:
        await store.seeks.add(one)
    await store.seeks.add(standing("s4", control=control, created=NOW + 3))
    await store.seeks.shorten("a", NOW + 50_000)
    await store.seeks.shorten("a", NOW + 55_000)
    assert [one.until for one in await store.seeks.open()] == [NOW + 50_000] * 2 + [NOW + 60_000] * 2


async def test_a_seek_is_taken_only_if_it_would_have_stood_long_enough(store):
    await store.seeks.add(standing())
    pairing = Pairing(BEN, "chess", Color.WHITE)
    assert not await store.seeks.take("s1", pairing, beyond=NOW + 60_000)
    assert await store.seeks.take("s1", pairing, beyond=NOW + 59_999)
    assert await store.seeks.take("s1", pairing, beyond=NOW + 70_000)
