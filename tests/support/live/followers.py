"""Simulated players on real sockets, who follow recorded games and write down what they hear. Knows no faults."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import aiohttp

from server.storage.sqlite.store import SqliteStore
from tests.support.live.guests import CLOCK, GAMES_EACH, Guest
from tests.support.live.ledger import Ledger
from tests.support.live.play import GUESTS_PER_S
from tests.support.live.recorded_games import Score, scores
from tests.support.live.view import View
from tests.support.live.wire import Socket
from tests.support.rules.built_in import VARIANTS

AT_ONCE = 40
"""As many pairs of new guests are taken at once; more of them as slowly as the limit asks for."""
ANSWER_S = 60.0
"""The longest that an answer may take where a test asks for nothing else."""


class Follower:
    """One socket at a time of one guest, at one game; what it knows outlives the socket, as with a page."""

    def __init__(self, guest: Guest, game: str, ledger: Ledger) -> None:
        self.guest, self.game, self.ledger = guest, game, ledger
        self.view = View()
        self.socket: Socket | None = None
        self.came_at = self.heard_at = self.moved_at = 0.0
        self.sent_at: dict[int, float] = {}
        self.crowd: dict | None = None
        self.heard: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future] = {}
        self._awaited: list[tuple[Callable[[], bool], asyncio.Future]] = []

    async def come(self, port: int | None = None) -> None:
        """Open a socket, say what is known, and return when the view is up to date. Raises ConnectionError, OSError."""
        self.leave()
        self.came_at = time.monotonic()
        told = self.view.snapshots + self.view.resumed
        self.socket = await self.guest.open_socket(self._hear, port)
        self.socket.closed.add_done_callback(self._lost)
        known = {"epoch": self.view.epoch, "v": self.view.v}
        self.say("hi", proto=1, game=self.game, **known)
        await self.until(lambda: self.view.snapshots + self.view.resumed > told)

    def leave(self) -> None:
        if self.socket is not None:
            self.socket.close()

    def say(self, kind: str, /, **fields: object) -> None:
        self.socket.send(json.dumps({"t": kind, **fields}, separators=(",", ":")).encode())

    async def ask(self, kind: str, /, seconds: float = ANSWER_S, **fields: object) -> dict | None:
        """The answer to a command; None when the socket broke before it came."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        if self.socket.closed.done():
            self._lost(self.socket.closed)
        self.say(kind, id=number, **fields)
        async with asyncio.timeout(seconds):
            return await answer

    async def move(self, ply: int, uci: str, seconds: float = ANSWER_S) -> dict | None:
        """As `ask`, and the ledger has it."""
        self.sent_at[ply] = time.monotonic()
        answer = await self.ask("move", seconds, ply=ply, uci=uci)
        self.ledger.write(self.game, (ply, uci), answer)
        return answer

    async def until(self, so: Callable[[], bool], seconds: float = ANSWER_S) -> None:
        """Returns when `so()` after some message. Raises ConnectionError when the socket breaks before."""
        if so():
            return
        if self.socket.closed.done():
            raise ConnectionError(f"closed with {self.socket.closed.result()}")
        waiting = asyncio.get_running_loop().create_future()
        self._awaited.append((so, waiting))
        async with asyncio.timeout(seconds):
            await waiting

    def _hear(self, socket: Socket, text: bytes) -> None:
        if socket is not self.socket:
            return
        message = json.loads(text)
        if message["t"] == "ping":
            self.say("pong", p=message["p"])
            return
        self.heard_at = time.monotonic()
        self.heard[message["t"]] += 1
        if message["t"] == "moved":
            self.moved_at = self.heard_at
        if message["t"] == "crowd":
            self.crowd = message
        self.view.take(message)
        if message["t"] in ("ok", "error") and (answer := self._answers.pop(message.get("id"), None)):
            answer.set_result(message)
        for entry in [entry for entry in self._awaited if entry[0]()]:
            self._awaited.remove(entry)
            if not entry[1].done():
                entry[1].set_result(None)

    def _lost(self, closed: asyncio.Future) -> None:
        if self.socket is None or closed is not self.socket.closed:
            return
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(None)
        self._answers.clear()
        for _, waiting in self._awaited:
            if not waiting.done():
                waiting.set_exception(ConnectionError(f"closed with {closed.result()}"))
        self._awaited.clear()


@dataclass(slots=True)
class Table:
    """One recorded game and those who play it again."""

    score: Score
    game: str
    players: tuple[Follower, Follower]

    @property
    def moves(self) -> tuple[str, ...]:
        return self.score.moves

    @property
    def followed(self) -> list[str]:
        """The moves that either player has seen."""
        return max((player.view.moves for player in self.players), key=len)

    async def come(self, port: int | None = None) -> None:
        for player in self.players:
            await player.come(port)

    def leave(self) -> None:
        for player in self.players:
            player.leave()

    async def play(self, plies: int, pause_s: float, rng: random.Random) -> None:
        """Play on until the socket breaks, the score ends or so many half-moves are on the board."""
        for ply in range(len(self.followed), min(plies, len(self.moves))):
            with suppress(ConnectionError):
                await self.players[ply % 2].until(lambda at=ply: len(self.players[at % 2].view.moves) >= at)
            answer = await self.players[ply % 2].move(ply, self.moves[ply])
            if answer is None or answer["t"] != "ok":
                return
            with suppress(ConnectionError):
                await self.players[ply % 2].until(lambda at=ply: len(self.players[at % 2].view.moves) > at)
            await asyncio.sleep(pause_s * 2 * rng.random())


def in_turn(least: int) -> list[Score]:
    """The recorded games of at least so many half-moves: the first of every variant, then the second of every one."""
    met: Counter[str] = Counter()
    ranked = []
    for score in scores(least):
        met[score.start.variant] += 1
        ranked.append((met[score.start.variant], score))
    return [score for _, score in sorted(ranked, key=lambda each: each[0])]


async def seat_tables(
    http: aiohttp.ClientSession,
    port: int,
    count: int,
    ledger: Ledger,
    least: int = 60,
    clock: Mapping[str, object] = CLOCK,
    page: type[Follower] = Follower,
) -> list[Table]:
    """So many tables with both players seated, all variants in turn; nobody has a socket yet."""
    tables: list[Table] = []
    for number, score in enumerate(itertools.islice(itertools.cycle(in_turn(least)), count)):
        if number % GAMES_EACH == 0:
            if number >= AT_ONCE * GAMES_EACH:
                await asyncio.sleep(2 / GUESTS_PER_S)
            white, black = Guest(http, port), Guest(http, port)
        game = await white.challenge(score.start, clock)
        await black.join(game)
        seats = tuple(page(guest, game["id"], ledger) for guest in (white, black))
        tables.append(Table(score, game["id"], seats))
    return tables


async def stored_games(folder, tables: list[Table]) -> dict:
    """The games of `tables` as the store of a stopped server has them, by id."""
    store = await SqliteStore.open(folder / "data" / "fairyhouse.sqlite3", VARIANTS)
    try:
        return {table.game: await store.load(table.game) for table in tables}
    finally:
        await store.close()
