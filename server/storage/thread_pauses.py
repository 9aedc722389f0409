"""Pauses of the event loop, short ones, for the thread that writes to the store.

A thread that wants the interpreter lock may demand it after the switch interval, but begins to wait anew whenever the
lock was let go meanwhile, which a busy loop does several times a millisecond, and takes it back before the thread has
woken up. A write needs the lock about ten times: a move took a third of a second while nothing on the loop held it for
more than three milliseconds. Knows no engine.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import Final

LATE_S: Final = 0.004
"""A write that takes no longer needs no help."""
EVERY_S: Final = 0.001
"""The loop does its own work for at least so long between two pauses."""
SHORTEST_S: Final = 0.000_02
LONGEST_S: Final = 0.001
SHARE: Final = 1 / 50
"""How much of the time that the write has taken so far a pause lasts: on a busy machine threads wake up late."""


@contextmanager
def pausing_for_thread() -> Iterator[None]:
    """Pauses the loop now and then while the block waits for a thread."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    due: asyncio.TimerHandle

    def pause_after(delay_s: float) -> None:
        nonlocal due
        due = loop.call_later(delay_s, pause)

    def pause() -> None:
        sleep(min(max(SHORTEST_S, SHARE * (loop.time() - began)), LONGEST_S))
        pause_after(EVERY_S)

    pause_after(LATE_S)
    try:
        yield
    finally:
        due.cancel()
