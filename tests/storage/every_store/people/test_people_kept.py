"""What every store must do with people, what they say, and the heartbeats of servers."""

import asyncio
from dataclasses import replace

import pytest

from server.storage.errors import Duplicate
from server.storage.stores import MARKS_KEPT_MS, ChatLine
from server.storage.tables.accounts import Session, User
from tests.support.games import START, live_game
from tests.support.storage.stored_games import game_called

ANNA = User("anna", "SwiftOwl42", guest=True, created=START)
OPENED = Session("5e55" * 16, "anna", created=START, seen=START)


async def test_a_guest_is_found_by_the_hash_of_their_token(store):
    await store.add_guest(ANNA, OPENED)
    assert await store.session(OPENED.token_hash) == (ANNA, OPENED)


async def test_an_unknown_session_belongs_to_nobody(store):
    await store.add_guest(ANNA, OPENED)
    assert await store.session("0" * 64) is None


async def test_an_id_is_given_once_and_the_second_session_opens_nothing(store):
    await store.add_guest(ANNA, OPENED)
    with pytest.raises(Duplicate):
        await store.add_guest(replace(ANNA, name="Other"), replace(OPENED, token_hash="2nd"))
    assert await store.session("2nd") is None
    assert await store.session(OPENED.token_hash) == (ANNA, OPENED)


async def test_a_token_is_given_once_and_the_second_user_is_not_stored(store):
    await store.add_guest(ANNA, OPENED)
    berta = replace(ANNA, id="berta")
    with pytest.raises(Duplicate):
        await store.add_guest(berta, replace(OPENED, user="berta"))
    assert await store.session(OPENED.token_hash) == (ANNA, OPENED)
    await store.add_guest(berta, Session("hers", "berta", START, START))


async def test_two_guests_may_share_a_name(store):
    await store.add_guest(ANNA, OPENED)
    await store.add_guest(replace(ANNA, id="berta"), Session("hers", "berta", START, START))
    assert (await store.session("hers"))[0].name == ANNA.name


async def test_of_many_guests_with_one_id_exactly_one_is_stored(store):
    sessions = [replace(OPENED, token_hash=f"hash{number}") for number in range(10)]
    answers = await asyncio.gather(*(store.add_guest(ANNA, one) for one in sessions), return_exceptions=True)
    assert sum(isinstance(answer, Duplicate) for answer in answers) == 9
    found = [await store.session(one.token_hash) for one in sessions]
    assert sum(answer is not None for answer in found) == 1


async def test_a_session_remembers_its_last_use_and_never_an_earlier_one(store):
    await store.add_guest(ANNA, OPENED)
    await store.touch_session(OPENED.token_hash, START + 500)
    await store.touch_session(OPENED.token_hash, START + 100)
    assert (await store.session(OPENED.token_hash))[1].seen == START + 500


async def test_touching_a_session_that_is_not_there_makes_none(store):
    await store.touch_session("nobody", START)
    assert await store.session("nobody") is None


async def test_an_ended_session_opens_nothing(store):
    await store.add_guest(ANNA, OPENED)
    await store.end_session(OPENED.token_hash)
    await store.end_session(OPENED.token_hash)
    assert await store.session(OPENED.token_hash) is None


def line(number, game="game", room="players"):
    return ChatLine(game, room, "anna", "Änna", f"line {number}: 王 <b>&amp; $where {{}}", START + number)


async def test_chat_comes_back_oldest_first_and_the_newest_when_there_is_too_much(store):
    await store.create(live_game())
    await store.create(game_called("other"))
    for number in range(8):
        await store.add_chat(line(number, room="watchers" if number % 2 else "players"))
    await store.add_chat(line(99, game="other"))
    assert [said.at - START for said in await store.chat("game", 50)] == list(range(8))
    assert [said.at - START for said in await store.chat("game", 3)] == [5, 6, 7]
    assert await store.chat("nothing said", 50) == []


async def test_a_line_of_chat_comes_back_as_it_was_said(store):
    await store.create(live_game())
    await store.add_chat(line(1, room="watchers"))
    assert await store.chat("game", 50) == [line(1, room="watchers")]


@pytest.mark.parametrize(
    "text",
    ["one\n\ntwo", "a\n" * 999 + "a", "\U0001f600" * 2_000, '"\\' * 1_000],
    ids=["short", "lines", "emoji", "quotes"],
)
async def test_a_long_message_comes_back_as_it_was_said(store, text):
    await store.create(live_game())
    written = replace(line(1), text=text)
    await store.add_chat(written)
    assert await store.chat("game", 50) == [written]
    assert (await store.progress(["game"], 0)).said == [written]
    assert [one.text for one in await store.accounts.chat_lines("anna")] == [text]


async def test_lines_of_the_same_instant_keep_their_order(store):
    await store.create(live_game())
    said = [replace(line(0), text=str(number)) for number in range(12)]
    for one in said:
        await store.add_chat(one)
    assert await store.chat("game", 50) == said


async def test_a_new_store_has_no_heartbeat(store):
    await store.ping()
    assert await store.last_alive() is None


async def test_the_latest_heartbeat_of_any_server_counts(store):
    await store.mark_alive("one", START)
    await store.mark_alive("two", START + 500)
    await store.mark_alive("one", START + 300)
    assert await store.last_alive() == START + 500
    assert [await store.nodes_alive(START + ms) for ms in (300, 301)] == [{"one", "two"}, {"two"}]


async def test_a_heartbeat_never_moves_back(store):
    await store.mark_alive("one", START + 500)
    await store.mark_alive("one", START)
    assert await store.last_alive() == START + 500


async def test_old_heartbeats_of_other_servers_are_forgotten(store):
    await store.mark_alive("old", START)
    await store.mark_alive("new", START + MARKS_KEPT_MS + 1)
    assert await store.last_alive() == START + MARKS_KEPT_MS + 1
    assert await store.nodes_alive(START + MARKS_KEPT_MS + 1) == {"new"}
    assert await store.nodes_alive(START + MARKS_KEPT_MS + 2) == set()
    await store.mark_alive("slow", START + 5)
    assert await store.last_alive() == START + MARKS_KEPT_MS + 1
