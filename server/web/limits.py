"""How often somebody may do something: token buckets in bounded memory. Knows no requests and no people, only keys."""

import math
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_KEYS = 20_000
"""Most keys one limit remembers (about 3 MiB)."""


@dataclass(slots=True)
class RateLimit:
    """At most `amount` at once per key, and `amount` per `period` seconds in the long run.

    `whole` says of each key when (s) its allowance will be whole again; each use puts that off by an equal part of the
    period, and a use that would put it off beyond one period is refused.
    """

    amount: int
    period: float
    whole: OrderedDict[str, float] = field(default_factory=OrderedDict)

    def take(self, key: str, now: float) -> int:
        """Takes one. Returns 0, or after how many whole seconds to come again; then nothing was taken.

        When every key is in use, a new key is refused: somebody is filling the map, and to forget a running
        limit would be to lift it.
        """
        if wait := self.wait(key, now):
            return wait
        if key not in self.whole and not self.has_room(now):
            return math.ceil(self.period)
        self.whole[key] = max(now, self.whole.get(key, now)) + self.period / self.amount
        self.whole.move_to_end(key)
        return 0

    def wait(self, key: str, now: float) -> int:
        """After how many whole seconds something can be taken; 0: now. Takes nothing."""
        put_off = max(now, self.whole.get(key, now)) + self.period / self.amount
        return max(0, math.ceil(round(put_off - now - self.period, 3)))

    def has_room(self, now: float) -> bool:
        """Makes room for a new key by dropping the one used longest ago, if its allowance is whole again."""
        if len(self.whole) < MAX_KEYS:
            return True
        if next(iter(self.whole.values())) > now:
            return False
        self.whole.popitem(last=False)
        return True


@dataclass(slots=True)
class Limits:
    """Every limit on one page. By session where there is one, else by network address."""

    create: RateLimit = field(default_factory=lambda: RateLimit(20, 60))
    seeks_by_address: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """A school can look for opponents all at once; one machine cannot fill the lobby."""
    challenges: RateLimit = field(default_factory=lambda: RateLimit(60, 3600))
    """Challenges by name, by who makes them: each calls somebody, and a new session is soon had."""
    alerts_by_address: RateLimit = field(default_factory=lambda: RateLimit(60, 86_400))
    """All standing offers are looked through for each new seek."""
    join: RateLimit = field(default_factory=lambda: RateLimit(30, 60))
    reads: RateLimit = field(default_factory=lambda: RateLimit(240, 60))
    """Games read in full, each of which is replayed for it, and lists of all seeks, by address."""
    misses: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Games asked for that do not exist, by address: guessing ids is slow."""
    guests: RateLimit = field(default_factory=lambda: RateLimit(60, 180))
    """New guests by address: a class of 40 behind one address can begin together."""
    guests_here: RateLimit = field(default_factory=lambda: RateLimit(100, 10))
    """New guests on the whole server."""
    registrations: RateLimit = field(default_factory=lambda: RateLimit(20, 3600))
    """New names by address: half a class in an hour."""
    sign_ins: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """Passwords tried for one name."""
    sign_ins_by_address: RateLimit = field(default_factory=lambda: RateLimit(50, 600))
    passwords: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """Passwords asked for again of who is signed in, by session: a stranger's tries do not count against him."""
    searches: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Searches of the archive by address."""
    imports: RateLimit = field(default_factory=lambda: RateLimit(20, 600))
    """Files imported by address, whatever becomes of them."""
    imported: RateLimit = field(default_factory=lambda: RateLimit(400, 86_400))
    """Games taken in from files, by session; by address for those who come back without their cookie."""
    imported_by_address: RateLimit = field(default_factory=lambda: RateLimit(1_000, 86_400))
    tries: RateLimit = field(default_factory=lambda: RateLimit(600, 60))
    """Moves tried on the analysis board: ten a second, which holding a key down does not reach."""
    long_tries: RateLimit = field(default_factory=lambda: RateLimit(40, 60))
    """Whole lines and games given to the analysis board."""
    pictures: RateLimit = field(default_factory=lambda: RateLimit(120, 60))
    """Pictures drawn, by address; a moving one counts for several. Those that the browser has already are free."""
    exports: RateLimit = field(default_factory=lambda: RateLimit(5, 600))
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
