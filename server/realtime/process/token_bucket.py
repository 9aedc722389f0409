"""How much one sender may send: a token bucket. Knows nothing of what is sent, and no clock: times are arguments."""

from dataclasses import dataclass


@dataclass(slots=True)
class TokenBucket:
    """Holds `amount` tokens, one a message, which come back evenly within `window` ms. Starts full."""

    amount: int
    window: int
    spent: float = 0.0
    at: int = 0

    def take(self, now: int, cost: int = 1) -> bool:
        """Spend `cost` tokens at `now` (ms); False, and nothing spent, when there are not that many left."""
        back = max(0, now - self.at) * self.amount / self.window
        self.spent = max(0.0, self.spent - back)
        self.at = now
        if self.spent + cost > self.amount:
            return False
        self.spent += cost
        return True

    def refund(self) -> None:
        """The message that was just paid for had been asked for: it costs nothing."""
        self.spent = max(0.0, self.spent - 1)
