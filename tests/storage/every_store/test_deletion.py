"""Throwing away games: they go with all that hangs on them, and only those that are to go."""

from dataclasses import replace

import pytest

from server.games.changes.ending import Resign
from server.games.clocks.time_control import DAY_MS
from server.games.game import play
from server.games.player import Player
from server.games.state import ImportSource
from server.storage.admin_commands import DeleteGame, DeleteImports, DeletePlayer, DeleteProfileText
from server.storage.documents import to_head
from server.storage.errors import Conflict, NotStored
from server.storage.mongo.records import MongoDeletion
from server.storage.protocols.archive import Search
from server.storage.protocols.records import Retention
from server.storage.stores import ChatLine
from server.storage.tables.imports import ImportNote
from server.storage.tables.profiles import ProfileText
from server.web.operation.host_commands import carry_out_deletion
from server.web.operation.housekeeping import ExpiredGames
from tests.support.games import START, WHITE, live_game, over_game
from tests.support.storage.rated_games import ANNA, BERTA, register
from tests.support.storage.stored_games import game_called

ROOT = Player("", "root")
WEEK = Retention(aborted_days=7, chat_days=30)
LATER = START + 8 * DAY_MS


def aborted(game_id="aborted"):
    game = game_called(game_id, over_game())
    return replace(game, outcome=replace(game.outcome, winner=None, reason="abort"))


async def said(store, game):
    await store.add_chat(ChatLine(game.id, "players", "w", "Wanda", "hello", START))


async def test_a_deleted_game_leaves_nothing(store):
    for game in (gone := game_called("gone", over_game()), stays := game_called("stays", over_game())):
        await store.create(game)
        await said(store, game)
    await store.deletion.delete_games([gone.id])
    await store.deletion.delete_games([gone.id, "never was"])
    assert await store.load("gone") is None
    assert await store.chat("gone", 9) == []
    assert await store.load("stays") == stays
    assert len(await store.chat("stays", 9)) == 1
    assert [line.id for line in (await store.archive.page(Search(), 9)).games] == ["stays"]
    await store.create(gone)
    assert await store.load("gone") == gone, "no half-move of it was left"


async def test_nothing_can_be_said_in_a_game_that_is_gone(store):
    await store.create(game := game_called("gone", live_game()))
    await store.deletion.delete_games([game.id])
    with pytest.raises(NotStored):
        await said(store, game)
    assert await store.chat(game.id, 9) == []


async def test_the_step_that_ends_a_game_which_is_gone_leaves_nothing(store):
    await store.create(game := game_called("gone", live_game()))
    await store.deletion.delete_games([game.id])
    with pytest.raises(Conflict):
        await store.save(game, play(game, Resign(WHITE), START)[0])
    assert await store.load(game.id) is None
    assert (await store.archive.page(Search(), 9)).games == []


async def test_a_game_deleted_between_its_end_and_its_entry_is_not_listed(shared_place):
    ending, deleting = [await shared_place.open() for _ in range(2)]
    await ending.create(game := game_called("gone", live_game()))
    file = ending._file

    async def deleted_first(entry):
        await deleting.deletion.delete_games([game.id])
        await file(entry)

    ending._file = deleted_first
    await ending.save(game, play(game, Resign(WHITE), START)[0])
    # A page leaves out what has no game any more; nothing may be left to be left out.
    assert await deleting.archive._entries.count_documents({}) == 0


async def test_a_line_said_while_the_game_is_deleted_goes_with_it(shared_place, monkeypatch):
    speaking, deleting = [await shared_place.open() for _ in range(2)]
    await speaking.create(game := game_called("gone", live_game()))
    delete = MongoDeletion._delete

    async def said_before_the_game_goes(deletion, collection, key, games):
        if collection == "games":
            await said(speaking, game)
        await delete(deletion, collection, key, games)

    monkeypatch.setattr(MongoDeletion, "_delete", said_before_the_game_goes)
    await deleting.deletion.delete_games([game.id])
    assert await speaking.chat(game.id, 9) == []


async def test_games_without_a_result_go_after_their_time_page_by_page_and_no_others(store, monkeypatch):
    monkeypatch.setattr("server.web.operation.housekeeping.AT_ONCE", 2)
    for game in (aborted("a1"), live_game(), game_called("over", over_game()), aborted("z9")):
        await store.create(game)
        await said(store, game)
    gone = []
    deletion = ExpiredGames(store.deletion, store.imports, WEEK, gone.append)
    for _ in range(4):
        await deletion.step(START + 6 * DAY_MS)
    assert len(await store.deletion.heads("", 9)) == 4
    for _ in range(4):
        await deletion.step(LATER)
    assert [game for game, _ in await store.deletion.heads("", 9)] == ["game", "over"]
    assert {one.game for one in gone} == {"a1", "z9"}, "whoever looks at them is told"
    assert len(await store.chat("over", 9)) == 1
    for _ in range(4):
        await deletion.step(START + 31 * DAY_MS)
    assert await store.chat("over", 9) == []
    assert len(await store.chat("game", 9)) == 1, "it goes on"


