"""How long an import takes, and how long anything else on the server has to wait meanwhile.

    python -m tests.bench.import_bench

The file holds as many recorded games as one import takes. While it is worked on, a heartbeat asks for its turn every
millisecond; how late it gets it is what a move would wait. The same heartbeat on the idle server is the measure.
"""

import asyncio
from itertools import islice
from statistics import quantiles
from time import perf_counter

from server.games.state import Game
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidPgn
from server.web.archive.imports import MAX_GAMES, ImportedGame, Imports
from tests.support.games import START
from tests.support.rules.pgn_texts import as_pgn
from tests.support.rules.vectors import GAME_FILES, records

BEAT_S = 0.001
IDLE_S = 2.0


class Forgetful:
    """A store that keeps nothing, so that the figures are those of the work itself."""

    async def load(self, game_id: str) -> None:
        await asyncio.sleep(0)

    async def create(self, game: Game) -> None:
        await asyncio.sleep(0)


async def beat(late: list[float]) -> None:
    """Notes for ever by how many ms its turn came late."""
    while True:
        began = perf_counter()
        await asyncio.sleep(BEAT_S)
        late.append((perf_counter() - began - BEAT_S) * 1_000)


class Everything:
    """An `Admission` without a limit."""

    async def is_open(self) -> bool:
        return True

    async def admit(self, game: Game, text: str) -> bool:
        return True

    def charge(self, error: InvalidPgn, text: str) -> None:
        pass


async def main() -> None:
    variants = load_catalogue()
    longest = (game for name in GAME_FILES for game in sorted(records(name), key=lambda one: -len(one["moves"]))[:15])
    text = "\n".join(as_pgn(variants, game) for game in islice(longest, MAX_GAMES))
    records.cache_clear()
    imports = Imports(Forgetful(), variants, lambda: START)  # type: ignore[arg-type]
    idle: list[float] = []
    late: list[float] = []
    heart = asyncio.create_task(beat(idle))
    await asyncio.sleep(IDLE_S)
    heart.cancel()
    heart = asyncio.create_task(beat(late))
    began = perf_counter()
    taken = [one async for one in imports.take(text, "here", Everything()) if isinstance(one, ImportedGame)]
    took = perf_counter() - began
    heart.cancel()
    plies = sum(one.plies for one in taken)
    print(f"{len(taken)} games, {plies} plies, {len(text) // 1000} KB: {took:.1f} s")
    for name, waits in (("idle", idle), ("importing", late)):
        cuts = quantiles(waits, n=100)
        print(f"{name:9} late by p50 {cuts[49]:.1f} p99 {cuts[98]:.1f} ms, at most {max(waits):.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
