"""The image cache: each picture is drawn once, in turn, kept within bounds, and by a process that can be replaced."""

import asyncio
import os
import signal
import threading

import pytest

from server.web.pictures.drawing_process import DrawingProcess
from server.web.pictures.image_cache import IMAGES, MAX_KEPT


async def test_one_picture_asked_for_by_many_is_drawn_once(server):
    images, drawn = server.app[IMAGES], []

    def plan():
        drawn.append(1)
        return "<svg/>"

    pictures = await asyncio.gather(*(images.picture("tag", plan) for _ in range(20)))
    assert len(drawn) == 1
    assert {one.body for one in pictures} == {b"<svg/>"}


async def test_pictures_are_planned_one_after_the_other(server):
    images, one_at_a_time, met = server.app[IMAGES], threading.Lock(), []

    def plan():
        met.append(not one_at_a_time.acquire(blocking=False))
        for _ in range(100):
            os.sched_yield()
        if not met[-1]:
            one_at_a_time.release()
        return "<svg/>"

    await asyncio.gather(*(images.picture(str(number), plan) for number in range(20)))
    assert met == [False] * 20


async def test_what_is_kept_has_a_bound(server):
    images, drawn = server.app[IMAGES], []
    big = "x" * (MAX_KEPT // 2)

    def plan():
        drawn.append(1)
        return big

    for tag in ("first", "second", "third", "first"):
        await images.picture(tag, plan)
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
