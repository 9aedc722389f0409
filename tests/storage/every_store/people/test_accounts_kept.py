"""What every store must do with accounts: one owner per name, passwords that change under nobody's feet, an end."""

import asyncio
from contextlib import suppress
from copy import copy
from dataclasses import replace
from operator import methodcaller

import pytest

from server.games.player import Player
from server.storage.errors import Duplicate
from server.storage.record_kinds import ACCOUNTS
from server.storage.stores import ChatLine
from server.storage.tables.accounts import (
    Account,
    AccountMerge,
    NameTaken,
    PasswordChanged,
    User,
    UserChatLine,
    fold,
)
from tests.support.games import START, live_game
from tests.support.storage.accounts import ANNA, guest, session
from tests.support.storage.stored_games import game_called, stored
from tests.support.storage.write_steps import Steps, Stopped, watch


async def user_of(store, token_hash):
    """And whoever asks about many sessions at once is told the same."""
    found = await store.session(token_hash)
    at_once = await store.accounts.good_sessions([token_hash, "nobody's"])
    assert at_once == ({} if found is None else {token_hash: found[1]})
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


async def test_a_name_is_free_again_once_it_is_held_no_more(store, anna):
    for name in ("Anna", "ANNA", "An-na"):
        assert not await store.accounts.is_free(name)
    assert await store.accounts.is_free("Berta")
    await store.accounts.delete(anna, START + 9)
    assert not await store.accounts.is_free("Anna")
    await store.accounts.purge(0, 0, START + 10, 9)
    assert await store.accounts.is_free("Anna")


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


@pytest.mark.parametrize("registers_first", [True, False])
async def test_a_guest_who_registers_and_signs_in_at_once_becomes_one_of_both(store, anna, registers_first):
    """Wherever between the writes of the one the other happens, on another node."""
    for at, letter in enumerate("abcdef"):
        guest_id, session_hash = f"id-{letter}", f"guest-{letter}"
        await guest(store, guest_id, session_hash)
        mine = Account(f"berta{letter}", guest_id, f"Berta{letter}", "hash", START)
        register = methodcaller("register", mine, session(f"mine-{guest_id}", guest_id), session_hash)
        sign_in = methodcaller("sign_in", anna, session(f"annas-{guest_id}"), session_hash)
        calls = {"register": register, "sign_in": sign_in}
        answers = await interleaved(store.accounts, at, calls, "register" if registers_first else "sign_in")
        assert answers["sign_in"] is None
        if answers["register"] is None:
            assert registers_first or letter != "f", "they have signed in to another account"
            assert await store.accounts.find(mine.folded) == mine
            assert (await user_of(store, f"mine-{guest_id}")).name == mine.name
            assert await store.accounts.merges(guest_id) == [AccountMerge(guest_id, guest_id, mine.name)]
        else:
            assert isinstance(answers["register"], Duplicate)
            assert await store.accounts.find(mine.folded) is None
            assert await store.accounts.merges(guest_id) == [AccountMerge(guest_id, anna.user, anna.name)]


async def interleaved(accounts, at, calls, first):
    """Makes the call `first`, and the other before its write number `at`, or after it. By call: its error, or None."""
    answers = {}

    async def make(name, node):
        (answers[name],) = await asyncio.gather(calls[name](node), return_exceptions=True)

    (other,) = calls.keys() - {first}

    class Between:
        left = at

        async def take(self, call):
            self.left -= 1
            if self.left == -1:
                await make(other, accounts)
            return await call()

    await make(first, watched(accounts, Between()))
    if other not in answers:
        await make(other, accounts)
    return answers


def watched(accounts, steps):
    """The accounts as another node has them, whose writes `steps` lets through."""
    node = copy(accounts)
    watch(node, steps, ("_accounts", "_users", "_sessions", "_merges"))
    return node


async def test_a_guest_whose_registration_was_cut_short_registers_although_they_sign_in_elsewhere(store, anna):
    """Their account is there, and would belong to nobody if its person went to another account."""
    await guest(store, "id-berta", "bertas")
    berta = Account("berta", "id-berta", "Berta", "hash", START)
    dies = watched(store.accounts, Steps(0, after=True))
    with pytest.raises(Stopped):
        await dies.register(berta, session("new", "id-berta"), "bertas")
    await store.accounts.sign_in(anna, session("annas"), "bertas")
    await store.accounts.sign_in(berta, session("again", "id-berta"), "")
    assert await user_of(store, "again") == User("id-berta", "Berta", guest=False, created=START)
    assert await store.accounts.merges("id-berta") == [AccountMerge("id-berta", "id-berta", "Berta")]


