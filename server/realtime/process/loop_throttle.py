"""Lets few begin something in each iteration of the event loop, so that everybody else gets their turn between them.

What comes on many connections at once would otherwise all be worked on in one iteration, and every move would wait for
the last of it. Knows neither requests nor messages, only who waits.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol


class Waiting(Protocol):
    """Who asked for a turn; `go_on` asks again."""

    def go_on(self) -> None: ...


class LoopThrottle:
    """Gives out `per_iteration` turns in each round, in the order in which they were asked for."""

    __slots__ = ("_due", "_left", "_per_iteration", "_waiting")

    def __init__(self, per_iteration: int) -> None:
        self._per_iteration = per_iteration
        self._left = per_iteration
        self._waiting: deque[Waiting] = deque()
        self._due = False

    def take(self, who: Waiting) -> bool:
        """Is it the turn of `who` now? If not, they are told to go on when it is; ask only once until then."""
        self._schedule_next_iteration()
        if self._left:
            self._left -= 1
            return True
        self._waiting.append(who)
        return False

    def wait(self, who: Waiting) -> None:
        """`who` had a turn and wants another: they are told to go on after those who wait already, in another round."""
        self._schedule_next_iteration()
        self._waiting.append(who)

    def let_others_first(self, then: Callable[[], object]) -> None:
        """Calls `then` at once if nobody waits, else when those who wait now have had their turn."""
        if self._waiting:
            self.wait(_Later(then))
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
            # Who wants another turn by then has it in another round.
            for _ in range(len(self._waiting)):
                if not self._left:
                    break
                self._waiting.popleft().go_on()
        finally:
            if self._waiting:
                self._schedule_next_iteration()


class _Later:
    """Takes no turn, and is called when it would be its turn."""

    def __init__(self, then: Callable[[], object]) -> None:
        self._then = then

    def go_on(self) -> None:
        self._then()
