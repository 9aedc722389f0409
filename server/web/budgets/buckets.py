"""How often somebody may do something: token buckets in bounded memory. Knows no requests and no people, only keys.

`now` is ms of the server's clock, as everywhere; a wait is in whole seconds, as people are told it.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil

MAX_KEYS = 20_000
"""The most keys that one limit remembers (about 3 MiB)."""
SHARED = "@"
"""Marks the second keys in the map of a limit; no first key begins with it."""
SITE_SHARE = 16
"""A /48, which a single customer of a network can have, is allowed as much as this many of its /64s."""


@dataclass(slots=True)
class RateLimit:
    """At most `amount` at once per key, and `amount` per `period` seconds in the long run.

    A limit may count by two keys: `shared` is then what all may do together who have the second one in common, such as
    the sessions at one network address. A use is charged to both keys or, if either has used it up, to neither.

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
    shared: int = 0
    whole: OrderedDict[str, float] = field(default_factory=OrderedDict)
    owed: OrderedDict[str, float] = field(default_factory=OrderedDict)

    @property
    def period_ms(self) -> float:
        return self.period * 1_000

    def take(self, key: str, now: int, cost: int = 1, shared_by: str = "") -> int:
        """Takes `cost` at `now` (ms) and returns 0, or takes nothing and returns how many whole seconds to wait.

        `shared_by`: the second key, "" for none; with it alone, `key` is "".
        """
        if wait := self.wait(key, now, cost, shared_by):
            return wait
        self.force(key, now, cost, shared_by)
        return 0

    def force(self, key: str, now: int, cost: int, shared_by: str = "") -> None:
        """Takes `cost` at `now` (ms) for something already done, or whatever is left if that is less."""
        for part, amount in self._charged(key, shared_by):
            put_off = self._whole_at(part, now) + cost * self.period_ms / amount
            self.whole[part] = min(put_off, now + self.period_ms)
            self.whole.move_to_end(part)
        while len(self.whole) > MAX_KEYS:
            self._shed(now)

    def wait(self, key: str, now: int, cost: int = 1, shared_by: str = "") -> int:
        """How many whole seconds to wait from `now` (ms) until `cost` can be taken; 0: none. Takes nothing."""
        put_off = max(
            self._whole_at(part, now) + cost * self.period_ms / amount for part, amount in self._charged(key, shared_by)
        )
        return max(0, ceil(round(put_off - now - self.period_ms) / 1_000))

    def _charged(self, key: str, shared_by: str) -> Iterator[tuple[str, int]]:
        """Yields the keys of the map that a use is charged to, each with its allowance."""
        if key or not shared_by:
            for part, share in shares(key):
                yield part, self.amount * share
        if shared_by and self.shared:
            for part, share in shares(shared_by):
                yield f"{SHARED}{part}", self.shared * share

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
    """The /16 of an IPv4 address, the /32 of an IPv6 network, "" for any other key; of a shared key, marked like it."""
    if key.startswith(SHARED):
        wide = network(key.removeprefix(SHARED))
        return wide and f"{SHARED}{wide}"
    if is_ipv6(key) or is_ipv6(f"{key}:0000"):
        return key[:9]
    parts = key.split(".")
    return f"{parts[0]}.{parts[1]}" if len(parts) == 4 and key.replace(".", "").isdecimal() else ""


def networks(key: str) -> tuple[str, str, str]:
    """The networks of an address, the widest first, and itself: /16 and /24 of IPv4, /32 and /48 of IPv6.

    Any other key is a network of its own.
    """
    if is_ipv6(key):
        return key[:9], key[:14], key
    wide = network(key)
    return (wide, key.rpartition(".")[0], key) if wide else (key, key, key)


def is_ipv6(key: str) -> bool:
    """Whether `key` is a /64 as `callers.address_key` writes it."""
    return len(key) == 19 and key[4:15:5] == ":::"


@dataclass(slots=True)
class SharedLimit:
    """What the whole site allows, so that a flood from many addresses does not lock everybody else out.

    Whoever comes takes from `in_all`. Once that is used up, networks that have had little lately still have their
    share of `beyond`: so much a /24 or /48 (`by_network`), and a /16 or /32 (`by_wide`).
    """

    in_all: RateLimit
    beyond: RateLimit
    by_network: RateLimit
    by_wide: RateLimit

    def take(self, address: str, now: int) -> int:
        """Takes one for `address` at `now` (ms) and returns 0, or takes nothing and returns the seconds to wait."""
        wide, narrow, _ = networks(address)
        shares = ((self.by_wide, wide), (self.by_network, narrow))
        if self.in_all.take("", now):
            if wait := max(limit.wait(key, now) for limit, key in (*shares, (self.beyond, ""))):
                return wait
            self.beyond.force("", now, 1)
        for limit, key in shares:
            limit.force(key, now, 1)
        return 0


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
