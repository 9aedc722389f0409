"""When a server looks through everything for garbage: when memory has grown, but never for much of its time."""

import gc

from server.gc_tuning import GROWN, REST, Sweeper


class Process:
    """Memory and time by hand; a collection takes `takes` seconds and frees `frees` bytes."""

    def __init__(self, monkeypatch):
        self.memory, self.time, self.takes, self.frees, self.sweeps = 100, 1_024.0, 0.125, 0, 0
        monkeypatch.setattr(gc, "collect", self.collect)
        self.sweeper = Sweeper(lambda: self.memory, lambda: self.time)

    def collect(self):
        self.time += self.takes
        self.memory -= self.frees
        self.sweeps += 1


async def test_memory_that_has_grown_is_swept(monkeypatch):
    process = Process(monkeypatch)
    process.memory += GROWN - 1
    await process.sweeper.look()
    assert process.sweeps == 0
    process.memory, process.frees = process.memory + 1, GROWN // 2
    await process.sweeper.look()
    assert process.sweeps == 1
    process.time += 3_600
    await process.sweeper.look()
    assert process.sweeps == 1, "what stays after a sweep is no reason for the next"


async def test_sweeps_take_no_more_than_a_thousandth_of_the_time(monkeypatch):
    process = Process(monkeypatch)
    process.memory += GROWN
    await process.sweeper.look()
    process.memory += GROWN
    process.time += REST * process.takes - 1
    await process.sweeper.look()
    assert process.sweeps == 1
    process.time += 1
    await process.sweeper.look()
    assert process.sweeps == 2
