"""How many moves a second the stores make durable, group commit beside one commit per move in the same run.

    python -m tests.bench.storage_bench

A closed loop: so many games at once, each saving its next move as soon as the last one is acknowledged. Both ways go
through the same code; "one by one" lets only one move into a batch. They take turns, so that a busy machine slows
both; what matters are the ratios. SQLite waits for the disk at every commit. The MongoDB figures are those of
SecantusDB, a server for tests: of them only the ratio says anything.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from server.games.clocks.time_control import TimeControl
from server.games.state import Game
from server.storage import group_commit
from server.storage.stores import Store
from tests.support.games import live_game
from tests.support.storage.engines import MongoPlace, SqlitePlace
from tests.support.storage.secantus import secantus_in_memory
from tests.support.storage.stored_games import random_steps

GAMES = (1, 100, 1000)
ROUNDS = 3
SECONDS = 1.0
"""Of each measurement; there are ROUNDS of each kind."""
WAYS = {"one by one": 1, "group": group_commit.BATCH_LIMIT}

course: list[Game] = random_steps(live_game(variant="grand", control=TimeControl.unlimited()), 200)
numbers: Iterator[int] = count()


async def new_game(store: Store) -> str:
    game_id = f"bench{next(numbers)}"
    await store.create(replace(course[0], id=game_id))
    return game_id


async def play_on(store: Store, game_id: str, until: float, took: list[float]) -> None:
    """Save one game after the other, move by move, until the time is over; note how long each move took, in seconds."""
    while True:
        for before, after in pairwise(course):
            began = perf_counter()
            if began >= until:
                return
            await store.save(replace(before, id=game_id), replace(after, id=game_id))
            took.append(perf_counter() - began)
        game_id = await new_game(store)


async def measured(store: Store, games: int, way: str) -> list[float]:
    """Seconds of every move saved within SECONDS by so many games at once."""
    group_commit.BATCH_LIMIT = WAYS["group"]
    game_ids = await asyncio.gather(*(new_game(store) for _ in range(games)))
    group_commit.BATCH_LIMIT = WAYS[way]
    took: list[float] = []
    until = perf_counter() + SECONDS
    await asyncio.gather(*(play_on(store, game_id, until, took) for game_id in game_ids))
    return took


async def compare(name: str, store: Store) -> None:
    for games in GAMES:
        rounds: dict[str, list[list[float]]] = {way: [] for way in WAYS}
        for _ in range(ROUNDS):
            for way in WAYS:
                rounds[way].append(await measured(store, games, way))
        rates = {way: median(len(took) for took in rounds[way]) / SECONDS for way in WAYS}
        figures = "   ".join(f"{way}: {rates[way]:7.0f}/s {latency(rounds[way])}" for way in WAYS)
        print(f"{name:9} {games:5} games   {figures}   ratio {rates['group'] / max(1, rates['one by one']):5.1f}")


def latency(rounds: list[list[float]]) -> str:
    took = [seconds * 1_000 for one in rounds for seconds in one]
    return f"p50 {median(took):7.2f} p99 {quantiles(took, n=100)[98]:7.2f} ms" if len(took) > 1 else "too slow to say"


@asynccontextmanager
async def opened(place: SqlitePlace | MongoPlace) -> AsyncIterator[Store]:
    try:
        yield await place.open()
    finally:
        await place.leave()


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(SqlitePlace(Path(folder))) as store:
            await compare("SQLite", store)
            began = perf_counter()
            game = await store.load("bench0")
            print(f"SQLite    read and replay {len(game.plies) if game else 0} moves: {perf_counter() - began:.4f} s")
    with secantus_in_memory() as server:
        async with opened(MongoPlace(server.uri)) as store:
            await compare("SecantusDB", store)


if __name__ == "__main__":
    asyncio.run(main())
