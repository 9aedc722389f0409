"""Limits how much work begins in one iteration of the event loop, so that other work gets its turn in between.

Otherwise everything that arrives on many connections at once would be handled in one iteration, and every move would
wait for all of it.
"""

import asyncio
from collections import deque
from collections.abc import Callable

GoOn = Callable[[], object]
"""Called when it is the turn of somebody who has asked for one; it asks again."""


class LoopThrottle:
    """Gives out `per_iteration` turns in each iteration, first come, first served."""

    def __init__(self, per_iteration: int) -> None:
        self._per_iteration = per_iteration
        self._left = per_iteration
        self._waiting: deque[GoOn] = deque()
        self._due = False

    def take(self, go_on: GoOn) -> bool:
        """Is it the caller's turn? If not, `go_on` is called when it is; ask only once until then."""
        self._schedule_next_iteration()
        if self._left:
            self._left -= 1
            return True
        self._waiting.append(go_on)
        return False

    def wait(self, go_on: GoOn) -> None:
        """The caller has had a turn and wants another: `go_on` is called after those who wait, in another iteration."""
        self._schedule_next_iteration()
        self._waiting.append(go_on)

    def let_others_first(self, then: Callable[[], object]) -> None:
        """Calls `then` after those who wait now have had their turn; at once if there are none."""
        if self._waiting:
            self.wait(then)
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
            # Whoever wants another turn by then gets it in another iteration.
            for _ in range(len(self._waiting)):
                if not self._left:
                    break
                self._waiting.popleft()()
        finally:
            if self._waiting:
                self._schedule_next_iteration()
