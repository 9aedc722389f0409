"""The opening explorer counts what a naive look through the archive counts, each game once."""

import asyncio

import pytest

from server.rules.variant.pieces import Color
from server.storage.protocols.explorer import ExploredGame, explored_game, position_key
from server.storage.sqlite.scripts import CHANGE, SCRIPTS
from server.storage.sqlite.store import SqliteStore
from tests.support.games import START, moved
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import SqlitePlace
from tests.support.storage.explored import index_all, naive, over, play_some, store_over, told
from tests.support.storage.rated_games import ANNA, BERTA, count_all, played, register
from tests.support.storage.stored_games import game_called
from tests.support.storage.write_steps import Stopped, every_stop, watch

OPENING = "e2e4 e7e5 g1f3 b8c6"


async def finished(store, game_id="game", moves=OPENING, winner=Color.WHITE, at=START, variant="chess"):
    game = moved(game_called(game_id, variant=variant), moves)
    return await store_over(store, game, over(game, winner, at))


def start(variant="chess"):
    return position_key(game_called("x", variant=variant).position)


@pytest.mark.parametrize("variant", VARIANTS)
async def test_it_counts_what_a_naive_look_through_the_games_counts(place, variant, seed):
    if not (isinstance(place, SqlitePlace) or variant in ("crazyhouse", "acedrex")):
        pytest.skip("what a variant changes depends on no engine")
    store = await place.open()
    games = await play_some(store, variant, 8 if isinstance(place, SqlitePlace) else 4, seed)
    expected = naive(games)
    await index_all(store)
    assert await told(store, expected) == expected
    assert await store.explorer.unexplored(10) == []
    await index_all(store)
    assert await told(store, expected) == expected


async def test_transpositions_meet(store):
    await finished(store, "one", "g1f3 g8f6 b1c3 b8c6 e2e4")
    await finished(store, "two", "b1c3 b8c6 g1f3 g8f6 d2d4", Color.BLACK)
    await index_all(store)
    there = position_key(moved(game_called("x"), "g1f3 g8f6 b1c3 b8c6").position)
    found = {one.move: (one.white, one.draws, one.black) for one in await store.explorer.moves(there)}
    assert found == {"e2e4": (1, 0, 0), "d2d4": (0, 0, 1)}


async def test_a_move_that_a_game_repeats_is_counted_once(store):
    await finished(store, moves="g1f3 g8f6 f3g1 f6g8 g1f3 g8f6")
    await index_all(store)
    [one] = await store.explorer.moves(start())
    assert one.games == 1


async def test_the_average_rating_and_the_best_game_are_those_of_rated_games(store):
    await register(store, ANNA, BERTA)
    await finished(store, "casual", "b1c3 b8c6")
    rated = await played(store, "rated", ANNA, BERTA)
    assert "rated" not in await store.explorer.unexplored(10), "its ratings are not counted yet"
    await count_all(store)
    await index_all(store)
    changes = await store.ratings.changes("rated")
    average = round(sum(one.before for one in changes.values()) / 2)
    found = {one.move: one for one in await store.explorer.moves(start())}
    assert found["b1c3"].rating is None
    first = found[rated.plies[0].uci]
    assert (first.rating, first.best, first.best_rating) == (average, "rated", average)


async def test_the_latest_game_is_the_one_that_ended_last(store):
    for number, at in enumerate((START + 5, START + 9, START + 7)):
        await finished(store, f"game{number}", at=at)
        await index_all(store)
    [one] = await store.explorer.moves(start())
    assert (one.last, one.ended, one.best) == ("game1", START + 9, None)


async def test_what_is_kept_has_no_names(store):
    """So there is nothing to do when somebody deletes their account."""
    await register(store, ANNA, BERTA)
    await played(store, "rated", ANNA, BERTA)
    await count_all(store)
    await index_all(store)
    [one] = await store.explorer.moves(start())
    assert not {ANNA.id, BERTA.id, ANNA.name, BERTA.name} & set(map(str, vars_of(one)))


def vars_of(one):
    return [getattr(one, name) for name in one.__slots__]


async def test_a_deleted_game_is_no_longer_due_and_what_it_counted_stays(store):
    await finished(store, "counted")
    await index_all(store)
    await finished(store, "due", at=START + 1)
    await store.deletion.delete_games(["counted", "due"])
    assert await store.explorer.unexplored(10) == []
    await index_all(store)
    [one] = await store.explorer.moves(start())
    assert one.games == 1


