"""The vacations that people have taken, on every engine."""

from dataclasses import replace

from server.games.clocks.time_control import DAY_MS
from server.games.clocks.vacations import Vacation
from server.storage.tables.vacations import TakenVacation

NOW = 1_700_000_000_000
FIRST = TakenVacation("anna", Vacation(NOW, NOW + 5 * DAY_MS))
SECOND = TakenVacation("anna", Vacation(NOW + 9 * DAY_MS, NOW + 10 * DAY_MS))
BENS = TakenVacation("ben", Vacation(NOW, NOW + DAY_MS))


def settled(record):
    return replace(record, settled=True)


async def test_vacations_are_listed_by_their_owner_also_after_a_restart(place):
    store = await place.open()
    for one in (SECOND, FIRST, BENS):
        await store.vacations.begin(one)
    await store.close()
    store = await place.open()
    assert list(await store.vacations.of("anna")) == [FIRST, SECOND]
    assert list(await store.vacations.of("ben")) == [BENS]
    assert list(await store.vacations.of("carla")) == []


async def test_another_end_replaces_the_one_before(store):
    shorter = replace(FIRST, vacation=Vacation(NOW, NOW + 1))
    assert await store.vacations.begin(settled(FIRST))
    assert not await store.vacations.begin(shorter), "there is one with that beginning"
    assert await store.vacations.end(FIRST, NOW + 1)
    assert list(await store.vacations.of("anna")) == [shorter]
    assert not await store.vacations.end(FIRST, NOW + 2), "it has another end by now"


async def test_only_what_has_not_changed_since_is_settled(store):
    for one in (FIRST, SECOND, BENS):
        await store.vacations.begin(one)
    assert sorted(one.vacation.began for one in await store.vacations.unsettled()) == [NOW, NOW, NOW + 9 * DAY_MS]
    await store.vacations.settle(FIRST)
    assert list(await store.vacations.of("anna")) == [settled(FIRST), SECOND]
    longer = replace(SECOND, vacation=Vacation(SECOND.vacation.began, SECOND.vacation.until + DAY_MS))
    await store.vacations.end(SECOND, longer.vacation.until)
    await store.vacations.settle(SECOND)
    await store.vacations.settle(TakenVacation("carla", FIRST.vacation))
    assert sorted(await store.vacations.unsettled(), key=lambda one: one.owner) == [longer, BENS]


async def test_vacations_are_forgotten_for_one_owner_only(store):
    for one in (FIRST, SECOND, BENS):
        await store.vacations.begin(one)
    await store.vacations.forget("anna")
    assert list(await store.vacations.of("anna")) == []
    assert list(await store.vacations.of("ben")) == [BENS]


async def test_old_vacations_are_deleted_unless_a_game_may_wait_for_them(store):
    for one in (settled(FIRST), settled(SECOND), BENS):
        await store.vacations.begin(one)
    await store.vacations.expire(SECOND.vacation.until)
    assert list(await store.vacations.of("anna")) == [settled(SECOND)]
    assert list(await store.vacations.of("ben")) == [BENS]
