"""What every store must do with accounts: one owner per name, passwords that change under nobody's feet, an end."""

import asyncio
from dataclasses import replace

import pytest

from server.games.player import Player
from server.storage.errors import Duplicate
from server.storage.folding import fold
from server.storage.protocols.accounts import (
    Account,
    NameTaken,
    PasswordChanged,
    UserChatLine,
)
from server.storage.protocols.people import User
from server.storage.record_kinds import ACCOUNTS
from server.storage.stores import ChatLine
from tests.support.games import START, live_game
from tests.support.storage.accounts import ANNA, guest, session
from tests.support.storage.stored_games import game_called, stored


async def user_of(store, token_hash):
    found = await store.session(token_hash)
    return None if found is None else found[0]


async def test_a_guest_who_registers_keeps_their_id_and_gets_another_session(store, anna):
    assert await store.accounts.find("anna") == anna
    assert await user_of(store, "first") == User("id-anna", "Anna", guest=False, created=START)
    assert await user_of(store, "guest") is None


async def test_what_a_person_prefers_comes_with_their_session_until_they_choose_again_or_leave(store, anna):
    await guest(store, "ben", "bens")
    assert (await user_of(store, "first")).preferences == ""
    for chosen in ("1|board:slate", "1"):
        assert await store.accounts.keep_preferences("id-anna", chosen)
        assert (await user_of(store, "first")).preferences == chosen
    assert (await user_of(store, "bens")).preferences == ""
    assert not await store.accounts.keep_preferences("nobody", "1|board:slate")
    await store.accounts.delete(anna, START + 1)
    await guest(store, "id-anna", "again")
    assert (await user_of(store, "again")).preferences == ""


async def test_of_two_choices_by_what_was_there_before_one_is_stored(store, anna):
    assert await store.accounts.keep_preferences("id-anna", "1|board:slate", "")
    assert not await store.accounts.keep_preferences("id-anna", "1|size:80", "")
    assert (await user_of(store, "first")).preferences == "1|board:slate"
    assert await store.accounts.keep_preferences("id-anna", "1|board:slate|size:80", "1|board:slate")


async def test_an_unknown_name_has_no_account(store, anna):
    assert await store.accounts.find("berta") is None


async def test_of_many_simultaneous_registrations_of_a_name_one_succeeds(store):
    for number in range(8):
        await guest(store, f"id{number}", f"guest{number}")
    tries = [
        store.accounts.register(
            replace(ANNA, user=f"id{number}"), session(f"new{number}", f"id{number}"), f"guest{number}"
        )
        for number in range(8)
    ]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(map(str, map(type, answers))) == sorted(map(str, [NameTaken] * 7 + [type(None)]))
    winner = answers.index(None)
    assert (await store.accounts.find("anna")).user == f"id{winner}"
    for number in range(8):
        assert (await user_of(store, f"new{number}") is not None) == (number == winner)
        assert (await user_of(store, f"guest{number}") is not None) == (number != winner)


async def test_a_user_has_one_account_also_when_they_register_twice_at_once(store):
    await guest(store)
    names = [replace(ANNA, folded=f"anna{letter}", name=f"Anna{letter}") for letter in "efgh"]
    tries = [store.accounts.register(one, session(f"s-{one.folded}"), "guest") for one in names]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, Duplicate) for answer in answers) == 3
    assert sum([await store.accounts.find(one.folded) is not None for one in names]) == 1


async def test_signing_in_opens_a_session_and_ends_the_one_it_replaces(store, anna):
    await guest(store, "other", "others")
    await store.accounts.sign_in(anna, session("second"), "others")
    assert (await user_of(store, "second")).id == "id-anna"
    assert await user_of(store, "others") is None
    assert await user_of(store, "first") is not None
    await store.accounts.sign_in(anna, session("third"), "")
    assert [one.token_hash for one in await store.accounts.sessions("id-anna")].count("third") == 1


