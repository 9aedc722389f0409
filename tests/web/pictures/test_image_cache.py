"""The image cache: each picture is drawn once, in turn, kept within bounds, and by a process that can be replaced."""

import asyncio
import os
import signal

import pytest

from server.rules.sliced_work import in_one_slice
from server.web.pictures.image_cache import IMAGES, MAILS, MAX_KEPT, MAX_WAITING, PLANNED_AT_ONCE, DrawingProcess
from server.web.rendering.problems import Problem

ANNAS = "192.0.2.1"


async def test_one_picture_asked_for_by_many_is_drawn_once(server):
    images, drawn = server.app[IMAGES], []

    def plan():
        drawn.append(1)
        return "<svg/>"

    pictures = await asyncio.gather(*(images.picture("tag", in_one_slice(plan), ANNAS) for _ in range(20)))
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

    await asyncio.gather(server.app[IMAGES].picture("tag", plan(), ANNAS), somebody_else())
    assert seen == [1, 1, 1]


async def test_what_is_kept_has_a_bound(server):
    images, drawn = server.app[IMAGES], []
    big = "x" * (MAX_KEPT // 2)

    def plan():
        drawn.append(1)
        return big

    for tag in ("first", "second", "third", "first"):
        await images.picture(tag, in_one_slice(plan), ANNAS)
    assert len(drawn) == 4


async def test_a_flood_of_pictures_starves_neither_mails_nor_other_networks(server):
    """There was one queue: while somebody filled it everybody else was refused, and mails went without their board."""
    images, drawn, go = server.app[IMAGES], [], asyncio.Event()

    def plan(tag):
        while not go.is_set():
            yield
        drawn.append(tag)
        return "<svg/>"

    def ask(tag, caller):
        return asyncio.create_task(images.picture(tag, plan(tag), caller))

    flood = [ask(f"flood {n}", f"198.51.{n % 4}.{n}") for n in range(5 * MAX_WAITING)]
    await asyncio.sleep(0)
    others = [ask("a newcomer's", ANNAS), ask("a mail's", MAILS), ask("hers as well", ANNAS)]
    await asyncio.sleep(0)
    go.set()
    assert [one.body for one in await asyncio.gather(*others)] == [b"<svg/>"] * 3
    ends = await asyncio.gather(*flood, return_exceptions=True)
    assert any(isinstance(one, Problem) for one in ends)
    assert {drawn.index("a mail's"), drawn.index("a newcomer's")} <= set(range(8)), "before those that waited longer"


async def test_joiners_have_a_place_of_their_own(server):
    """Somebody else asked first for the same picture, from a network that had too many in the queue."""
    images, drawn, go = server.app[IMAGES], [], asyncio.Event()

    def plan(tag):
        while not go.is_set():
            yield
        drawn.append(tag)
        return "<svg/>"

    def ask(tag, caller):
        return asyncio.create_task(images.picture(tag, plan(tag), caller))

    flood = [ask(f"flood {n}", "198.51.100.1") for n in range(MAX_WAITING + PLANNED_AT_ONCE)]
    await asyncio.sleep(0)
    first, *joined = [ask("shared", caller) for caller in ("198.51.100.1", ANNAS, MAILS, "198.51.100.2")]
    with pytest.raises(Problem, match="busy_drawing"):
        await first
    go.set()
    assert [one.body for one in await asyncio.gather(*joined)] == [b"<svg/>"] * 3
    assert drawn.count("shared") == 1
    await asyncio.gather(*flood, return_exceptions=True)


def test_a_drawing_process_loads_nothing_that_only_the_server_needs_and_is_replaced_if_it_was_killed():
    process = DrawingProcess()
    try:
        assert process.submit(eval, "{'aiohttp', 'server.web'} & {*__import__('sys').modules}").result(30) == set()
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
