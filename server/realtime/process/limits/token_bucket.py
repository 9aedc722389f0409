"""A token bucket, which limits how much one sender may send."""

from dataclasses import dataclass


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