@pytest.mark.parametrize("let", range(6))
async def test_a_guests_session_is_never_one_of_a_member(store, let):
    """Wherever a registration stops: their token may have been planted before."""
    await guest(store, "id-berta", "bertas")
    dies = watched(store.accounts, Steps(let, after=True))
    with suppress(Stopped):
        await dies.register(Account("berta", "id-berta", "Berta", "hash", START), session("new", "id-berta"), "bertas")
    found = await user_of(store, "bertas")
    assert found is None or found.guest


@pytest.mark.parametrize("let", range(6))
async def test_a_guests_session_is_none_of_a_member_who_has_signed_in_elsewhere(store, let):
    """As above, and what was cut short is completed from another browser."""
    await guest(store, "id-berta", "bertas")
    berta = Account("berta", "id-berta", "Berta", "hash", START)
    with suppress(Stopped):
        await watched(store.accounts, Steps(let, after=True)).register(berta, session("new", "id-berta"), "bertas")
    await store.accounts.sign_in(berta, session("elsewhere", "id-berta"), "")
    assert await user_of(store, "elsewhere") == User("id-berta", "Berta", guest=False, created=START)
    assert await user_of(store, "bertas") is None


@pytest.mark.parametrize("let", range(6))
async def test_who_could_register_can_sign_in_although_their_session_was_forgotten(store, let):
    """Wherever a registration stops: their account is there, and theirs."""
    await guest(store, "id-berta", "bertas")
    berta = Account("berta", "id-berta", "Berta", "hash", START)
    with suppress(Stopped):
        await watched(store.accounts, Steps(let, after=True)).register(berta, session("new", "id-berta"), "bertas")
    await store.accounts.purge(START + 1, 0, START, 10)
    await store.accounts.sign_in(berta, session("again", "id-berta"), "")
    assert await user_of(store, "again") == User("id-berta", "Berta", guest=False, created=START)


async def test_a_guest_is_forgotten_although_the_end_of_their_merge_was_cut_short(store, anna):
    await guest(store, "id-berta", "bertas")
    await store.accounts.sign_in(anna, session("annas"), "bertas")
    (merge,) = await store.accounts.merges("id-berta")
    with suppress(Stopped):
        await watched(store.accounts, Steps(0, after=True)).end_merge(merge)
    for left in await store.accounts.merges("id-berta"):
        await store.accounts.end_merge(left)
    await guest(store, "id-berta", "again")  # a duplicate if they were still there


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


async def test_a_new_password_ends_every_session_by_the_write_that_stores_it(store, anna):
    changed = await store.accounts.set_password(anna, "hash two")
    assert await user_of(store, "first") is None
    await store.accounts.sign_in(changed, replace(session("second"), generation=changed.generation), "first")
    assert await user_of(store, "second") is not None
    assert [one.token_hash for one in await store.accounts.sessions("id-anna")] == ["second"]


async def test_another_hash_of_the_same_password_ends_no_session(store, anna):
    assert await store.accounts.set_password(anna, "hash one again", same=True) == replace(
        anna, password="hash one again"
    )
    assert await user_of(store, "first") is not None


async def test_a_session_that_was_opened_while_the_password_changed_is_none(shared_place, monkeypatch):
    """A sign-in by the old password is between its two writes."""
    store = await shared_place.open()
    await guest(store)
    await store.accounts.register(ANNA, session("first"), instead_of="guest")
    anna, enter = await store.accounts.find("anna"), store.accounts._enter

    async def enter_after_the_change(*sign_in):
        await store.accounts.set_password(anna, "hash two")
        await enter(*sign_in)

    monkeypatch.setattr(store.accounts, "_enter", enter_after_the_change)
    await store.accounts.sign_in(anna, session("intruder"), instead_of="")
    assert await user_of(store, "intruder") is None


async def test_of_two_changes_of_one_password_the_second_is_refused(store, anna):
    tries = [store.accounts.set_password(anna, f"hash {number}") for number in range(2, 6)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, PasswordChanged) for answer in answers) == 3
    assert (await store.accounts.find("anna")) in answers


async def test_a_password_set_by_the_host_ends_all_sessions_and_opens_exactly_one(store, anna):
    assert await store.accounts.reset_password("anna", "reset", START + 1000) == "Anna"
    assert await user_of(store, "first") is None
    once = await store.accounts.find("anna")
    assert once == replace(anna, password="reset", once_until=START + 1000, generation=1)
    tries = [store.accounts.sign_in(once, session(f"try{number}", generation=1), "") for number in range(5)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, PasswordChanged) for answer in answers) == 4
    assert len(await store.accounts.sessions("id-anna")) == 1
    used = await store.accounts.find("anna")
    assert used.password == ""
    await store.accounts.set_password(used, "own")
    assert await store.accounts.find("anna") == replace(anna, password="own", generation=2)


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
        values = (key, f"u{number}", name, "hash", START, 0, 0, "", 0, 0, 0, 0)
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
