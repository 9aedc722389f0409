"""How far many games have got, asked in one go, on every engine."""

from server.storage.stores import ChatLine
from tests.support.games import START, live_game
from tests.support.storage.stored_games import game_called, stepped, stored

ROOMS = ("players", "watchers")


def line(game, at, room="players"):
    return ChatLine(game, room, "anna", "Anna", f"at {at}", at)


async def test_each_game_has_its_revision_and_an_unknown_id_has_none(store):
    games = [await stored(store, game_called(name)) for name in ("one", "two", "three")]
    moved = stepped(games[1])
    await store.save(games[1], moved)
    progress = await store.progress(["one", "two", "nobody"], START)
    assert progress.revs == {"one": games[0].rev, "two": moved.rev}
    assert list(progress.said) == []


async def test_nothing_is_asked_of_no_games(store):
    await stored(store, live_game())
    progress = await store.progress([], START)
    assert (progress.revs, list(progress.said)) == ({}, [])


async def test_what_was_said_since_then_comes_in_order_and_from_both_rooms(store):
    lines = [line(game, START + at, room) for at, (game, room) in enumerate((g, r) for g in "abc" for r in ROOMS)]
    for game in "abc":
        await store.create(game_called(game))
    for each in lines:
        await store.add_chat(each)
    progress = await store.progress(["a", "b"], START + 1)
    assert list(progress.said) == lines[1:4]
    assert list((await store.progress(["a", "b"], START + 4)).said) == []


async def test_two_chat_lines_of_one_instant_both_come(store):
    lines = [line("a", START), line("a", START, "watchers"), line("b", START)]
    for game in "ab":
        await store.create(game_called(game))
    for each in lines:
        await store.add_chat(each)
    assert list((await store.progress(["a", "b"], START)).said) == lines
