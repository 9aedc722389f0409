"""How long a page of the archive takes at 100,000 games, and what the archive costs a game when it ends.

    python -m tests.bench.archive_bench [games]

Every question is asked as the site asks it, at the newest page and from the middle on; the figure is the slowest of
both, each the best of three, as the machine has other work. "whole" is the time in which a page as full as can be is
given (see `server/web/archive/search.py`). The MongoDB figures are those of SecantusDB, a server for tests.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from server.rules.variant.pieces import Color
from server.storage.mongo.archive import MongoArchive, stored
from server.storage.protocols.archive import ArchiveEntry, Search, entry, entry_of, key_at
from server.storage.sqlite.archive import insert_entry
from server.storage.stores import Store
from server.web.archive.search import look
from tests.bench.storage_bench import opened
from tests.support.games import START, over_game
from tests.support.storage.engines import MongoPlace, SqlitePlace
from tests.support.storage.secantus import secantus_in_memory

GAMES = 100_000
BATCH = 1_000
PAGE = 20
MINUTE = 60_000
BUSY = 2_000
"""Games of the busiest player for every 100,000."""

QUESTIONS = {
    "newest": Search(),
    "variant": Search(variant="grand"),
    "rare variant": Search(variant="acedrex"),
    "variant and draw": Search(variant="grand", outcome="draw"),
    "variant, reason, result, rated": Search(variant="grand", reason="stalemate", outcome="draw", rated=True),
    "nothing fits": Search(variant="grand", reason="bare-king", outcome="draw", rated=True, source="played"),
    "common, but never together": Search(variant="shouse", reason="stalemate"),
    "six common, never together": Search(
        variant="chess", chess960=False, outcome="black", reason="time", rated=True, source="played"
    ),
    "imported": Search(source="imported"),
    "960": Search(chess960=True),
    "a day in between": Search(since=START + GAMES // 2 * MINUTE, until=START + (GAMES // 2 + 1440) * MINUTE),
    "busy player": Search(player="busy"),
    "busy player as black": Search(player="busy", color=Color.BLACK),
    "busy player won": Search(player="busy", outcome="won"),
    "busy player, rare variant": Search(player="busy", variant="acedrex"),
    "two players": Search(player="busy", opponent="name7"),
    "unknown player": Search(player="nobody"),
}


def entries(count: int) -> Sequence[ArchiveEntry]:
    """Entries of so many games, one a minute, like those that people play: few variants often, most endings seldom."""
    model = entry_of(over_game())
    assert model is not None
    random = Random(1)
    variants = random.choices(["chess", "crazyhouse", "grand", "shouse", "acedrex"], [50, 30, 14, 5.9, 0.1], k=count)
    endings = [("1-0", "checkmate"), ("0-1", "resign"), ("1-0", "time"), ("1/2-1/2", "stalemate"), ("0-1", "bare-king")]
    made = []
    for number in range(count):
        variant = variants[number]
        result, reason = random.choices(endings, [40, 40, 15, 4.9, 0.1])[0]
        if variant == "shouse" and reason == "stalemate":
            reason = "time"
        white, black = (player(random), player(random))
        ended = START + number * MINUTE
        line: dict[str, int | str] = {
            "_id": f"{number:010d}",
            "variant": variant,
            "chess960": int(random.random() < 0.02),
            "white_name": white,
            "black_name": black,
            "rated": int(random.random() < 0.5),
            "control": "realtime",
            "initial": "300000 300000",
            "increment": "3000 3000",
            "days": -1,
            "status": "over",
            "result": result,
            "reason": reason,
            "plies": 80,
            "created": ended,
            "ended": ended,
            "board": "8/" * 7 + "8",
            "imported": int(random.random() < 0.05),
        }
        made.append(entry(line))
    return made


def player(random: Random) -> str:
    return "Busy" if random.random() < BUSY / GAMES / 2 else f"name{random.randrange(5_000)}"


async def fill(store: Store, made: Sequence[ArchiveEntry]) -> None:
    """Puts the entries into the archive without their games, which no search looks at."""
    archive: Any = store.archive
    for start in range(0, len(made), BATCH):
        batch = made[start : start + BATCH]
        if isinstance(archive, MongoArchive):
            await archive._entries.insert_many([{"_id": one.id, **stored(one)} for one in batch])
        else:
            await archive._file.write(lambda connection, batch=batch: [insert_entry(connection, one) for one in batch])


async def best(ask: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of the quickest of three."""
    took = []
    for _ in range(3):
        began = perf_counter()
        await ask()
        took.append((perf_counter() - began) * 1_000)
    return min(took)


async def measure(name: str, store: Store, made: Sequence[ArchiveEntry]) -> None:
    began = perf_counter()
    await fill(store, made)
    print(f"{name}: {len(made)} games filled in {perf_counter() - began:.1f} s")
    middle = key_at(START + len(made) // 2 * MINUTE)
    worst = 0.0
    for words, search in QUESTIONS.items():
        one = max(
            [await best(lambda at=at, search=search: store.archive.page(search, PAGE, at)) for at in ("", middle)]
        )
        whole = max(
            [await best(lambda at=at, search=search: look(store.archive, search, PAGE, at)) for at in ("", middle)]
        )
        found = await look(store.archive, search, PAGE, "")
        worst = max(worst, one, whole)
        more = "and more" if found.next else "all"
        print(f"{name:9} {words:32} page {one:6.1f} ms   whole {whole:6.1f} ms   {len(found.games):2} games {more}")
    print(f"{name:9} slowest {worst:.1f} ms")


async def main() -> None:
    made = entries(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(SqlitePlace(Path(folder))) as store:
            await measure("SQLite", store, made)
    with secantus_in_memory() as server:
        async with opened(MongoPlace(server.uri)) as store:
            await measure("SecantusDB", store, made)


if __name__ == "__main__":
    asyncio.run(main())
