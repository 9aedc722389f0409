"""What one move costs in live play, beside the rules alone in the same run.

    python -m tests.bench.realtime_bench

Two connections of a game sit in this process and play the same random game; a move is done when its sender has the
`ok` and both have seen it. The store is the embedded one, on disk and fully durable. `x rules` is how many times the
rules' own work for that move (read, play, list the answers) a whole move takes; memory is what Python holds for a
live game with its two connections, sockets not included.
"""

import asyncio
import gc
import json
import random
import tempfile
import tracemalloc
from pathlib import Path
from time import perf_counter

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.live import LivePlay
from server.realtime.play.connection import Connection
from server.realtime.play.creation import create_open_game
from server.rules.catalogue import load_catalogue
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.sqlite.store import SqliteStore
from tests.support.realtime.manual_outbox import ManualOutbox

PLIES = 60
"""Few enough that no player sends more than they may in a moment."""
GAMES = (1, 50, 200)


def random_games(variant: Variant, count: int) -> list[list[str]]:
    """`count` different random games of PLIES half-moves."""
    games: list[list[str]] = []
    rng = random.Random(1)
    while len(games) < count:
        position, moves = parse_fen(variant, variant.start_fen), []
        while len(moves) < PLIES and outcome(position) is None:
            move = rng.choice(legal_moves(position))
            moves.append(move.uci)
            position = play(position, move)
        if len(moves) == PLIES:
            games.append(moves)
    return games


def rules_alone(variant: Variant, games: list[list[str]]) -> float:
    """Seconds for each move that the rules take."""
    start = perf_counter()
    for moves in games:
        position = parse_fen(variant, variant.start_fen)
        for text in moves:
            position = play(position, parse_uci(position, text))
            legal_moves(position)
            outcome(position)
    return (perf_counter() - start) / (len(games) * PLIES)


class ReadOutbox(ManualOutbox):
    """Its reader waits for `more`."""

    def __init__(self) -> None:
        super().__init__()
        self.more = asyncio.Event()

    def wake(self, *, in_turn: bool = False) -> None:
        self.more.set()


class Tab:
    """A connection whose outbox is read like a socket's."""

    def __init__(self, live: LivePlay, player: Player) -> None:
        self.live = live
        self.outbox = ReadOutbox()
        self.connection = Connection(live.rounds, player, self.outbox)

    def send(self, **fields: object) -> None:
        self.connection.receive(json.dumps(fields), self.live.services.now())

    async def until(self, kind: str) -> None:
        start = f'{{"t":"{kind}"'
        while True:
            while (text := self.outbox.take()) is not None:
                if text.startswith(start):
                    return
            await self.outbox.more.wait()
            self.outbox.more.clear()


async def one_game(live: LivePlay, variant: Variant, number: int, moves: list[str], waits: list[float]) -> list[Tab]:
    """Plays `moves`; adds to `waits` how long each sender waited for their `ok`, seconds."""
    players = [Player(f"{name}-{number}", name) for name in ("white", "black")]
    terms = Terms(variant, False, variant.start_fen, TimeControl.realtime(3_600_000, 0), rated=False)
    created = await create_open_game(live.rounds.services, terms, players[0], Color.WHITE)
    await live.rounds.join(created.game.id, created.secret, players[1])
    tabs = [Tab(live, player) for player in players]
    for tab in tabs:
        tab.send(t="hi", proto=1, game=created.game.id)
        await tab.until("snapshot")
    for ply, uci in enumerate(moves):
        mover, other = tabs[ply % 2], tabs[1 - ply % 2]
        start = perf_counter()
        mover.send(t="move", id=ply, ply=ply, uci=uci)
        await mover.until("ok")
        waits.append(perf_counter() - start)
        await mover.until("moved")
        await other.until("moved")
    return tabs


async def measure(variant: Variant, games: list[list[str]], alone: float) -> None:
    """Plays `games` at once over a fresh store and prints one line."""
    with tempfile.TemporaryDirectory() as folder:
        store = await SqliteStore.open(Path(folder) / "bench.sqlite3", {variant.id: variant})
        live = LivePlay(store, {})
        await live.start()
        waits: list[float] = []
        start = perf_counter()
        await asyncio.gather(*(one_game(live, variant, number, moves, waits) for number, moves in enumerate(games)))
        each = (perf_counter() - start) / (len(games) * PLIES)
        waits.sort()
        print(
            f"{len(games):4} games  {1 / each:7.0f} moves/s  {each / alone:5.1f} x rules  "
            f"ok p50 {waits[len(waits) // 2] * 1e3:6.1f} ms  p99 {waits[len(waits) * 99 // 100] * 1e3:6.1f} ms"
        )
        await live.stop()
        await store.close()


async def measure_memory(variant: Variant, moves: list[str], games: int = 30) -> None:
    """Prints what a live game holds at the start and after all moves."""
    with tempfile.TemporaryDirectory() as folder:
        store = await SqliteStore.open(Path(folder) / "bench.sqlite3", {variant.id: variant})
        live = LivePlay(store, {})
        await live.start()
        for length in (0, len(moves)):
            await one_game(live, variant, -1 - length, moves[:length], [])
            gc.collect()
            tracemalloc.start()
            kept = [await one_game(live, variant, length * games + n, moves[:length], []) for n in range(games)]
            gc.collect()
            held, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            print(f"after {length:2} half-moves a live game holds {held / len(kept) / 1024:5.1f} KiB")
        await live.stop()
        await store.close()


async def main() -> None:
    variant = load_catalogue()["chess"]
    alone = rules_alone(variant, random_games(variant, 50))
    print(f"the rules alone: {alone * 1e6:.0f} us a move")
    for count in GAMES:
        await measure(variant, random_games(variant, count), alone)
    await measure_memory(variant, random_games(variant, 1)[0])


if __name__ == "__main__":
    asyncio.run(main())
