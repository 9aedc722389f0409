"""The thread of the SQLite file: whoever waits for it is answered on the loop, and whoever has gone costs nothing."""

import asyncio
import threading

import pytest

from server.storage.sqlite.file_thread import FileThread


@pytest.fixture
def thread():
    thread = FileThread()
    yield thread
    asyncio.run(thread.end(lambda: None))


async def test_work_is_done_beside_the_loop_and_answered_on_it(thread):
    assert await thread.write(threading.get_ident) != threading.get_ident()
    with pytest.raises(ZeroDivisionError):
        await thread.read(lambda: 1 / 0)
    assert await thread.read(lambda: "still there") == "still there"


async def test_what_nobody_waits_for_any_more_is_left_out(thread):
    go_on, done = threading.Event(), []
    first = asyncio.create_task(thread.write(lambda: go_on.wait(10)))
    given_up = asyncio.create_task(thread.write(lambda: done.append("given up")))
    begun = asyncio.create_task(thread.write(lambda: done.append("wanted")))
    await asyncio.sleep(0)
    given_up.cancel()
    first.cancel()
    await asyncio.gather(first, given_up, return_exceptions=True)
    go_on.set()
    await begun
    assert done == ["wanted"]


async def test_it_ends_when_it_has_done_what_is_queued_be_it_to_read_or_to_write():
    thread, done = FileThread(), []
    go_on = threading.Event()
    ways = (thread.read, thread.read, thread.write, thread.read)
    queued = [asyncio.create_task(thread.read(lambda: go_on.wait(10)))]
    queued += [asyncio.create_task(way(lambda number=number: done.append(number))) for number, way in enumerate(ways)]
    ended = asyncio.create_task(thread.end(lambda: done.append("last")))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*queued, ended)
    await asyncio.to_thread(thread._thread.join)
    assert sorted(done[:-1]) == [0, 1, 2, 3]
    assert done[-1] == "last"


async def test_a_long_job_lets_nothing_pass_that_comes_last():
    thread, done, let_pass = FileThread(), [], threading.Event()

    def long():
        let_pass.wait(10)
        while thread.let_others_pass(0):
            pass
        done.append("long")

    queued = [asyncio.create_task(thread.read(long))]
    queued += [asyncio.create_task(thread.write(lambda: done.append("passed")))]
    queued += [asyncio.create_task(thread.end(lambda: done.append("last")))]
    await asyncio.sleep(0)
    let_pass.set()
    await asyncio.gather(*queued)
    assert done == ["passed", "long", "last"]


def test_a_loop_that_is_gone_does_not_stop_the_thread(thread):
    go_on = threading.Event()

    async def leave():
        asyncio.get_running_loop().create_task(thread.write(lambda: go_on.wait(10)))
        await asyncio.sleep(0)

    asyncio.run(leave())
    go_on.set()
    assert asyncio.run(thread.read(lambda: "still there")) == "still there"
