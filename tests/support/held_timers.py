"""Timers that run when a test says so: what ends after seconds is tried at once, and on a slow machine no sooner."""

import asyncio
from functools import partial


class HeldTimer:
    """One that the loop was asked for and does not know of: it waits until it is fired."""

    def __init__(self, action):
        self._action = action
        self.cancelled = False

    def cancel(self):
        self.cancelled = True

    def fire(self):
        assert not self.cancelled
        self._action()


def hold_timers(monkeypatch, seconds):
    """A list that gets each timer of so many seconds that this loop is asked for from now on."""
    loop, held = asyncio.get_running_loop(), []
    call_later = loop.call_later

    def later(delay, action, *arguments, context=None):
        if delay != seconds:
            return call_later(delay, action, *arguments, context=context)
        held.append(HeldTimer(partial(action, *arguments)))
        return held[-1]

    monkeypatch.setattr(loop, "call_later", later)
    return held
