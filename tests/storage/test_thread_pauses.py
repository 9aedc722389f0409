"""The loop pauses for the thread that writes, if its write takes long. The bench of attacks shows that it is enough."""

import pytest

from server.storage import thread_pauses
from server.storage.thread_pauses import LATE_S, LONGEST_S, SHORTEST_S, pausing_for_thread


class Timer:
    """Goes off once, unless it is cancelled before."""

    def __init__(self, at, run):
        self.at = at
        self.run = run

    def cancel(self):
        self.run = lambda: None


class HandLoop:
    """An event loop whose time passes when it is turned, or slept away."""

    def __init__(self):
        self.now = 0.0
        self.slept = []
        self._timers = []

    def time(self):
        return self.now

    def call_later(self, delay, run):
        self._timers.append(Timer(self.now + delay, run))
        return self._timers[-1]

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def turn(self, seconds):
        end = self.now + seconds
        while due := [timer for timer in self._timers if timer.at <= end]:
            first = min(due, key=lambda timer: timer.at)
            self._timers.remove(first)
            self.now = max(self.now, first.at)
            first.run()
        self.now = max(self.now, end)


@pytest.fixture
def loop(monkeypatch):
    loop = HandLoop()
    monkeypatch.setattr(thread_pauses.asyncio, "get_running_loop", lambda: loop)
    monkeypatch.setattr(thread_pauses, "sleep", loop.sleep)
    return loop


def test_the_longer_a_write_takes_the_longer_are_the_pauses(loop):
    with pausing_for_thread():
        loop.turn(0.2)
    assert SHORTEST_S <= loop.slept[0] < loop.slept[-1] <= LONGEST_S
    assert sum(loop.slept) < 0.2 / 2


def test_a_quick_write_needs_none(loop):
    with pausing_for_thread():
        loop.turn(LATE_S / 2)
    loop.turn(2 * LATE_S)
    assert not loop.slept


def test_they_end_with_the_write(loop):
    with pausing_for_thread():
        loop.turn(0.05)
    so_far = len(loop.slept)
    loop.turn(0.05)
    assert len(loop.slept) == so_far > 0


def test_a_write_that_fails_ends_them_too(loop):
    with pytest.raises(ZeroDivisionError), pausing_for_thread():
        raise ZeroDivisionError
    loop.turn(2 * LATE_S)
    assert not loop.slept
