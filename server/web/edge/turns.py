"""Who may begin a request now: few in each round of the event loop, so that games get their turn between them.

Requests that come on many connections at once would otherwise all be worked on in one round, and every move would wait
for the last of them. Knows no request, only who waits.
"""

import asyncio
from collections import deque
from typing import Final, Protocol

IN_A_ROUND: Final = 2
"""A page takes about 2 ms, and a round of the loop by itself some hundredths of one."""


class Waiting(Protocol):
    """Who asked for a turn; `go_on` asks again."""

    def go_on(self) -> None: ...


class Turns:
    """Gives out turns in the order in which they were asked for."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._left = IN_A_ROUND
        self._waiting: deque[Waiting] = deque()
        self._due = False

    def take(self, who: Waiting) -> bool:
        """Is it the turn of `who` now? If not, they are told to go on when it is; ask only once until then."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self._next_round)
        if self._left:
            self._left -= 1
            return True
        self._waiting.append(who)
        return False

    def _next_round(self) -> None:
        self._due = False
        self._left = IN_A_ROUND
        while self._left and self._waiting:
            self._waiting.popleft().go_on()