async def test_imported_games_go_after_their_time_which_counts_from_when_they_came(store):
    for game_id in ("new", "old", "unnoted"):
        await store.create(replace(game_called(game_id, over_game()), import_source=ImportSource((("Event", "Cup"),))))
    await store.create(game_called("played", over_game()))
    notes = [ImportNote("old", START, 2, "u", "p"), ImportNote("new", START + 9 * DAY_MS, 2, "u", "p")]
    await store.imports.note_imports(notes)
    now = START + 11 * DAY_MS
    for days, left in ((0, ["new", "old", "played", "unnoted"]), (10, ["new", "played", "unnoted"])):
        await ExpiredGames(store.deletion, store.imports, Retention(0, 0, imports_days=days), [].append).step(now)
        assert [game for game, _ in await store.deletion.heads("", 9)] == left
    assert set(await store.imports.notes_of_games(["old", "new", "unnoted"])) == {"new", "unnoted"}, (
        "a note goes with its game"
    )
    await ExpiredGames(store.deletion, store.imports, Retention(0, 0, imports_days=10), [].append).step(
        now + 11 * DAY_MS
    )
    assert [game for game, _ in await store.deletion.heads("", 9)] == ["played"]


@pytest.mark.parametrize(
    ("order", "left"),
    [
        (DeleteImports(0, "", sure=False), {"of anna", "of berta", "unnoted"}),
        (DeleteImports(0, "", sure=True), set()),
        (DeleteImports(5, "", sure=True), {"of berta", "unnoted"}),
        (DeleteImports(0, "berta", sure=True), {"of anna", "unnoted"}),
        (DeleteImports(5, "berta", sure=True), {"of anna", "of berta", "unnoted"}),
    ],
)
async def test_the_host_deletes_imports_by_age_and_by_who_brought_them_page_by_page(store, monkeypatch, order, left):
    monkeypatch.setattr("server.web.operation.host_commands.DELETED_AT_ONCE", 2)
    await register(store, ANNA, BERTA)
    imported = {"of anna", "of berta", "unnoted"}
    for game_id in imported:
        await store.create(replace(game_called(game_id, over_game()), import_source=ImportSource((("Event", "Cup"),))))
    await store.create(game_called("played", over_game()))
    await store.imports.note_imports([ImportNote("of anna", START, 2, ANNA.id, "p")])
    await store.imports.note_imports([ImportNote("of berta", START + 8 * DAY_MS, 2, BERTA.id, "p")])
    gone = []
    told = await carry_out_deletion(store, order, START + 9 * DAY_MS, gone.append, ROOT)
    assert {game for game, _ in await store.deletion.heads("", 9)} == left | {"played"}
    assert {one.game for one in gone} == imported - left
    meant = 3 if not order.sure else len(imported - left)
    assert told.endswith(f" {meant} imported games with {meant * len(over_game().plies)} half-moves.")


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (DeleteImports(0, "nobody", sure=True), "There is no account called nobody."),
        (DeletePlayer("nobody", sure=True), "There is no account called nobody."),
        (DeleteProfileText("nobody", sure=True), "There is no account called nobody."),
        (DeleteGame("nothing", sure=True), "There is no game nothing."),
    ],
)
async def test_what_is_not_there_is_not_deleted(store, order, told):
    await store.create(replace(game_called("imported", over_game()), import_source=ImportSource((("Event", "Cup"),))))
    with pytest.raises(NotStored, match=told):
        await carry_out_deletion(store, order, START, [].append, ROOT)
    assert len(await store.deletion.heads("", 9)) == 1


async def test_the_host_deletes_what_somebody_says_about_themselves_and_their_account_stays(store):
    await register(store, ANNA)
    await store.profiles.keep_text(ProfileText(ANNA.id, "Buy!", START))
    for sure, left in ((False, "Buy!"), (True, "")):
        told = await carry_out_deletion(store, DeleteProfileText(ANNA.name, sure), START, [].append, ROOT)
        assert "'Buy!'" in told
        assert await store.profiles.text_of(ANNA.id) == left
    assert await store.accounts.find(ANNA.name)
    told = await carry_out_deletion(store, DeleteProfileText(ANNA.name, sure=True), START, [].append, ROOT)
    assert told == f"{ANNA.name} says nothing about themselves."


async def test_deleting_a_player_does_not_read_their_games(store, monkeypatch):
    await register(store, ANNA)
    for number in range(3):
        await store.create(replace(game_called(f"game{number}"), white=Player(ANNA.id, ANNA.name)))
    monkeypatch.delattr(type(store), "by_player")
    for sure in (False, True):
        told = await carry_out_deletion(store, DeletePlayer(ANNA.name, sure), START, [].append, ROOT)
        assert "3 games stay, without the name" in told
    assert await store.accounts.find(ANNA.name) is None


@pytest.mark.parametrize(
    ("game", "retention", "goes"),
    [
        (aborted(), WEEK, True),
        (aborted(), Retention(aborted_days=0, chat_days=0), False),
        (aborted(), Retention(aborted_days=9, chat_days=0), False),
        (over_game(), WEEK, False),
        (live_game(), WEEK, False),
    ],
)
def test_what_goes_is_decided_by_its_end_and_age(game, retention, goes):
    assert retention.drops_game(to_head(game), LATER) == goes


@pytest.mark.parametrize("head", [{}, {"status": "over", "reason": 5}, {"status": "over", "reason": "abort"}])
def test_damaged_games_are_not_deleted(head):
    assert not WEEK.drops_game(head, LATER)
