"""How often somebody may do something: token buckets in bounded memory. Knows no requests and no people, only keys.

`now` is ms of the server's clock, as everywhere; a wait is in whole seconds, as people are told it.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

MAX_KEYS = 20_000
"""The most keys that one limit remembers (about 3 MiB)."""
SITE_SHARE = 16
"""A /48, which a single customer of a network can have, is allowed as much as this many of its /64s."""


@dataclass(slots=True)
class RateLimit:
    """At most `amount` at once per key, and `amount` per `period` seconds in the long run.

    `whole` says when (ms) the allowance of each key will be complete again; each use postpones that by an equal part of
    the period, and a use that would postpone it beyond one period is refused.

    A full map drops the least recently used key, so that nobody is turned away because there are many others. But to
    forget a used-up limit would be to lift it: somebody with enough addresses could clear their own by filling the map
    with the rest. So the debt of a dropped key stays with its network (`owed`, by /16 of IPv4 and /32 of IPv6), and a
    key that is not in the map starts with that debt. Others on the network wait for one period at most, and only while
    the map overflows. Keys without a network (sessions, names) are dropped for good: creating each of them has already
    cost part of a limit by address.
    """

    amount: int
    period: float
    whole: OrderedDict[str, float] = field(default_factory=OrderedDict)
    owed: OrderedDict[str, float] = field(default_factory=OrderedDict)

    @property
    def period_ms(self) -> float:
        return self.period * 1_000

    def take(self, key: str, now: int, cost: int = 1) -> int:
        """Takes `cost` at `now` (ms) and returns 0, or takes nothing and returns how many whole seconds to wait."""
        if wait := self.wait(key, now, cost):
            return wait
        self.force(key, now, cost)
        return 0

    def force(self, key: str, now: int, cost: int) -> None:
        """Takes `cost` at `now` (ms) for something already done, or whatever is left if that is less."""
        for part, share in shares(key):
            put_off = self._whole_at(part, now) + cost * self.period_ms / (self.amount * share)
            self.whole[part] = min(put_off, now + self.period_ms)
            self.whole.move_to_end(part)
        while len(self.whole) > MAX_KEYS:
            self._shed(now)

    def wait(self, key: str, now: int, cost: int = 1) -> int:
        """How many whole seconds to wait from `now` (ms) until `cost` can be taken; 0: none. Takes nothing."""
        put_off = max(
            self._whole_at(part, now) + cost * self.period_ms / (self.amount * share) for part, share in shares(key)
        )
        return max(0, ceil(round(put_off - now - self.period_ms) / 1_000))

    def _whole_at(self, key: str, now: int) -> float:
        """When the allowance of `key` is complete again, `now` at the earliest."""
        known = self.whole.get(key)
        return max(now, self.owed.get(network(key), now) if known is None else known)

    def _shed(self, now: int) -> None:
        """Drops the least recently used key; its network takes over its debt."""
        key, whole = self.whole.popitem(last=False)
        if whole <= now or not (wide := network(key)):
            return
        self.owed[wide] = max(whole, self.owed.get(wide, whole))
        self.owed.move_to_end(wide)
        if len(self.owed) > MAX_KEYS:
            self.owed.popitem(last=False)


def shares(key: str) -> Iterable[tuple[str, int]]:
    """The keys that a use by `key` is charged to, each with the multiple of the allowance: a /64 counts for its /48."""
    return ((key, 1), (key[:14], SITE_SHARE)) if is_ipv6(key) else ((key, 1),)


def network(key: str) -> str:
    """The /16 of an IPv4 address, the /32 of an IPv6 network, "" for any other key."""
    if is_ipv6(key) or is_ipv6(f"{key}:0000"):
        return key[:9]
    parts = key.split(".")
    return f"{parts[0]}.{parts[1]}" if len(parts) == 4 and key.replace(".", "").isdecimal() else ""


def is_ipv6(key: str) -> bool:
    """Whether `key` is a /64 as `callers.address_key` writes it."""
    return len(key) == 19 and key[4:15:5] == ":::"


@dataclass(slots=True)
class ConnectionCounter:
    """Counts how many are open at once per key; a key with none takes no memory."""

    taken: Counter[str] = field(default_factory=Counter)

    def free(self, key: str, most: int) -> bool:
        """May one more be opened, if `most` may?"""
        return self.taken[key] < most

    def add(self, keys: Iterable[str]) -> None:
        self.taken.update(keys)

    def remove(self, keys: Iterable[str]) -> None:
        """Gives back what `add` took for these keys."""
        for key in keys:
            self.taken[key] -= 1
            if self.taken[key] <= 0:
                del self.taken[key]
