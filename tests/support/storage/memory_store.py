"""A store in memory that can be told to fail. Games come back as the documents of the engines have them, so that what
one process knows and does not write down is not known to another.

It stays beside SQLite, whose thread takes its own time: tests that turn the loop by hand, fail a call or hold one back
need each call to end in a known turn. Measured on two shared cores: 0.1 against 3 to 11 ms to open a store, and 0.14
against 0.8 ms for a move with its save, which the state machines do thousands of times.
"""

import asyncio
from collections import defaultdict
from contextlib import contextmanager
from functools import partial

from server.games.reminders import next_reminder_at
from server.storage.damage import Damage
from server.storage.documents import to_document, to_head
from server.storage.errors import Conflict, Duplicate, NotStored, Unavailable
from server.storage.protocols.ratings import newly_uncounted
from server.storage.replay import from_document
from server.storage.running import most_urgent_first, running_game
from server.storage.stores import StoredProgress
from server.storage.tables.seeks import SeekStore, answered, leased_seek_of, pairing_of, taking
from server.storage.tables.stores import TableStores
from tests.support.storage.memory_ratings import MemoryRatings
from tests.support.storage.memory_table import MemoryTables


def as_stored(game, known=None):
    """The game as it is read from a document; `known`: its state before."""
    variant = game.terms.variant
    return from_document(to_document(game), {variant.id: variant}, known)


class MemorySeeks(SeekStore):
    """Open seeks, and those that were taken."""

    def __init__(self, store, *tables):
        super().__init__(*tables)
        self._store = store

    @property
    def standing(self):
        """All seeks with their leases, by id."""
        return {seek_id: leased_seek_of(one) for seek_id, one in self._kept.items()}

    @property
    def pairings(self):
        """How seeks were taken, by id."""
        return {seek_id: pairing_of(one) for seek_id, one in self._kept.items() if one["taker"]}

    @property
    def untaken(self):
        """The seeks that nobody has taken, with their leases."""
        return [leased_seek_of(one) for one in self._kept.values() if not one["taker"]]

    @property
    def _kept(self):
        return self._store.kept["seeks"]

    async def take(self, seek_id, pairing, known=frozenset(), beyond=0):
        await self._store._reach()
        found = self._kept.get(seek_id)
        if found is None or found["taker"]:
            return found is not None and found["taker"] == pairing.taker.id
        wanted = leased_seek_of(found)
        over = answered(wanted.seek, pairing.taker, self.untaken)
        if wanted.until <= beyond or not known <= set(over):
            return False
        found.update(taking(pairing))
        for other in over:
            del self._kept[other]
        self._store._written()
        return True


class MemoryAccounts:
    """Only what is asked of accounts in the middle of a game."""

    def __init__(self, store):
        self._store = store
        self.by_hand = set()
        self.known = {}
        self.names = {}
        """Of those who may be listed, by id."""
        self.asked = 0

    async def listed(self, users):
        await self._store._reach()
        self.asked += 1
        return {user: self.names[user] for user in users if user in self.names}

    async def find(self, name):
        await self._store._reach()
        return self.known.get(name)

    async def bots(self):
        await self._store._reach()
        return {}

    async def who_flags_by_hand(self, users):
        await self._store._reach()
        return frozenset(self.by_hand & users)


class MemoryStore(TableStores):
    """`down`: every call raises Unavailable. `lose_answers`: as many writes are done and then reported as failed.

    `hold`: an event that writes wait for. `writes` counts what was stored. `kept`: flat records, by kind and key.
    """

    shared = False

    def __init__(self):
        self.games = {}
        self.kept = defaultdict(dict)
        super().__init__(MemoryTables(self), Damage(), seeks=partial(MemorySeeks, self))
        self.ratings = MemoryRatings(self)
        self.lines = defaultdict(list)
        self.alive = None
        self.beats = {}
        self.down = False
        self.lose_answers = 0
        self.hold = None
        self.writes = 0
        self.loads = 0
        self.accounts = MemoryAccounts(self)

    async def _reach(self):
        await asyncio.sleep(0)
        if self.down:
            raise Unavailable("The store is down.")

    async def create(self, game):
        await self._reach()
        if game.id in self.games:
            raise Duplicate(game.id)
        self.games[game.id] = as_stored(game)
        self._written()

    async def load(self, game_id, known=None):
        self.loads += 1
        await self._reach()
        return self.games.get(game_id)

    async def save(self, before, after):
        if self.hold is not None:
            await self.hold.wait()
        await self._reach()
        if before.id not in self.games or self.games[before.id].rev != before.rev:
            raise Conflict(before.id)
        assert after.rev == before.rev + 1
        self.games[before.id] = as_stored(after, before)
        if newly_uncounted(before, after):
            self.ratings.finished.append(after)
        self._written()

    def _written(self):
        self.writes += 1
        if self.lose_answers:
            self.lose_answers -= 1
            raise Unavailable("The answer was lost.")

    async def running(self):
        await self._reach()
        games = self.games.values()
        return [game.id for game in games if to_head(game)["deadline"] >= 0]

    async def due(self, before, limit):
        await self._reach()
        due = [game for game in self.games.values() if game.deadline is not None and game.deadline < before]
        return [game.id for game in sorted(due, key=lambda game: game.deadline)][:limit]

    async def to_remind(self, by, limit):
        await self._reach()
        due = [(at, game.id) for game in self.games.values() if (at := next_reminder_at(game)) is not None and at <= by]
        return [game for _, game in sorted(due)][:limit]

    async def add_chat(self, line, untold=False):
        await self._reach()
        if line.game not in self.games:
            raise NotStored(line.game)
        self.lines[line.game].append(line)

    async def chat(self, game_id, limit):
        await self._reach()
        return self.lines[game_id][-limit:]

    async def latest_chat(self, since, before, limit):
        await self._reach()
        lines = [line for said in self.lines.values() for line in said if since <= line.at < before]
        return sorted(lines, key=lambda line: line.at, reverse=True)[:limit]

    async def progress(self, games, since):
        await self._reach()
        revs = {game: self.games[game].rev for game in games if game in self.games}
        return StoredProgress(revs, [line for game in games for line in self.lines[game] if line.at >= since])

    async def mark_alive(self, node, at):
        await self._reach()
        self.alive = self.beats[node] = at

    async def last_alive(self):
        await self._reach()
        return self.alive

    async def nodes_alive(self, since):
        await self._reach()
        return {node for node, at in self.beats.items() if at >= since}

    async def time(self):
        return None

    @contextmanager
    def outage(self):
        self.down = True
        try:
            yield
        finally:
            self.down = False

    async def running_of(self, player_id):
        await self._reach()
        theirs = [game for game in self.games.values() if game.color_of(player_id) is not None]
        return most_urgent_first(running_game(to_head(game), player_id) for game in theirs if game.ended is None)


async def nobody_answers(*_):
    raise Unavailable("The store is down.")
