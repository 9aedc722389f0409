"""How people want to be told what concerns them, on every engine."""

from dataclasses import replace

from server.storage.tables.how_told import HowTold

ANNAS = HowTold("anna", "Europe/Madrid", 22 * 60, 7 * 60, ("result", "reminder"))


async def test_what_somebody_has_chosen_is_kept_until_they_choose_again_or_leave(place):
    store = await place.open()
    assert await store.how_told.of("anna") == HowTold("anna")
    await store.how_told.keep(replace(ANNAS, zone=""))
    await store.how_told.keep(ANNAS)
    await store.how_told.keep(HowTold("ben", "UTC"))
    await store.close()
    store = await place.open()
    assert await store.how_told.of("anna") == ANNAS
    await store.how_told.forget("anna")
    assert await store.how_told.of("anna") == HowTold("anna")
    assert await store.how_told.of("ben") == HowTold("ben", "UTC")
