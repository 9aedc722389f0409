"""What a store in memory knows of people, and what the host tells them."""

from dataclasses import replace

from server.games.people.ties import TieKind
from server.storage.protocols.vacations import key_of


class MemoryNotices:
    """What the host has to say to everybody."""

    def __init__(self, store):
        self._store = store
        self.posted = None

    async def current(self):
        await self._store._reach()
        return self.posted


class MemoryVacations:
    """The vacations that people have taken."""

    def __init__(self, store):
        self._store = store
        self.records = {}

    async def keep(self, record):
        await self._store._reach()
        self.records[key_of(record)] = record
        self._store._written()

    async def settle(self, record):
        await self._store._reach()
        if self.records[key_of(record)].vacation == record.vacation:
            self.records[key_of(record)] = replace(record, settled=True)

    async def of(self, owner):
        await self._store._reach()
        return [one for one in self.records.values() if one.owner == owner]

    async def unsettled(self):
        await self._store._reach()
        return [one for one in self.records.values() if not one.settled]


class MemoryAccounts:
    """Only what is asked of accounts in the middle of a game."""

    def __init__(self, store):
        self._store = store
        self.by_hand = set()
        self.known = {}

    async def find(self, name):
        await self._store._reach()
        return self.known.get(name)

    async def bots(self):
        await self._store._reach()
        return {}

    async def who_flags_by_hand(self, users):
        await self._store._reach()
        return frozenset(self.by_hand & users)


class MemoryTies:
    """Who follows and who has blocked whom."""

    def __init__(self, store):
        self._store = store
        self.kept = {}

    async def keep(self, tie):
        await self._store._reach()
        self.kept[tie.owner, tie.kind, tie.other.id] = tie
        self._store._written()

    async def remove(self, owner, kind, other):
        await self._store._reach()
        self.kept.pop((owner, kind, other), None)
        self._store._written()

    async def of(self, owner):
        await self._store._reach()
        return [tie for tie in self.kept.values() if tie.owner == owner]

    async def blocks(self, person=""):
        await self._store._reach()
        return self._blocks(person)

    def _blocks(self, person=""):
        blocks = [(owner, other) for owner, kind, other in self.kept if kind is TieKind.BLOCKS]
        return [block for block in blocks if not person or person in block]

    async def are_apart(self, one, other):
        await self._store._reach()
        return any({one, other} == set(block) for block in self._blocks())


class MemoryReports:
    """What people have told the host about one another, as far as accounts that end have to do with it."""

    def __init__(self, store):
        self._store = store

    async def hand_over(self, user, heir):
        await self._store._reach()

    async def forget(self, person):
        await self._store._reach()