async def test_the_places_of_an_account_are_those_of_the_last_sign_in(store, anna):
    assert (await store.accounts.find("anna")).places == ()
    await store.accounts.sign_in(replace(anna, places=("00ff", "a1b2")), session("second"), "")
    assert await store.accounts.find("anna") == replace(anna, places=("00ff", "a1b2"))
    await store.accounts.set_password(anna, "hash two")
    assert (await store.accounts.find("anna")).places == ("00ff", "a1b2")


async def test_how_people_flag_in_new_games_is_kept_with_their_account(store, anna):
    await guest(store, "id-ben", "ben's")
    await store.accounts.register(Account("ben", "id-ben", "Ben", "hash", START), session("b", "id-ben"), "ben's")
    both = {"id-anna", "id-ben", "nobody"}
    assert await store.accounts.who_flags_by_hand(both) == frozenset()
    await store.accounts.set_choice(anna, "by_hand", True)
    assert (await store.accounts.find("anna")).by_hand
    assert await store.accounts.who_flags_by_hand(both) == {"id-anna"}
    await store.accounts.sign_in(anna, session("second"), "first")
    await store.accounts.set_password(anna, "hash two")
    assert await store.accounts.who_flags_by_hand(both) == {"id-anna"}
    await store.accounts.set_choice(anna, "by_hand", False)
    assert await store.accounts.who_flags_by_hand(both) == frozenset()


async def test_signing_in_with_a_password_that_has_changed_meanwhile_opens_nothing(store, anna):
    await store.accounts.set_password(anna, "hash two")
    for stale in (anna, replace(anna, user="somebody", password="hash two")):
        with pytest.raises(PasswordChanged):
            await store.accounts.sign_in(stale, session("second"), "first")
    assert await user_of(store, "second") is None
    assert await user_of(store, "first") is not None


async def test_of_two_changes_of_one_password_the_second_is_refused(store, anna):
    tries = [store.accounts.set_password(anna, f"hash {number}") for number in range(2, 6)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, PasswordChanged) for answer in answers) == 3
    assert (await store.accounts.find("anna")).password == f"hash {2 + answers.index(None)}"


async def test_a_password_set_by_the_host_ends_all_sessions_and_opens_exactly_one(store, anna):
    assert await store.accounts.reset_password("anna", "reset", START + 1000) == "Anna"
    assert await user_of(store, "first") is None
    once = await store.accounts.find("anna")
    assert once == replace(anna, password="reset", once_until=START + 1000)
    tries = [store.accounts.sign_in(once, session(f"try{number}"), "") for number in range(5)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, PasswordChanged) for answer in answers) == 4
    assert len(await store.accounts.sessions("id-anna")) == 1
    used = await store.accounts.find("anna")
    assert used.password == ""
    await store.accounts.set_password(used, "own")
    assert await store.accounts.find("anna") == replace(anna, password="own")


async def test_the_password_of_an_unknown_name_cannot_be_reset(store):
    assert await store.accounts.reset_password("anna", "reset", START) is None


async def test_sessions_are_listed_last_used_first_and_ended_but_one(store, anna):
    for number in (1, 2, 3):
        await store.accounts.sign_in(anna, session(f"s{number}", seen=START + number), "")
    await guest(store, "other", "others")
    assert [one.token_hash for one in await store.accounts.sessions("id-anna")] == ["s3", "s2", "s1", "first"]
    assert set(await store.accounts.end_sessions("id-anna", but="s2")) == {"s3", "s1", "first"}
    assert await store.accounts.sessions("id-anna") == [session("s2", seen=START + 2)]
    assert await store.accounts.end_sessions("id-anna") == ["s2"]
    assert await store.accounts.end_sessions("id-anna") == []
    assert await user_of(store, "others") is not None


async def test_what_a_user_has_said_is_found_in_all_rooms_and_games(store, anna):
    said = [
        UserChatLine("one", "hello", START + 1),
        UserChatLine("two", "<b>good game</b>", START + 2),
        UserChatLine("one", "bye", START + 3),
    ]
    for game in ("one", "two"):
        await store.create(game_called(game))
    for line in said:
        await store.add_chat(ChatLine(line.game, "players", "id-anna", "Anna", line.text, line.at))
        await store.add_chat(ChatLine(line.game, "watchers", "other", "Berta", "not hers", line.at))
    assert await store.accounts.chat_lines("id-anna") == said


