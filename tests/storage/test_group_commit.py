"""Group commit: who waits for what, and what becomes of those who stop waiting. The engine is a list and a gate."""

import asyncio

import pytest

from server.storage.errors import Conflict, Unavailable
from server.storage.group_commit import BATCH_LIMIT, GroupCommit


class Engine:
    """Keeps the batches it was given. Each waits until the gate is open."""

    def __init__(self, most=1):
        self.most = most
        self.batches = []
        self.given = asyncio.Condition()
        self.gate = asyncio.Event()
        self.gate.set()
        self.at_once = 0
        self.answers = {}

    async def write(self, batch):
        self.at_once += 1
        assert self.at_once <= self.most, "too many batches in flight"
        async with self.given:
            self.batches.append(list(batch))
            self.given.notify_all()
        await self.gate.wait()
        self.at_once -= 1
        answers = [self.answers.get(op) for op in batch]
        for answer in answers:
            if isinstance(answer, OSError):
                raise answer
        return answers


@pytest.fixture
async def engine():
    return Engine()


@pytest.fixture
async def group(engine):
    return GroupCommit(engine.write)


async def asked(group, ops, key=None):
    """Tasks that have queued `ops`, in order."""
    tasks = [asyncio.create_task(group.submit(op, key)) for op in ops]
    await asyncio.sleep(0)
    return tasks


async def test_a_lone_operation_is_written_at_once(group, engine):
    await group.submit("one")
    assert engine.batches == [["one"]]


async def test_what_queues_while_a_batch_is_in_flight_is_the_next_batch(group, engine):
    engine.gate.clear()
    first = await asked(group, [0])
    await asyncio.sleep(0)
    rest = await asked(group, range(1, 100))
    assert engine.batches == [[0]]
    assert not any(task.done() for task in (*first, *rest))
    engine.gate.set()
    await asyncio.gather(*first, *rest)
    assert engine.batches == [[0], list(range(1, 100))]


async def test_no_caller_is_answered_before_their_batch_is_written(group, engine):
    engine.gate.clear()
    tasks = await asked(group, range(10))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)
    engine.gate.set()
    assert await asyncio.gather(*tasks) == [None] * 10


async def test_a_batch_has_a_limit_and_order_is_kept(group, engine):
    await asyncio.gather(*await asked(group, range(2 * BATCH_LIMIT + 10)))
    assert [len(batch) for batch in engine.batches] == [BATCH_LIMIT, BATCH_LIMIT, 10]
    assert [op for batch in engine.batches for op in batch] == list(range(2 * BATCH_LIMIT + 10))


async def test_operations_of_one_key_never_share_a_batch_and_keep_their_order(group, engine):
    engine.gate.clear()
    tasks = await asked(group, ["a1", "a2", "a3"], key="a")
    tasks += await asked(group, ["b1", "b2"], key="b")
    tasks += await asked(group, ["free1", "free2"])
    engine.gate.set()
    await asyncio.gather(*tasks)
    assert engine.batches[0] == ["a1"]
    assert [sorted(batch) for batch in engine.batches[1:]] == [["a2", "b1", "free1", "free2"], ["a3", "b2"]]


async def test_each_caller_gets_their_own_answer(group, engine):
    engine.answers["bad"] = Conflict("bad")
    answers = await asyncio.gather(*await asked(group, ["good", "bad", "fine"]), return_exceptions=True)
    assert [type(answer) for answer in answers] == [type(None), Conflict, type(None)]


async def test_what_one_operation_breaks_is_written_without_it(group, engine):
    engine.answers |= {"broken": OSError("broken"), "stale": Conflict("stale")}
    batch = ["well", "broken", "stale", "near it"]
    answers = await asyncio.gather(*await asked(group, batch), return_exceptions=True)
    assert [str(answer) for answer in answers] == ["None", "broken", "stale", "None"]
    assert engine.batches == [batch, *([op] for op in batch)]
    await group.submit("next")