async def test_a_game_that_cannot_be_read_holds_up_no_other(store):
    await finished(store, "bad")
    await finished(store, "good")
    real = store.load

    async def load(game_id, known=None):
        return None if game_id == "bad" else await real(game_id, known)

    store.load = load
    await index_all(store)
    assert await store.explorer.unexplored(10) == ["bad"]
    [one] = await store.explorer.moves(start())
    assert one.last == "good"


async def test_only_games_that_are_due_are_taken_in(store):
    await store.explorer.take_in([ExploredGame("nobody", ((start(), "e2e4"),), None, None, START)])
    assert await store.explorer.moves(start()) == []


async def test_a_site_that_is_moved_counts_its_games_anew(store):
    await finished(store, "moved")
    await index_all(store)
    [page] = [page async for page in store.records.games()]
    await store.records.clear()
    assert await store.explorer.moves(start()) == []
    await store.records.add_games([(document, None) for document in page])
    await index_all(store)
    [one] = await store.explorer.moves(start())
    assert one.games == 1


async def test_games_of_an_earlier_release_are_counted(place):
    store = await place.open()
    await finished(store, "old")
    await finished(store, "older", at=START + 1)
    await forget_the_explorer(store)
    if isinstance(place, SqlitePlace):
        await place.leave()
    store = await place.open()
    await index_all(store)
    [one] = await store.explorer.moves(start())
    assert one.games == 2


async def forget_the_explorer(store):
    """As a release that knew none has left the store."""
    if isinstance(store, SqliteStore):
        await store._file.write(undo_script)
    else:
        await store.explorer._filled.delete_one({"_id": "explorer"})
        await store._games.update_many({}, {"$unset": {"unexplored": ""}})


def undo_script(connection):
    """Takes the script that makes the explorer back, and all behind it: each only adds tables, indexes and columns."""
    before = next(number for number, script in enumerate(SCRIPTS) if "CREATE TABLE unexplored" in script)
    for script in reversed(SCRIPTS[before:]):
        for change in reversed([*CHANGE.finditer(script)]):
            if change["kind"]:
                # The indexes of a table are gone with it.
                connection.execute(f"DROP {change['kind']} IF EXISTS {change['made']}")
            elif change["column"]:
                connection.execute(f"ALTER TABLE {change['table']} DROP COLUMN {change['column']}")
    connection.execute(f"PRAGMA user_version = {before}")


@pytest.mark.slow
async def test_a_game_is_counted_once_wherever_the_server_stopped(place):
    store = await place.open()
    for stops, steps in enumerate(every_stop()):
        await finished(store, f"game{stops}", at=START + stops)
        watch(store.explorer, steps, ("_games", "_moves", "_batch"))
        done = True
        try:
            await index_all(store)
        except Stopped:
            done = False
        if isinstance(place, SqlitePlace):
            await place.leave()
        store = await place.open()
        await index_all(store)
        [one] = await store.explorer.moves(start())
        assert one.games == stops + 1, f"stopped {stops} times"
        if done:
            break
    assert stops >= (2 if isinstance(place, SqlitePlace) else 6)


async def test_several_servers_at_the_same_work_count_each_game_once(shared_place):
    stores = [await shared_place.open() for _ in range(3)]
    for number in range(30):
        await finished(stores[0], f"game{number:02}", at=START + number)
    await asyncio.gather(*(index_all(store) for store in stores))
    for store in stores:
        await index_all(store)
    [one] = await stores[0].explorer.moves(start())
    assert one.games == 30


async def test_a_server_whose_batch_came_too_late_loses_no_game(shared_place):
    """Another one wrote down a batch with one of the same games while this one gathered its own."""
    slow, quick = await shared_place.open(), await shared_place.open()
    await finished(slow, "first")
    await index_all(slow)
    both = await finished(slow, "both", at=START + 1)
    await finished(slow, "mine", at=START + 2)
    begin = slow.explorer._begin_batch

    async def late(number, games):
        slow.explorer._begin_batch = begin
        await quick.explorer.take_in([explored_game(both, {})])
        await begin(number, games)

    slow.explorer._begin_batch = late
    await index_all(slow)
    [one] = await slow.explorer.moves(start())
    assert (one.games, one.last) == (3, "mine")
