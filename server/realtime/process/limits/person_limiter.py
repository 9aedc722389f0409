"""How much of one kind each person may ask of this process, from however many pages."""

from typing import Final

from server.realtime.process.bounded_dict import BoundedDict
from server.realtime.process.limits.token_bucket import TokenBucket
from server.refusal import Refusal

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
