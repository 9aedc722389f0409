"""How often somebody may do something: token buckets in bounded memory. Knows no requests and no people, only keys."""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

MAX_KEYS = 20_000
"""Most keys one limit remembers (about 3 MiB)."""
SITE_SHARE = 16
"""A /48, which is what one customer of a network can have, is allowed as much as so many of its /64s."""


@dataclass(slots=True)
class RateLimit:
    """At most `amount` at once per key, and `amount` per `period` seconds in the long run.

    `whole` says of each key when (s) its allowance will be whole again; each use puts that off by an equal part of the
    period, and a use that would put it off beyond one period is refused.

    A full map sheds the key that was used longest ago, so that nobody new is turned away because others are many. To
    forget a limit that is used up would be to lift it: whoever owns enough addresses could wash their own clean by
    filling the map with the rest. So what a key still owed stays with the network it belongs to (`owed`, by /16 of
    IPv4 and /32 of IPv6), and a key that is not in the map begins with that debt. Those who share the network wait for
    one period at most, and only while the map overflows. Keys of no network (sessions, names) are shed without a trace:
    each of them cost its maker something of a limit by address.
    """

    amount: int
    period: float
    whole: OrderedDict[str, float] = field(default_factory=OrderedDict)
    owed: OrderedDict[str, float] = field(default_factory=OrderedDict)

    def take(self, key: str, now: float, cost: int = 1) -> int:
        """Takes `cost`. Returns 0, or after how many whole seconds to come again; then nothing was taken."""
        if wait := self.wait(key, now, cost):
            return wait
        self.charge(key, now, cost)
        return 0

    def charge(self, key: str, now: float, cost: int) -> None:
        """Takes `cost` for what has been done already, or all that is left if that is less."""
        for part, share in shares(key):
            put_off = self._whole_at(part, now) + cost * self.period / (self.amount * share)
            self.whole[part] = min(put_off, now + self.period)
            self.whole.move_to_end(part)
        while len(self.whole) > MAX_KEYS:
            self._shed(now)

    def wait(self, key: str, now: float, cost: int = 1) -> int:
        """After how many whole seconds `cost` can be taken; 0: now. Takes nothing."""
        put_off = max(
            self._whole_at(part, now) + cost * self.period / (self.amount * share) for part, share in shares(key)
        )
        return max(0, ceil(round(put_off - now - self.period, 3)))

    def _whole_at(self, key: str, now: float) -> float:
        """When the allowance of `key` is whole again, `now` at the earliest."""
        known = self.whole.get(key)
        return max(now, self.owed.get(network(key), now) if known is None else known)

    def _shed(self, now: float) -> None:
        """Forgets the key used longest ago; what it owes is owed by its network from now on."""
        key, whole = self.whole.popitem(last=False)
        if whole <= now or not (wide := network(key)):
            return
        self.owed[wide] = max(whole, self.owed.get(wide, whole))
        self.owed.move_to_end(wide)
        if len(self.owed) > MAX_KEYS:
            self.owed.popitem(last=False)


def shares(key: str) -> Iterable[tuple[str, int]]:
    """What a use by `key` counts for, each with how many times the allowance it has: a /64 counts for its /48 too."""
    return ((key, 1), (key[:14], SITE_SHARE)) if is_ipv6(key) else ((key, 1),)


def network(key: str) -> str:
    """The /16 of an IPv4 address, the /32 of an IPv6 network, "" for any other key."""
    if is_ipv6(key) or is_ipv6(f"{key}:0000"):
        return key[:9]
    parts = key.split(".")
    return f"{parts[0]}.{parts[1]}" if len(parts) == 4 and key.replace(".", "").isdecimal() else ""


def is_ipv6(key: str) -> bool:
    """Is it a /64 as `callers.address_key` writes one?"""
    return len(key) == 19 and key[4:15:5] == ":::"


@dataclass(slots=True)
class ConnectionCounter:
    """How many there are at once per key; a key without any takes no memory."""

    taken: Counter[str] = field(default_factory=Counter)

    def free(self, key: str, most: int) -> bool:
        return self.taken[key] < most

    def add(self, keys: Iterable[str]) -> None:
        self.taken.update(keys)

    def remove(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.taken[key] -= 1
            if self.taken[key] <= 0:
                del self.taken[key]
