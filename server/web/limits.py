"""How often somebody may do something: token buckets in bounded memory. Knows no requests and no people, only keys."""

import math
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_KEYS = 20_000
"""Most keys one limit remembers (about 4 MiB)."""


@dataclass(slots=True)
class Bucket:
    """What is left of an allowance, and when (s) that was true."""

    left: float
    at: float


@dataclass(slots=True)
class RateLimit:
    """At most `amount` at once per key, and `amount` per `period` seconds in the long run."""

    amount: int
    period: float
    buckets: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, key: str, now: float) -> int:
        """Takes one. Returns 0, or after how many whole seconds to come again; then nothing was taken.

        When every key is in use, a new key is refused: somebody is filling the map, and to forget a running
        limit would be to lift it.
        """
        bucket = self.buckets.get(key)
        if bucket is None:
            if not self.has_room(now):
                return math.ceil(self.period)
            bucket = self.buckets[key] = Bucket(self.amount, now)
        self.buckets.move_to_end(key)
        bucket.left = self.left(bucket, now)
        bucket.at = now
        if bucket.left < 1:
            return max(1, math.ceil((1 - bucket.left) * self.period / self.amount))
        bucket.left -= 1
        return 0

    def exhausted(self, key: str, now: float) -> bool:
        """Would `take` refuse? Takes nothing."""
        bucket = self.buckets.get(key)
        return bucket is not None and self.left(bucket, now) < 1

    def left(self, bucket: Bucket, now: float) -> float:
        return min(self.amount, bucket.left + max(0.0, now - bucket.at) * self.amount / self.period)

    def has_room(self, now: float) -> bool:
        """Makes room for a new key by dropping the one used longest ago, if its allowance is whole again."""
        if len(self.buckets) < MAX_KEYS:
            return True
        oldest = next(iter(self.buckets.values()))
        if self.left(oldest, now) < self.amount:
            return False
        self.buckets.popitem(last=False)
        return True


@dataclass(slots=True)
class Limits:
    """Every limit on one page. By session where there is one, else by network address."""

    create: RateLimit = field(default_factory=lambda: RateLimit(20, 60))
    join: RateLimit = field(default_factory=lambda: RateLimit(30, 60))
    reads: RateLimit = field(default_factory=lambda: RateLimit(240, 60))
    """Games read in full, by address: each is replayed for it."""
    misses: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Games asked for that do not exist, by address: guessing ids is slow."""
    guests: RateLimit = field(default_factory=lambda: RateLimit(60, 180))
    """New guests by address: a class of 40 behind one address can begin together."""
    guests_here: RateLimit = field(default_factory=lambda: RateLimit(100, 10))
    """New guests on the whole server."""
    handshakes: RateLimit = field(default_factory=lambda: RateLimit(60, 30))
    handshakes_by_address: RateLimit = field(default_factory=lambda: RateLimit(240, 30))


@dataclass(slots=True)
class Places:
    """How many sockets are open per key; a key without any takes no memory."""

    taken: Counter[str] = field(default_factory=Counter)

    def free(self, key: str, most: int) -> bool:
        return self.taken[key] < most

    def enter(self, keys: Iterable[str]) -> None:
        self.taken.update(keys)

    def leave(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.taken[key] -= 1
            if self.taken[key] <= 0:
                del self.taken[key]
