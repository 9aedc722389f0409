"""Which of the reads and writes that wait is next.

Writes go first, as the moves are among them. But after each write comes a read, if one waits: otherwise writes without
end would keep every page from opening. So a move waits for one read at most, however many pages are asked for.
"""

from collections import deque
from threading import Semaphore
from typing import Generic, TypeVar

Job = TypeVar("Job")


class Turns(Generic[Job]):
    """Jobs in the order in which one thread does them; any thread may add more."""

    def __init__(self) -> None:
        self._reads: deque[Job] = deque()
        self._writes: deque[Job] = deque()
        self._waiting = Semaphore(0)
        self._wrote = False

    def add_read(self, job: Job) -> None:
        self._reads.append(job)
        self._waiting.release()

    def add_write(self, job: Job) -> None:
        self._writes.append(job)
        self._waiting.release()

    def take(self, within_s: float = 0) -> Job | None:
        """The next job, which is waited for up to `within_s`; None if there is none."""
        if not self._waiting.acquire(timeout=within_s):
            return None
        self._wrote = bool(self._writes) and not (self._wrote and self._reads)
        return (self._writes if self._wrote else self._reads).popleft()
