"""How long the opening explorer takes at 100,000 games, what it costs a game that ends, and how much room it takes.

    python -m tests.bench.explorer_bench [games]

The games are lines of thirty half-moves of which some are played much more often than others, as openings are; so the
first positions count nearly all games, and most of the last ones a single game. Each figure is the slowest of several
positions, each the best of three. The MongoDB figures are those of SecantusDB, a server for tests, with a hundredth of
the games; then those for looking up alone: counting all would take it hours, so their counts are put there at once, and
of the positions that only one game has a tenth.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter

from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.position import Position
from server.rules.notation.fen import start_position
from server.rules.variant.pieces import Color
from server.storage.mongo.explorer import UNEXPLORED
from server.storage.mongo.store import MongoStore
from server.storage.protocols.explorer import DEPTH, ExploredGame, additions, position_key
from server.storage.stores import Store
from tests.bench.storage_bench import opened
from tests.support.games import START
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import MongoPlace, SqlitePlace
from tests.support.storage.secantus import secantus_in_memory

GAMES = 100_000
BATCH = 20
LINES = 2_000
"""Different lines of known moves; what comes after `KNOWN` half-moves is each game's own."""
KNOWN = 14
TOGETHER = 2_000
"""Documents put there by one command."""
PLACES = (0, 1, 2, 4, 8, 16)
"""Half-moves after which positions are looked up."""


def lines(random: Random) -> list[list[tuple[str, str]]]:
    """Openings, and each a way on: positions and moves. Early moves are often the same."""
    return [line(random) for _ in range(LINES)]


def line(random: Random) -> list[tuple[str, str]]:
    position: Position = start_position(VARIANTS["chess"])
    steps = []
    for _ in range(DEPTH):
        moves = legal_moves(position)
        if not moves:
            break
        move = moves[min(int(random.expovariate(0.5)), len(moves) - 1)]
        steps.append((position_key(position), move.uci))
        position = play(position, move)
    return steps


def games(count: int) -> Sequence[ExploredGame]:
    random = Random(1)
    known = lines(random)
    return [
        ExploredGame(
            game=f"game{number:06d}",
            steps=own(known[int(random.random() ** 2 * LINES)], number),
            winner=random.choice((Color.WHITE, Color.BLACK, None)),
            rating=random.randrange(1000, 2400) if number % 2 else None,
            ended=START + number,
        )
        for number in range(count)
    ]


def own(steps: Sequence[tuple[str, str]], number: int) -> Sequence[tuple[str, str]]:
    """The line, whose late positions no other game has."""
    late = [(f"chess/{number:021d}{ply:x}", move) for ply, (_, move) in enumerate(steps[KNOWN:])]
    return [*steps[:KNOWN], *late]


async def marked(store: Store, found: Sequence[ExploredGame]) -> None:
    """Marks games as if they had just ended."""
    if isinstance(store, MongoStore):
        documents = [{"_id": one.game, UNEXPLORED: 1} for one in found]
        await store._games.insert_many(documents)
        return
    names = [(one.game,) for one in found]
    await store._file.write(lambda connection: connection.executemany("INSERT INTO unexplored VALUES (?)", names))  # type: ignore[attr-defined]


async def measure(name: str, store: Store, count: int) -> None:
    found, began, spent = games(count), perf_counter(), 0.0
    for start in range(0, count, BATCH):
        batch = found[start : start + BATCH]
        await marked(store, batch)
        began = perf_counter()
        await store.explorer.take_in(batch)
        spent += perf_counter() - began
    print(f"{name}: {count:,} games, {1000 * spent / count:.2f} ms to count one")
    await look_up(store, found)


async def look_up(store: Store, found: Sequence[ExploredGame]) -> None:
    for ply in PLACES:
        places = {one.steps[ply][0] for one in found[:200]}
        times = [await best_of_three(store, place) for place in sorted(places)[:20]]
        print(f"  after {ply:2} half-moves: {1000 * max(times):6.2f} ms")


async def measure_put(name: str, store: MongoStore, count: int) -> None:
    found = games(count)
    known = [replace(one, steps=one.steps[:KNOWN]) for one in found]
    alone = [replace(one, steps=one.steps[KNOWN:]) for one in found[::10]]
    counts = [*additions(known), *additions(alone)]
    for start in range(0, len(counts), TOGETHER):
        documents = [{"_id": f"{one['position']} {one['move']}", **one} for one in counts[start : start + TOGETHER]]
        await store._database["explorer"].insert_many(documents, ordered=False)
    print(f"{name}: {count:,} games, {len(counts):,} documents")
    await look_up(store, found[::10])


async def best_of_three(store: Store, place: str) -> float:
    times = []
    for _ in range(3):
        began = perf_counter()
        await store.explorer.moves(place)
        times.append(perf_counter() - began)
    return min(times)


async def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = SqlitePlace(Path(folder))
        async with opened(place) as store:
            empty = place.path.stat().st_size
            await measure("SQLite", store, count)
        print(f"  {(place.path.stat().st_size - empty) / count / 1000:.2f} kB a game")
    with secantus_in_memory() as database:
        async with opened(MongoPlace(database.uri)) as store:
            await measure("SecantusDB", store, count // 100)
        async with opened(MongoPlace(database.uri)) as store:
            assert isinstance(store, MongoStore)
            await measure_put("SecantusDB", store, count)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
