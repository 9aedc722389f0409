"""A clock that is turned by hand, and how to let everything run that does not wait for it."""

import asyncio

START = 1_700_000_000_000


class HandClock:
    """Stands still until it is turned."""

    def __init__(self, at=START):
        self.at = at
        self._asleep = []

    def __call__(self):
        return self.at

    def turn(self, ms):
        self.at += ms
        due = [gate for at, gate in self._asleep if at <= self.at]
        self._asleep = [(at, gate) for at, gate in self._asleep if at > self.at]
        for gate in due:
            if not gate.done():
                gate.set_result(None)

    async def sleep(self, seconds):
        """Return when the clock has been turned so far."""
        gate = asyncio.get_running_loop().create_future()
        self._asleep.append((self.at + round(seconds * 1000), gate))
        await gate


async def settle(rounds=60):
    """Let everything that can run without the clock run, at most so many times each."""
    ready = asyncio.get_running_loop()._ready
    for _ in range(rounds):
        await asyncio.sleep(0)
        if not ready:
            return
