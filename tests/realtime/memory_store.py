"""A store in memory that can be told to fail. Games are values, so keeping one is keeping a reference."""

import asyncio
from collections import defaultdict
from contextlib import contextmanager

from server.storage.errors import Conflict, Duplicate, Unavailable


class MemoryStore:
    """`down`: every call raises Unavailable. `lose_answers`: as many writes are done and then reported as failed.

    `hold`: an event that writes wait for. `writes` counts what was stored.
    """

    def __init__(self):
        self.games = {}
        self.lines = defaultdict(list)
        self.alive = None
        self.down = False
        self.lose_answers = 0
        self.hold = None
        self.writes = 0
        self.loads = 0

    async def _reach(self):
        await asyncio.sleep(0)
        if self.down:
            raise Unavailable("The store is down.")

    async def create(self, game):
        await self._reach()
        if game.id in self.games:
            raise Duplicate(game.id)
        self.games[game.id] = game
        self._written()

    async def load(self, game_id):
        self.loads += 1
        await self._reach()
        return self.games.get(game_id)

    async def save(self, before, after):
        if self.hold is not None:
            await self.hold.wait()
        await self._reach()
        if self.games[before.id].rev != before.rev:
            raise Conflict(before.id)
        assert after.rev == before.rev + 1
        self.games[before.id] = after
        self._written()

    def _written(self):
        self.writes += 1
        if self.lose_answers:
            self.lose_answers -= 1
            raise Unavailable("The answer was lost.")

    async def running(self):
        await self._reach()
        games = self.games.values()
        return [game.id for game in games if game.deadline is not None or game.clock.paused_at is not None]

    async def due(self, before, limit):
        await self._reach()
        due = [game for game in self.games.values() if game.deadline is not None and game.deadline < before]
        return [game.id for game in sorted(due, key=lambda game: game.deadline)][:limit]

    async def add_chat(self, line):
        await self._reach()
        self.lines[line.game].append(line)

    async def chat(self, game_id, limit):
        await self._reach()
        return self.lines[game_id][-limit:]

    async def mark_alive(self, node, at):
        await self._reach()
        self.alive = at

    async def last_alive(self):
        await self._reach()
        return self.alive

    @contextmanager
    def outage(self):
        self.down = True
        try:
            yield
        finally:
            self.down = False
