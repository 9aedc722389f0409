"""How long pages about players ask the store at 100,000 games of 10,000 people, and what counting one more costs.

    python -m tests.bench.ratings_bench [games]

One person has played a thousandth of the games, and half of all games are of one category. Each figure is the median
of five, in ms. The MongoDB figures are those of SecantusDB, a server for tests.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from server.games.clocks.speed import Speed
from server.games.player import Player
from server.games.rating import Rating
from server.rules.variant.pieces import Color
from server.storage.mongo.rating_fields import perf_after
from server.storage.mongo.ratings import MongoRatings, score_fields
from server.storage.protocols.ratings import Category, FinishedGame, Tally
from server.storage.sqlite.ratings import _count
from tests.bench.storage_bench import opened
from tests.support.games import START
from tests.support.storage.engines import MongoPlace, SqlitePlace
from tests.support.storage.rated_games import played
from tests.support.storage.secantus import secantus_in_memory

GAMES = 100_000
PEOPLE = 10_000
BATCH = 1_000
MINUTE = 60_000
TIMES = 5
COMMON = Category("chess", False, Speed.BLITZ)
SPEEDS = (Speed.BULLET, Speed.BLITZ, Speed.RAPID)


def dues(games: int) -> Sequence[FinishedGame]:
    """Games of everybody with everybody, one a minute."""
    random = Random(1)
    made = []
    for number in range(games):
        white, black = random.sample(range(PEOPLE), 2)
        white = 0 if random.random() < 0.001 and black else white
        category = COMMON
        if random.random() < 0.5:
            category = Category(random.choice(("crazyhouse", "grand", "shouse")), False, random.choice(SPEEDS))
        winner = random.choice((Color.WHITE, Color.BLACK, None))
        made.append(
            FinishedGame(f"g{number:09d}", category, True, who(white), who(black), winner, START + number * MINUTE)
        )
    return made


def who(number: int) -> str:
    return f"p{number:05d}"


async def fill_sqlite(store: Any, made: Sequence[FinishedGame]) -> None:
    people = [(who(number), f"Name{number}", 0, START) for number in range(PEOPLE)]
    await store._file.write(
        lambda file: file.executemany("INSERT INTO users (id, name, guest, created) VALUES (?, ?, ?, ?)", people)
    )
    for start in range(0, len(made), BATCH):
        batch = made[start : start + BATCH]

        def write(file: Any, batch: Sequence[FinishedGame] = batch) -> None:
            file.executemany("INSERT INTO uncounted VALUES (?)", [(finished.game,) for finished in batch])
            for finished in batch:
                _count(file, finished)

        await store._file.write(write)


async def fill_mongo(store: Any, made: Sequence[FinishedGame]) -> None:
    """What counting all of it one by one would have left."""
    perfs: dict[str, Any] = {}
    scores: dict[str, Any] = {}
    notes = []
    for finished in made:
        ratings = {color: _strength(perfs, finished, color) for color in Color}
        for color in Color:
            player, opponent = finished.player(color), finished.player(color.other)
            key, pair = f"{player}|{finished.category.key}", f"{player}|{opponent}"
            after = perf_after(perfs.get(key), finished=finished, color=color, strength=ratings[color.other])
            perfs[key] = {"_id": key, "last": finished.game, "taken": 1, **after}
            notes.append({**after, "_id": f"{finished.game}|{key}"})
            tally = Tally().after(finished.score(color))
            met = score_fields(scores.get(pair), player=player, opponent=opponent, tally=tally)
            scores[pair] = {"_id": pair, "last": finished.game, "taken": 1, **met}
    people = [{"_id": who(number), "name": f"Name{number}", "guest": 0, "created": START} for number in range(PEOPLE)]
    for collection, documents in (
        ("users", people),
        ("standings", list(perfs.values())),
        ("scores", list(scores.values())),
        ("counted", notes),
    ):
        for start in range(0, len(documents), BATCH):
            await store._client.get_default_database()[collection].insert_many(documents[start : start + BATCH])


def _strength(perfs: Any, finished: FinishedGame, color: Color) -> Rating:
    found = perfs.get(f"{finished.player(color)}|{finished.category.key}")
    return Rating() if found is None else Rating(found["value"] / 1000, found["deviation"] / 1000)


async def took(ask: Callable[[], Awaitable[Any]]) -> float:
    """Median ms of one question."""
    times = []
    for _ in range(TIMES):
        began = perf_counter()
        await ask()
        times.append((perf_counter() - began) * 1000)
    return median(times)


async def count_one(store: Any, numbers: Any) -> float:
    """Median ms from the end of a stored game until it has been counted."""
    times = []
    white, black = Player(who(0), "Name0"), Player(who(1), "Name1")
    for _ in range(TIMES):
        await played(store, f"new{next(numbers)}", white, black)
        began = perf_counter()
        (finished,) = await store.ratings.uncounted(1)
        await store.ratings.count(finished)
        times.append((perf_counter() - began) * 1000)
    return median(times)


async def measure(name: str, store: Any, made: Sequence[FinishedGame]) -> None:
    ratings, now = store.ratings, START + len(made) * MINUTE
    rare = Category("shouse", False, Speed.RAPID)
    questions: dict[str, Callable[[], Awaitable[Any]]] = {
        "leaders, common category": lambda: ratings.leaders(COMMON, now, 50),
        "leaders, rare category": lambda: ratings.leaders(rare, now, 50),
        "leaders, all provisional": lambda: ratings.leaders(COMMON, now + 10**12, 50),
        "leaders, nobody": lambda: ratings.leaders(Category("acedrex", False, Speed.BLITZ), now, 50),
        "latest_category": ratings.latest_category,
        "standings of the busiest": lambda: ratings.perfs(who(0)),
        "history of the busiest": lambda: ratings.history(who(0), COMMON, 300),
        "opponents of the busiest": lambda: ratings.scores(who(0), 8),
        "what a game did": lambda: ratings.changes(made[len(made) // 2].game),
        "uncounted": lambda: ratings.uncounted(50),
    }
    sys.stdout.write(f"{name}, {len(made)} games\n")
    for words, ask in questions.items():
        sys.stdout.write(f"  {words:28} {await took(ask):8.2f} ms\n")
    sys.stdout.write(f"  {'counting one game':28} {await count_one(store, count()):8.2f} ms\n")


async def main() -> None:
    made = dues(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(SqlitePlace(Path(folder))) as store:
            await fill_sqlite(store, made)
            await measure("SQLite", store, made)
    with secantus_in_memory() as server:
        async with opened(MongoPlace(server.uri)) as store:
            await fill_mongo(store, made)
            assert isinstance(store.ratings, MongoRatings)
            await measure("SecantusDB", store, made)


if __name__ == "__main__":
    asyncio.run(main())