async def test_giving_up_waiting_stops_neither_ones_own_write_nor_another(group, engine):
    engine.gate.clear()
    tasks = await asked(group, range(6))
    tasks[2].cancel()
    tasks[4].cancel()
    await asyncio.sleep(0)
    engine.gate.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers].count(type(None)) == 4
    await group.close()
    assert sorted(op for batch in engine.batches for op in batch) == list(range(6))


async def test_a_save_given_up_before_its_batch_begins_is_written_all_the_same(group, engine):
    engine.gate.clear()
    first = await asked(group, ["first"])
    await asyncio.sleep(0)
    (given_up,) = await asked(group, ["given up"])
    given_up.cancel()
    engine.gate.set()
    await asyncio.gather(*first, given_up, return_exceptions=True)
    await group.close()
    assert engine.batches == [["first"], ["given up"]]


async def test_closing_drains_the_queue_and_refuses_what_comes_later(group, engine):
    engine.gate.clear()
    tasks = await asked(group, range(5))
    await asyncio.sleep(0)
    tasks += await asked(group, range(5, 9))
    closing = asyncio.create_task(group.close())
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await group.submit("late")
    assert not closing.done()
    engine.gate.set()
    await closing
    assert all(task.done() for task in tasks)
    assert [op for batch in engine.batches for op in batch] == list(range(9))


async def test_closing_an_idle_group_returns(group):
    await group.close()
    await group.close()


async def test_giving_up_waiting_for_the_end_does_not_stop_the_writing(group, engine):
    engine.gate.clear()
    tasks = await asked(group, range(3))
    closing = asyncio.create_task(group.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    engine.gate.set()
    assert await asyncio.gather(*tasks) == [None] * 3


async def test_when_the_loop_ends_every_caller_gets_an_error(group, engine):
    engine.gate.clear()
    tasks = await asked(group, ["in flight"])
    await asyncio.sleep(0)
    tasks += await asked(group, ["queued"])
    for task in asyncio.all_tasks() - {asyncio.current_task(), *tasks}:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Unavailable, Unavailable]


PATIENCE_S = 0.01


@pytest.fixture
async def far_engine():
    return Engine(most=3)


@pytest.fixture
async def far_group(far_engine):
    return GroupCommit(far_engine.write, PATIENCE_S, far_engine.most)


async def in_flight(engine, batches):
    """Returns when the engine has been given so many batches."""
    async with asyncio.timeout(60), engine.given:
        await engine.given.wait_for(lambda: len(engine.batches) >= batches)


async def test_a_slow_batch_does_not_hold_up_the_next(far_group, far_engine):
    far_engine.gate.clear()
    tasks = await asked(far_group, [0])
    await in_flight(far_engine, 1)
    tasks += await asked(far_group, [1, 2])
    await in_flight(far_engine, 2)
    tasks += await asked(far_group, [3])
    await in_flight(far_engine, 3)
    tasks += await asked(far_group, [4, 5])
    await asyncio.sleep(2 * PATIENCE_S)
    assert far_engine.batches == [[0], [1, 2], [3]]
    far_engine.gate.set()
    await asyncio.gather(*tasks)
    assert far_engine.batches == [[0], [1, 2], [3], [4, 5]]


async def test_operations_of_one_key_are_never_in_flight_together(far_group, far_engine):
    far_engine.gate.clear()
    tasks = await asked(far_group, ["a1", "a2"], key="a")
    await in_flight(far_engine, 1)
    tasks += await asked(far_group, ["b"], key="b")
    await in_flight(far_engine, 2)
    assert far_engine.batches == [["a1"], ["b"]]
    far_engine.gate.set()
    await asyncio.gather(*tasks)
    assert far_engine.batches == [["a1"], ["b"], ["a2"]]


async def test_closing_waits_for_every_batch(far_group, far_engine):
    far_engine.gate.clear()
    tasks = await asked(far_group, [0])
    await in_flight(far_engine, 1)
    tasks += await asked(far_group, [1])
    await in_flight(far_engine, 2)
    closing = asyncio.create_task(far_group.close())
    await asyncio.sleep(2 * PATIENCE_S)
    assert not closing.done()
    far_engine.gate.set()
    await closing
    assert all(task.done() for task in tasks)
