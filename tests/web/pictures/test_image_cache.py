"""The image cache: each picture is drawn once, in turn, kept within bounds, and by a process that can be replaced."""

import asyncio
import os
import signal

import pytest

from server.rules.sliced_work import undivided
from server.web.pictures.drawing_process import DrawingProcess
from server.web.pictures.image_cache import IMAGES, MAX_KEPT


async def test_one_picture_asked_for_by_many_is_drawn_once(server):
    images, drawn = server.app[IMAGES], []

    def plan():
        drawn.append(1)
        return "<svg/>"

    pictures = await asyncio.gather(*(images.picture("tag", undivided(plan)) for _ in range(20)))
    assert len(drawn) == 1
    assert {one.body for one in pictures} == {b"<svg/>"}


async def test_a_long_plan_is_made_in_slices(server):
    seen, done = [], asyncio.Event()

    def plan():
        while not done.is_set():
            yield
        return "<svg/>"

    async def somebody_else():
        for _ in range(3):
            seen.append(1)
            await asyncio.sleep(0)
        done.set()

    await asyncio.gather(server.app[IMAGES].picture("tag", plan()), somebody_else())
    assert seen == [1, 1, 1]


async def test_what_is_kept_has_a_bound(server):
    images, drawn = server.app[IMAGES], []
    big = "x" * (MAX_KEPT // 2)

    def plan():
        drawn.append(1)
        return big

    for tag in ("first", "second", "third", "first"):
        await images.picture(tag, undivided(plan))
    assert len(drawn) == 4


def test_a_drawing_process_that_was_killed_is_replaced():
    process = DrawingProcess()
    try:
        worker = process.submit(pid_of_process, None).result(30)
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(Exception, match="terminated abruptly"):
            process.submit(wait_for_the_end, None).result(30)
        assert process.submit(pid_of_process, None).result(30) != worker
    finally:
        process.close()


def pid_of_process(_):
    return os.getpid()


def wait_for_the_end(_):
    signal.pause()
