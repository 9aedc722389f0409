"""A rated game moves each rating exactly once, wherever the one who counts it is stopped: at every single step of the
store, by kill -9, and with others at the same work.
"""

import asyncio
import subprocess
import sys
from collections import Counter
from itertools import islice
from random import Random

import pytest

from server.games.player import Player
from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import Tally
from tests.support.games import START
from tests.support.storage.engines import SqlitePlace, place_of
from tests.support.storage.rated_games import (
    ANNA,
    BERTA,
    CARL,
    DORA,
    DRAW,
    LOSS,
    WIN,
    category,
    count_all,
    played,
    register,
)
from tests.support.storage.write_steps import Stopped, every_stop, watch

pytestmark = pytest.mark.slow

PEOPLE = (ANNA, BERTA, CARL, DORA)
COLLECTIONS = ("_games", "_perfs", "_scores", "_counted")


class Trio:
    """Three games of two people who are not met in any other test."""

    def __init__(self, name):
        self.name = name
        self.anna, self.berta = Player(f"id-anna-{name}", f"Anna-{name}"), Player(f"id-berta-{name}", f"Berta-{name}")

    async def play(self, store):
        """Two of them have been counted, the last is due."""
        await register(store, self.anna, self.berta)
        await played(store, f"one-{self.name}", self.anna, self.berta, WIN)
        await played(store, f"two-{self.name}", self.berta, self.anna, DRAW, START + 1)
        await count_all(store)
        await played(store, f"three-{self.name}", self.anna, self.berta, LOSS, START + 2)
        (due,) = await store.ratings.uncounted(10)
        return due

    async def outcome(self, store):
        """All that is kept of them, without their names."""
        people = (self.anna, self.berta)
        return (
            [(one.rating, one.tally) for who in people for one in await store.ratings.perfs(who.id)],
            [await store.ratings.history(who.id, category(), 100) for who in people],
            [one.tally for who in people for one in await store.ratings.scores(who.id, 100)],
            [await store.ratings.changes(f"{game}-{self.name}") for game in ("one", "two", "three")],
        )


async def next_life(place):
    """The store as the next server opens it, after one that did not stop properly where that can be had."""
    if isinstance(place, SqlitePlace):
        await place.leave()
    return await place.open()


@pytest.mark.row("F14")
async def test_a_game_is_counted_once_wherever_the_server_stopped(place):
    store = await place.open()
    whole = Trio("whole")
    await whole.play(store)
    await count_all(store)
    expected = await whole.outcome(store)
    assert [tally for _, tally in expected[0]] == [Tally(1, 1, 1)] * 2
    assert [[change.number for change in history] for history in expected[1]] == [[1, 2, 3]] * 2
    for stops, steps in enumerate(every_stop()):
        trio = Trio(f"stop{stops}")
        due = await trio.play(store)
        watch(store.ratings, steps, COLLECTIONS)
        finished = True
        try:
            await store.ratings.count(due)
        except Stopped:
            finished = False
        store = await next_life(place)
        await count_all(store)
        assert await trio.outcome(store) == expected, f"stopped {stops} times"
        if finished:
            break
    assert stops >= (2 if isinstance(place, SqlitePlace) else 11)


async def test_games_played_before_the_rest_is_counted_spoil_nothing(shared_place):
    """One node dies in the middle; another counts the players' next games, and only then the one that was left."""
    store = await shared_place.open()
    for stops, steps in enumerate(islice(every_stop(), 12)):
        trio = Trio(f"stop{stops}")
        due = await trio.play(store)
        watch(store.ratings, steps, COLLECTIONS)
        with pytest.raises(Stopped):
            await store.ratings.count(due)
        store = await shared_place.open()
        await played(store, f"four-{trio.name}", trio.berta, trio.anna, WIN, START + 3)
        for left in sorted(await store.ratings.uncounted(10), key=lambda one: one.game == due.game):
            await store.ratings.count(left)
        for who in (trio.anna, trio.berta):
            history = await store.ratings.history(who.id, category(), 100)
            assert [change.number for change in history] == [1, 2, 3, 4]
            assert [change.before for change in history[1:]] == [change.after for change in history[:-1]]
        perfs = [await store.ratings.perf(who.id, category()) for who in (trio.anna, trio.berta)]
        assert [one.tally for one in perfs] == [Tally(1, 1, 2), Tally(2, 1, 1)]
        assert [one.rating.games for one in perfs] == [4, 4]
        assert set(await store.ratings.changes(due.game)) == set(Color)


async def test_several_servers_at_the_same_work_count_each_game_once(shared_place):
    stores = [await shared_place.open() for _ in range(3)]
    await register(stores[0], *PEOPLE)
    random = Random(1)
    for number in range(20):
        white, black = random.sample(PEOPLE, 2)
        await played(stores[0], f"game{number}", white, black, random.choice((WIN, DRAW, LOSS)), START + number)
    await asyncio.gather(*(count_all(store) for store in stores))
    await all_counted(stores[0], 20)


async def all_counted(store, games):
    """Every stored game has been counted once, in ratings, tallies and scores alike. Fails if not."""
    sat = Counter(await seats(store))
    assert sat.total() == 2 * games
    for player in PEOPLE:
        perf = await store.ratings.perf(player.id, category())
        assert perf.tally.games == perf.rating.games == sat[player.id]
        assert sum(one.tally.games for one in await store.ratings.scores(player.id, 10)) == sat[player.id]
        history = await store.ratings.history(player.id, category(), 10_000)
        assert [change.number for change in history] == list(range(1, sat[player.id] + 1))
        assert [change.before for change in history[1:]] == [change.after for change in history[:-1]]


async def seats(store):
    """Who sat in the stored games that are over, once for each seat."""
    return [
        player.id
        for player in PEOPLE
        for game in await store.by_player(player.id, 100_000)
        if game.status == "over" and player.name in (game.white, game.black)
    ]


@pytest.mark.row("F14")
@pytest.mark.parametrize("engine", ["sqlite", "SecantusDB"])
async def test_repeated_kills_while_counting_lose_nothing(engine, request, full):
    place = place_of(engine, request)
    where = str(place.path) if isinstance(place, SqlitePlace) else place.uri
    store = await place.open()
    await register(store, *PEOPLE)
    await place.leave()
    random = Random(2)
    lives = 4 if full else 2
    for life in range(lives):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.storage.every_store.games_to_kill", where, f"life{life}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        await process.stdout.readexactly(10)
        await asyncio.sleep(random.uniform(0.05, 0.3))
        process.kill()
        _, errors = await process.communicate()
        assert not errors.decode()
    store = await place.open()
    await count_all(store)
    games = len(await seats(store)) // 2
    assert games >= 10 * lives
    await all_counted(store, games)
    await place.leave()
