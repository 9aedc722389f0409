"""What is noted of imported games, on every engine."""

from server.storage.imports import ImportNote

NOW = 1_700_000_000_000


async def test_half_moves_are_counted_by_person_and_place_from_an_instant_on_also_after_a_restart(place):
    store = await place.open()
    notes = [
        ImportNote("before", NOW - 1, 5_000, "anna", "a1b2"),
        ImportNote("first", NOW, 10, "anna", "a1b2"),
        ImportNote("second", NOW + 1, 20, "anna", "elsewhere"),
        ImportNote("third", NOW + 1, 40, "ben", "a1b2"),
    ]
    await store.imports.note(notes[:2])
    await store.imports.note(notes[2:])
    await store.imports.note([ImportNote("first", NOW + 5, 99, "ben", "elsewhere")])
    await store.close()
    store = await place.open()
    assert await store.imports.plies_of_user("anna", NOW) == 30
    assert await store.imports.plies_of_place("a1b2", NOW) == 50
    assert await store.imports.plies_of_user("nobody", NOW) == 0
    assert await store.imports.of_games(["first", "none"]) == {"first": notes[1]}
    assert await store.imports.of_games([]) == {}
