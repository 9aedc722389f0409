"""A client that does not read is cut off, and nobody waits for him."""

import asyncio

import pytest

from server.realtime.outbox import MAX_CHARACTERS, MAX_TEXTS, TOO_SLOW, Outbox
from tests.realtime.table import Client


class Line:
    aborted = False

    def abort(self):
        self.aborted = True


@pytest.fixture
def line():
    return Line()


@pytest.fixture
def outbox(line):
    return Outbox(line.abort)


async def read_all(outbox):
    return [text async for text in _texts(outbox)]


async def _texts(outbox):
    while (text := await outbox.next()) is not None:
        yield text


async def test_texts_come_out_in_order_and_the_latest_crowd_last(outbox):
    outbox.put("a")
    outbox.put_latest("crowd 1")
    outbox.put("b")
    outbox.put_latest("crowd 2")
    outbox.close(1012)
    assert await read_all(outbox) == ["a", "b", "crowd 2"]
    assert outbox.close_code == 1012


async def test_a_reader_that_waits_is_woken(outbox):
    reading = asyncio.create_task(outbox.next())
    await asyncio.sleep(0)
    assert not reading.done()
    outbox.put("a")
    assert await reading == "a"


async def test_one_text_too_many_cuts_the_line(outbox, line):
    for number in range(MAX_TEXTS):
        outbox.put(str(number))
    assert not line.aborted
    outbox.put("one too many")
    assert line.aborted
    assert (outbox.close_code, await outbox.next()) == (TOO_SLOW, None)


async def test_too_much_text_cuts_the_line(outbox, line):
    outbox.put("x" * (MAX_CHARACTERS - 1))
    outbox.put("y")
    assert not line.aborted
    outbox.put("z")
    assert line.aborted


async def test_a_replay_may_be_longer_than_the_queue_but_what_follows_may_not(outbox, line):
    outbox.put_all([str(number) for number in range(200)])
    for number in range(MAX_TEXTS):
        outbox.put(str(number))
    assert not line.aborted
    outbox.put("one too many")
    assert line.aborted


async def test_reading_makes_room(outbox, line):
    for number in range(10 * MAX_TEXTS):
        outbox.put("x" * 2_000)
        assert await outbox.next() is not None, number
    assert not line.aborted


async def test_a_closed_outbox_takes_nothing(outbox, line):
    outbox.close(1000)
    for _ in range(2 * MAX_TEXTS):
        outbox.put("late")
    outbox.put_latest("late")
    assert await outbox.next() is None
    assert not line.aborted


@pytest.mark.row("S1")
async def test_a_watcher_who_never_reads_is_cut_and_the_players_play_on(house, variants):
    game, white, black = await house.pair(variants)
    sleeper = Client(house, None)
    sleeper.send("hi", proto=1, game=game)
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for _ in range(MAX_TEXTS):
        await white.ask("chat", text="x" * 100)
        house.rounds.in_memory(game).audience.ping_players(house.clock())
        white.read()
        black.read()
        house.clock.turn(3_000)
        await white.ask("chat", text="y" * 100)
        house.clock.turn(3_000)
        if sleeper.aborted:
            break
    assert sleeper.aborted
    assert sleeper.code == TOO_SLOW
    assert (white.code, black.code) == (None, None)
    assert (await white.move(knights[0], 0))["t"] == "ok"
