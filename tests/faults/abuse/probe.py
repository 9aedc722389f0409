"""The probe: people who play on while a server is attacked, and how long each of their moves takes.

A move is timed twice: by the clock, and by what the server's process computed until the move was answered. The second
does not grow because other programs want the machine too, so it can be judged anywhere. Knows no attack.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.support.live.guests import Guest
from tests.support.live.play import seat_at, settle
from tests.support.live.recorded_games import Score, scores
from tests.support.live.tables import Figures, Table, centile
from tests.support.live.wire import Socket

AT_ONCE = 6
EVERY_S = 0.22
"""Between two moves of a game: a player may send five messages a second."""
MIN_PLIES = 160
LOST_S = 60.0
"""A move that is never answered counts as so long."""


@dataclass(frozen=True, slots=True)
class Move:
    """When it was sent (monotonic s), until its answer came, and what the server computed meanwhile (ms)."""

    sent: float
    took_ms: float
    computed_ms: float


@dataclass(frozen=True, slots=True)
class Waits:
    """Of so many moves, ms: half of them took no longer than `p50`."""

    moves: int
    p50: float
    p99: float
    worst: float

    def __str__(self) -> str:
        return f"{self.p50:.0f} / {self.p99:.0f} / {self.worst:.0f} ms"


NOTHING = Waits(0, 0, 0, 0)


def waits(values: list[float]) -> Waits:
    if not values:
        return Waits(0, LOST_S * 1000, LOST_S * 1000, LOST_S * 1000)
    return Waits(len(values), centile(values, 0.5), centile(values, 0.99), max(values))


def computed_s(pid: int) -> float:
    """Seconds of CPU that all threads of a process have had; its clock's id is made of `pid` so on Linux."""
    return time.clock_gettime((~pid << 3) | 2)


class TimedTable(Table):
    """A game whose moves are timed. `pid`: the server's."""

    pid = 0

    def __init__(self, moves: tuple[str, ...], figures: Figures) -> None:
        super().__init__(moves, figures)
        self.timed: list[Move] = []
        self.guests: tuple[Guest, Guest] | None = None
        self._sent = (0.0, 0.0)
        self.unanswered = False

    def send_move(self) -> None:
        self.unanswered = not self.over
        self._sent = time.monotonic(), computed_s(self.pid) if self.pid else 0.0
        super().send_move()

    def hear(self, line: Socket, text: bytes) -> None:
        if text.startswith(b'{"t":"ok"') and self.unanswered:
            self.unanswered = False
            self.timed.append(self._so_far())
        super().hear(line, text)

    def _so_far(self) -> Move:
        sent, computed = self._sent
        computed_ms = (computed_s(self.pid) - computed) * 1000 if self.pid else 0.0
        return Move(sent, (time.monotonic() - sent) * 1000, computed_ms)

    @property
    def all_moves(self) -> list[Move]:
        """Those that still wait for an answer count as they are."""
        return [*self.timed, self._so_far()] if self.unanswered else self.timed

    @property
    def lost(self) -> bool:
        return any(socket.closed.done() for socket in self.sockets)


class Probe:
    """Some games in play at a time, out of more that were begun before the attack."""

    def __init__(self, tables: list[TimedTable], figures: Figures) -> None:
        self.tables, self.figures, self._somebody = tables, figures, 0

    def waits(self, began: float, ended: float) -> tuple[Waits, Waits]:
        """Of the moves sent between these: by the clock, and by what the server computed."""
        moves = [move for table in self.tables for move in table.all_moves if began <= move.sent <= ended]
        return waits([move.took_ms for move in moves]), waits([move.computed_ms for move in moves])

    @property
    def somebodys(self) -> TimedTable:
        """A game in play, another one each time."""
        self._somebody += 1
        return self.tables[self._somebody % len(self.tables)]

    def errors(self) -> list[str]:
        """What went wrong in the games themselves."""
        lost = [f"{table.game}: a player's connection was lost" for table in self.tables if table.lost]
        return lost + [text.decode() for text in self.figures.refused]

    async def answered(self) -> None:
        """Returns when no move waits for its answer, after LOST_S at most."""
        ends = time.monotonic() + LOST_S
        while any(table.unanswered for table in self.tables) and time.monotonic() < ends:  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    async def play(self) -> None:
        """Until cancelled, or until every game is over."""
        await asyncio.gather(*(self._play(self.tables[first::AT_ONCE], first) for first in range(AT_ONCE)))

    async def _play(self, tables: list[TimedTable], number: int) -> None:
        await asyncio.sleep(number * EVERY_S / AT_ONCE)
        for table in tables:
            while not table.over:
                if not table.waiting:
                    table.send_move()
                await asyncio.sleep(EVERY_S)


def scores_for(seconds: float) -> Iterator[Score]:
    """Games that last so long, the longest of every variant first."""
    long = sorted(scores(MIN_PLIES), key=lambda score: -len(score.moves))
    played = 0.0
    while played < seconds * AT_ONCE:
        for score in long:
            if played >= seconds * AT_ONCE:
                return
            played += (len(score.moves) - 2) * EVERY_S
            yield score


@asynccontextmanager
async def probing(port: int, pid: int, seconds: float):
    """A probe that plays, for so long at most, until the block ends."""
    figures = Figures()
    kind = type("TableHere", (TimedTable,), {"pid": pid})
    tables = await seat_at(port, port, list(scores_for(seconds)), figures, kind)
    await settle(tables)
    probe = Probe(tables, figures)
    playing = asyncio.create_task(probe.play())
    try:
        yield probe
    finally:
        playing.cancel()
        for table in tables:
            for socket in table.sockets:
                socket.close()
