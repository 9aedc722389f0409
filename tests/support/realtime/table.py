"""A table for tests: a process (`House`) over a store and a hand-turned clock, and clients that keep what they got."""

import asyncio
import itertools
import json

from server.games.clock import TimeControl
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.live import LivePlay
from server.realtime.play.connection import Connection
from server.realtime.process.bus import LocalBus
from server.realtime.recovery import recover
from server.rules.variant.pieces import Color
from tests.support.games import variants as catalogue
from tests.support.realtime.slow_line import SlowLine

WHITE = Player("white-id", "Wanda")
BLACK = Player("black-id", "Boris")
START = 1_700_000_000_000
FIVE_MINUTES = TimeControl.realtime(300_000, 0)

_requests = itertools.count(1)


class HandClock:
    """Stands still until it is turned."""

    def __init__(self, at=START):
        self.at = at
        self._asleep = []

    def __call__(self):
        return self.at

    def turn(self, ms):
        self.at += ms
        due = [gate for at, gate in self._asleep if at <= self.at]
        self._asleep = [(at, gate) for at, gate in self._asleep if at > self.at]
        for gate in due:
            if not gate.done():
                gate.set_result(None)

    async def sleep(self, seconds):
        """Return when the clock has been turned so far."""
        gate = asyncio.get_running_loop().create_future()
        self._asleep.append((self.at + round(seconds * 1000), gate))
        await gate


async def settle(rounds=60):
    """Let everything that can run without the clock run, at most so many times each."""
    ready = asyncio.get_running_loop()._ready
    for _ in range(rounds):
        await asyncio.sleep(0)
        if not ready:
            return


class Client:
    """One browser tab: what it was sent is in `got`, oldest first; how it was closed in `code`."""

    def __init__(self, house, player):
        self.house = house
        self.got = []
        self.silent = False
        self.outbox = SlowLine()
        self.connection = Connection(house.live.rounds, player, self.outbox)

    @property
    def aborted(self):
        return self.outbox.aborted

    @property
    def code(self):
        return self.outbox.close_code if self.outbox.closed else None

    def read(self):
        """Take everything that waits in the outbox; returns the new messages."""
        new = [json.loads(text) for text in self.outbox.read_all()]
        self.got += new
        return new

    def send(self, t, **fields):
        """Send one message, with a number of its own where it is a command; returns the number."""
        request = None
        if t not in ("hi", "ping", "pong", "bye"):
            request = fields.setdefault("id", next(_requests))
        self.answer()
        self.connection.receive(json.dumps({"t": t, **fields}), self.house.clock())
        return request

    def fall_silent(self):
        """The line misses its beats: a laptop was shut."""
        if not self.silent:
            self.silent = True
            self.connection.fell_silent(self.house.clock())

    def answer(self):
        if self.silent:
            self.silent = False
            self.connection.answered(self.house.clock())

    async def hi(self, game, epoch="", v=-1, secret=""):
        self.send("hi", proto=1, game=game, epoch=epoch, v=v, secret=secret)
        await settle()
        return self.read()

    async def ask(self, t, **fields):
        """Send a command and return its answer (the last one, if it had to wait)."""
        request = self.send(t, **fields)
        await settle()
        self.read()
        answers = [message for message in self.got if message.get("id") == request and message["t"] != "wait"]
        return answers[-1] if answers else None

    async def move(self, uci, ply):
        return await self.ask("move", uci=uci, ply=ply)

    def last(self, t):
        """The newest message of that kind, None if there was none."""
        self.read()
        return next((message for message in reversed(self.got) if message["t"] == t), None)

    def all(self, t):
        self.read()
        return [message for message in self.got if message["t"] == t]

    def close(self, bye=False):
        if bye:
            self.send("bye")
        self.connection.closed(self.house.clock())


class Deaf(LocalBus):
    """There are other processes, and nothing that any of them tells arrives."""

    alone = False


class House:
    """One process of the server. Its loops do not run: `tick` does what its timers would."""

    def __init__(self, store, clock, bus=None):
        self.store = store
        self.clock = clock
        self.live = LivePlay(store, catalogue(), clock, bus, sleep=clock.sleep)
        # By this clock the tests take no time at all, so a process that stood still was not busy unless a test says so.
        self.live._watchdog._processor_s = lambda: 0

    @property
    def rounds(self):
        return self.live.rounds

    async def recover(self):
        """What a process does first: gives back the time in which there was none."""
        await recover(self.rounds, self.live._heartbeat)

    async def tick(self, ms=0):
        """Turn the clock by `ms` and let timers fire."""
        self.clock.turn(ms)
        self.live.services.timers.fire_due()
        await settle()
        self.live.services.timers.fire_due()
        await settle()

    async def pass_time(self, seconds):
        """Let `seconds` pass, one after the other."""
        for _ in range(seconds):
            await self.tick(1_000)

    async def new_game(self, variants, control=FIVE_MINUTES, variant="chess", chess960=False, fen=None):
        """A game that both have joined; returns its id."""
        chosen = variants[variant]
        terms = Terms(chosen, chess960, fen or chosen.start_fen, control, rated=False)
        created = await self.rounds.create(terms, WHITE, Color.WHITE)
        await self.rounds.join(created.game.id, created.secret, BLACK)
        return created.game.id

    async def seat(self, game, player):
        client = Client(self, player)
        await client.hi(game)
        return client

    async def pair(self, variants, **terms):
        """A new game with both players at the board: (id, white, black)."""
        game = await self.new_game(variants, **terms)
        return game, await self.seat(game, WHITE), await self.seat(game, BLACK)

    async def opened(self, variants, **terms):
        """As `pair`, after 1. e4 e5: the clock runs."""
        game, white, black = await self.pair(variants, **terms)
        assert (await white.move("e2e4", 0))["t"] == "ok"
        assert (await black.move("e7e5", 1))["t"] == "ok"
        return game, white, black
