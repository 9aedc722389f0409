"""What is noted of imported games, on every engine."""

import asyncio

from server.storage.tables.imports import ImportAllowance, ImportNote

NOW = 1_700_000_000_000


async def test_half_moves_are_counted_by_person_and_place_from_an_instant_on_also_after_a_restart(place):
    store = await place.open()
    notes = [
        ImportNote("before", NOW - 1, 5_000, "anna", "a1b2"),
        ImportNote("first", NOW, 10, "anna", "a1b2"),
        ImportNote("second", NOW + 1, 20, "anna", "elsewhere"),
        ImportNote("third", NOW + 1, 40, "ben", "a1b2"),
    ]
    await store.imports.note_imports(notes[:2])
    await store.imports.note_imports(notes[2:])
    await store.imports.note_imports([ImportNote("first", NOW + 5, 99, "ben", "elsewhere")])
    await store.close()
    store = await place.open()
    assert await store.imports.plies_of_user("anna", NOW) == 30
    assert await store.imports.plies_of_place("a1b2", NOW) == 50
    assert await store.imports.plies_of_user("nobody", NOW) == 0
    assert await store.imports.notes_of_games(["first", "none"]) == {"first": notes[1]}
    assert await store.imports.notes_of_games([]) == {}


async def test_a_game_is_admitted_as_long_as_there_is_room_for_it(store):
    allowance = ImportAllowance(NOW, by_user=10, by_place=15)

    async def admitted(game, plies, user, place="a1b2"):
        return await store.imports.admit_import(ImportNote(game, NOW, plies, user, place), allowance)

    assert await admitted("first", 8, "anna")
    assert await admitted("first", 8, "anna"), "it is here, and counts once"
    assert not await admitted("long", 3, "anna")
    assert await admitted("short", 2, "anna")
    assert not await admitted("beside", 6, "ben")
    assert await admitted("elsewhere", 6, "ben", "c3d4")
    assert set(await store.imports.notes_of_games(["long", "beside", "short"])) == {"short"}


async def test_many_imports_at_once_do_not_go_beyond_what_one_may(store):
    allowance = ImportAllowance(NOW, by_user=10, by_place=1_000)
    notes = [ImportNote(f"game{number}", NOW, 4, "anna", "a1b2") for number in range(8)]
    answers = await asyncio.gather(*(store.imports.admit_import(note, allowance) for note in notes))
    assert sum(answers) <= 2
    assert await store.imports.plies_of_user("anna", NOW) == 4 * sum(answers)
