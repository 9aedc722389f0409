"""How every store opens, closes, and treats who stops waiting."""

import asyncio

import pytest

from server.storage.errors import Unavailable
from tests.support.games import (
    live_game,
)
from tests.support.storage.stored_games import game_called, random_steps, save_all, stepped, stored


async def test_stored_games_outlive_the_store_object(place):
    store = await place.open()
    games = random_steps(live_game(), 8)
    await store.create(games[0])
    await save_all(store, games)
    await store.close()
    assert await (await place.open()).load("game") == games[-1]


async def test_a_cancelled_save_is_stored_whole_or_not_at_all_and_spoils_nothing(store):
    games = [await stored(store, game_called(f"game{number}")) for number in range(20)]
    tasks = [asyncio.create_task(store.save(game, stepped(game))) for game in games]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(answer is None for answer in answers[1::2])
    for number, game in enumerate(games):
        found = await store.load(game.id)
        assert found in ((game, stepped(game)) if number % 2 == 0 else (stepped(game),))


async def test_closing_finishes_what_is_queued(place):
    store = await place.open()
    games = [await stored(store, game_called(f"game{number}")) for number in range(50)]
    saves = [asyncio.create_task(store.save(game, stepped(game))) for game in games]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*saves) == [None] * 50
    again = await place.open()
    assert [await again.load(game.id) for game in games] == [stepped(game) for game in games]


async def test_a_closed_store_says_that_it_is_closed(place):
    store = await place.open()
    game = await stored(store, live_game())
    await store.close()
    for asked in (store.save(game, stepped(game)), store.load(game.id), store.ping()):
        with pytest.raises(Unavailable):
            await asked


async def test_ping_answers_when_the_store_can_write(store):
    await store.ping()
    await store.ping()
