"""What every store must do with notes: one for each person or game, bounded, handed over whole, and forgotten."""

import asyncio

import pytest

from server.games.people import LONGEST_NOTE
from server.storage.tables import notes
from server.storage.tables.notes import Note
from tests.support.games import START, live_game
from tests.support.storage.stored_games import game_called


def note(owner="anna", person="", game="", text="Plays fast.", at=START):
    return Note(owner, person, game, text, at)


async def texts_of(store, owner):
    return {one.person or one.game: one.text for one in await store.notes.notes_of(owner)}


async def test_there_is_one_note_about_each_person_or_game_for_each_writer(store):
    for one in (
        note(person="ben"),
        note(person="ben", text="Slow."),
        note(game="ben", text="e4"),
        note("carla", "ben"),
    ):
        assert await store.notes.keep_note(one)
    assert await store.notes.text_of("anna", person="ben") == "Slow."
    assert await store.notes.text_of("anna", game="ben") == "e4"
    assert await store.notes.text_of("carla", person="ben") == "Plays fast."
    assert await store.notes.text_of("ben", person="ben") == ""
    assert await store.notes.keep_note(note(person="ben", text=""))
    assert [one.game for one in await store.notes.notes_of("anna")] == ["ben"]


async def test_nobody_has_more_than_they_may_however_many_they_write_at_once(store, monkeypatch):
    monkeypatch.setattr(notes, "MAX_NOTES", 3)
    kept = await asyncio.gather(*(store.notes.keep_note(note(game=f"g{number}")) for number in range(6)))
    assert sum(kept) == len(await store.notes.notes_of("anna")) == 3
    there = next(iter(await texts_of(store, "anna")))
    assert await store.notes.keep_note(note(game=there, text="changed"))


async def test_who_has_more_than_they_may_since_two_accounts_became_one_changes_what_they_have(store, monkeypatch):
    monkeypatch.setattr(notes, "MAX_NOTES", 1)
    for owner, game in (("guest", "hers"), ("anna", "ours")):
        assert await store.notes.keep_note(note(owner, game=game))
    await store.notes.hand_over("guest", "anna")
    for game in ("hers", "ours"):
        assert await store.notes.keep_note(note(game=game, text=f"{game}, changed"))
    assert not await store.notes.keep_note(note(game="third"))
    assert await texts_of(store, "anna") == {"hers": "hers, changed", "ours": "ours, changed"}


@pytest.mark.parametrize("times", [1, 2])
async def test_the_notes_of_a_guest_go_to_their_account_and_none_is_lost(store, times):
    await store.notes.keep_note(note("guest", game="one", text="mine"))
    await store.notes.keep_note(note("guest", game="both", text="x" * LONGEST_NOTE))
    await store.notes.keep_note(note("anna", game="both", text="ours"))
    for _ in range(times):
        await store.notes.hand_over("guest", "anna")
        await store.notes.hand_over("anna", "anna")
    assert await store.notes.notes_of("guest") == []
    assert await texts_of(store, "anna") == {"one": "mine", "both": f"ours\n\n{'x' * LONGEST_NOTE}"[:LONGEST_NOTE]}


async def test_they_go_with_their_writer_with_whom_they_are_about_and_with_their_game(store):
    await store.create(game_called("gone", live_game()))
    for one in (note("ben", "anna"), note("ben", "carla"), note("anna", "ben"), note("ben", game="gone")):
        await store.notes.keep_note(one)
    await store.forget_owned("anna")
    assert await store.notes.notes_of("anna") == []
    assert set(await texts_of(store, "ben")) == {"carla", "gone"}
    await store.deletion.delete_games(["gone"])
    assert set(await texts_of(store, "ben")) == {"carla"}