async def test_a_deleted_account_opens_nothing_and_its_name_is_held(store, anna):
    with pytest.raises(PasswordChanged):
        await store.accounts.delete(replace(anna, password="other"), START + 1000)
    await store.accounts.delete(anna, START + 1000)
    await store.accounts.delete(anna, START + 1000)
    assert await store.accounts.find("anna") is None
    assert await user_of(store, "first") is None
    with pytest.raises(PasswordChanged):
        await store.accounts.sign_in(anna, session("second"), "")
    assert await store.accounts.reset_password("anna", "reset", START) is None
    await guest(store, "imposter", "old")
    with pytest.raises(NameTaken):
        await store.accounts.register(replace(ANNA, user="imposter"), session("new", "imposter"), "old")
    await store.accounts.purge(0, 0, START + 999, 10)
    with pytest.raises(NameTaken):
        await store.accounts.register(replace(ANNA, user="imposter"), session("new", "imposter"), "old")
    await store.accounts.purge(0, 0, START + 1001, 10)
    await store.accounts.register(replace(ANNA, user="imposter"), session("new", "imposter"), "old")


async def test_a_deleted_account_is_forgotten_as_a_user_too(store, anna):
    await store.accounts.delete(anna, START + 1000)
    await guest(store, "id-anna", "somebody new")


async def test_old_sessions_are_forgotten_in_batches_and_young_ones_stay(store, anna):
    for number in range(5):
        await store.accounts.sign_in(anna, session(f"idle{number}", seen=START - 10), "")
    await store.accounts.sign_in(anna, session("aged", created=START - 100), "")
    assert await store.accounts.purge(START, START - 50, START, 4) == 4
    assert await store.accounts.purge(START, START - 50, START, 4) == 2
    assert await store.accounts.purge(START, START - 50, START, 4) == 0
    assert [one.token_hash for one in await store.accounts.sessions("id-anna")] == ["first"]
    assert await store.accounts.find("anna") == anna


async def test_a_guest_is_forgotten_with_their_last_session_unless_they_have_a_game(store):
    await guest(store, "idle", "idle")
    await guest(store, "player", "playing")
    await stored(store, replace(live_game(), black=Player("player", "SwiftOwl42")))
    await guest(store, "white", "opening")
    await stored(store, replace(game_called("second"), white=Player("white", "SwiftOwl42")))
    assert await store.accounts.purge(START + 1, 0, START, 10) == 3
    # Who is forgotten can be added again; who is not, cannot.
    await guest(store, "idle", "again")
    for user in ("player", "white"):
        with pytest.raises(Duplicate):
            await guest(store, user, f"{user} again")


async def test_look_alike_accounts_of_earlier_releases_keep_their_names(place):
    """Two names that are alike now both stay; nobody gets a third."""
    store = await place.open()
    for number, (key, name) in enumerate([("allce", "Alice"), ("allce_", "Alice_"), ("rnax", "Rnax")]):
        await store.add_guest(User(f"u{number}", "guest", True, START), session(f"g{number}", f"u{number}"))
        values = (key, f"u{number}", name, "hash", START, 0, 0, "", 0, 0, 0)
        await store.records.add(ACCOUNTS, [dict(zip(ACCOUNTS.fields, values, strict=True))])
    await store.close()
    store = await place.open()
    found = {name: await store.accounts.find(name) for name in ("Alice", "alice_", "Al-ice", "Rnax", "max")}
    assert {name: one.user for name, one in found.items()} == {
        "Alice": "u0", "alice_": "u1", "Al-ice": "u0", "Rnax": "u2", "max": "u2"
    }  # fmt: skip
    await store.add_guest(User("new", "guest", True, START), session("new's", "new"))
    for name in ("Max", "A-lice"):
        with pytest.raises(NameTaken):
            await store.accounts.register(Account(fold(name), "new", name, "hash", START), session("s", "new"), "new's")
