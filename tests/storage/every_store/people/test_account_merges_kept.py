"""What every store must do when a guest's games go to an account: note it until they have moved, then forget it."""

from server.games.changes.beginning import Reseat
from server.games.changes.ending import Resign
from server.games.game import play
from server.games.player import Player
from server.storage.protocols.archive import Search
from server.storage.tables.accounts import (
    DELETED_NAME,
    AccountMerge,
)
from tests.support.games import START, WHITE, running_game
from tests.support.storage.accounts import guest, session
from tests.support.storage.stored_games import stored


async def test_games_of_a_guest_who_registers_or_signs_in_are_noted_until_they_are_moved(store, anna):
    registered = AccountMerge("id-anna", "id-anna", "Anna")
    assert await store.accounts.merges() == await store.accounts.merges("id-anna") == [registered]
    await guest(store, "visitor", "old")
    await store.accounts.sign_in(anna, session("second"), "old")
    followed = AccountMerge("visitor", "id-anna", "Anna")
    assert await store.accounts.merges("visitor") == [followed]
    assert len(await store.accounts.merges()) == 2
    await store.accounts.delete(anna, START + 1000)
    left = AccountMerge("id-anna", "id-anna", DELETED_NAME, leaves=True)
    assert await store.accounts.merges("id-anna") == [left]
    await store.accounts.end_merge(registered)
    assert await store.accounts.merges("id-anna") == [left], "an earlier note does not end a later one"
    await store.accounts.end_merge(left)
    await store.accounts.end_merge(followed)
    assert await store.accounts.merges() == []


async def test_signing_in_again_moves_no_games(store, anna):
    await store.accounts.end_merge(AccountMerge("id-anna", "id-anna", "Anna"))
    await store.accounts.sign_in(anna, session("second"), "first")
    assert await store.accounts.merges() == []


async def test_a_guest_whose_games_have_moved_is_forgotten(store, anna):
    await guest(store, "visitor", "old")
    await store.accounts.sign_in(anna, session("second"), "old")
    await store.accounts.end_merge(AccountMerge("visitor", "id-anna", "Anna"))
    await guest(store, "visitor", "again")


async def test_a_finished_game_is_found_by_the_new_name_of_its_player_and_not_by_the_old(store):
    running = await stored(store, running_game())
    over, _ = play(running, Resign(WHITE), START)
    await store.save(running, over)
    renamed, _ = play(over, Reseat(over.white.id, Player(over.white.id, "Somebody")), START)
    await store.save(over, renamed)
    found = {name: await store.archive.page(Search(player=name), 10) for name in ("Somebody", over.white.name)}
    assert [len(page.games) for page in found.values()] == [1, 0]
    assert found["Somebody"].games[0].white == "Somebody"
    assert await store.load(over.id) == renamed
