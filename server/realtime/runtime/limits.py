"""Limits of what senders may send, a process keeps, and the event loop does at once."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from server.rules.errors import Refusal

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedDict(OrderedDict[Key, Value]):
    """At most `most` entries: it forgets what was set longest ago. One that is set again counts as new."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


@dataclass(slots=True)
class TokenBucket:
    """Holds up to `amount` tokens, which refill evenly within `window` ms. Starts full."""

    amount: int
    window: int
    spent: float = 0.0
    at: int = 0

    def take(self, now: int, cost: int = 1) -> bool:
        """Spends `cost` tokens at `now` (ms). False, with nothing spent, if there are too few."""
        back = max(0, now - self.at) * self.amount / self.window
        self.spent = max(0.0, self.spent - back)
        self.at = now
        if self.spent + cost > self.amount:
            return False
        self.spent += cost
        return True

    def take_or_owe(self, now: int, cost: int) -> bool:
        """As `take`; a cost of more than the bucket holds needs a full one, and the rest is owed."""
        if not self.take(now, min(cost, self.amount)):
            return False
        self.spent += max(0, cost - self.amount)
        return True

    def refund(self) -> None:
        """Gives back the cost of the last message, which we had asked for."""
        self.spent = max(0.0, self.spent - 1)


PEOPLE: Final = 10_000


class PersonLimiter:
    """Lets each person have `amount` at once, and as much again in `window` ms.

    Bounded: those longest idle are forgotten.
    """

    def __init__(self, amount: int, window: int) -> None:
        self._amount = amount
        self._window = window
        self._buckets: BoundedDict[str, TokenBucket] = BoundedDict(PEOPLE)

    def charge(self, person: str, now: int, cost: int = 1) -> None:
        """Counts `cost` for the person with that id at `now` (ms). Raises Refusal if that is too much."""
        bucket = self._buckets[person] = self._buckets.get(person) or TokenBucket(self._amount, self._window)
        if not bucket.take(now, cost):
            raise Refusal("rate")


GoOn = Callable[[], object]
"""Called when it is the turn of somebody who has asked for one; it asks again."""


class LoopThrottle:
    """Limits how much work begins in one iteration of the event loop, so that other work gets its turn in between.

    Otherwise everything that arrives on many connections at once would be handled in one iteration, and every move
    would wait for all of it. It gives out `per_iteration` turns in each, first come, first served.
    """

    def __init__(self, per_iteration: int) -> None:
        self._per_iteration = per_iteration
        self._left = per_iteration
        self._waiting: deque[GoOn] = deque()
        self._due = False

    def take_turn(self, go_on: GoOn) -> bool:
        """Is it the caller's turn? If not, `go_on` is called when it is; ask only once until then."""
        self._schedule_next_iteration()
        if self._left:
            self._left -= 1
            return True
        self._waiting.append(go_on)
        return False

    def wait_turn(self, go_on: GoOn) -> None:
        """The caller has had a turn and wants another: `go_on` is called after those who wait, in another iteration."""
        self._schedule_next_iteration()
        self._waiting.append(go_on)

    def let_others_first(self, then: Callable[[], object]) -> None:
        """Calls `then` after those who wait now have had their turn; at once if there are none."""
        if self._waiting:
            self.wait_turn(then)
        else:
            then()

    def _schedule_next_iteration(self) -> None:
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._next_iteration)

    def _next_iteration(self) -> None:
        self._due = False
        self._left = self._per_iteration
        try:
            # Those who ask for another turn meanwhile get it in another iteration.
            for _ in range(len(self._waiting)):
                if not self._left:
                    break
                self._waiting.popleft()()
        finally:
            if self._waiting:
                self._schedule_next_iteration()
