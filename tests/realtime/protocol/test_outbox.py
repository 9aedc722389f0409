"""A client that does not read is cut off, and nobody waits for it."""

import pytest

from server.realtime.protocol.outbox import MAX_CHARACTERS, MAX_TEXTS, TOO_SLOW
from tests.support.realtime.client import Client
from tests.support.realtime.manual_outbox import ManualOutbox


class ReadyOutbox(ManualOutbox):
    """Takes texts at once while it is `ready`; `sent` is what it has taken."""

    def __init__(self):
        super().__init__()
        self.ready = False
        self.sent = []

    def send(self, text):
        if self.ready:
            self.sent.append(text)
        return self.ready


@pytest.fixture
def line():
    return ReadyOutbox()


def test_texts_come_out_in_order_and_the_latest_crowd_last(line):
    line.put("a")
    line.put_latest("crowd 1")
    line.put("b")
    line.put_latest("crowd 2")
    line.close(1012)
    assert line.read_all() == ["a", "b", "crowd 2"]
    assert line.close_code == 1012


def test_the_writer_is_told_of_what_waits_and_of_the_end(line):
    line.put("a")
    assert line.wakes == 1
    line.put_latest("crowd")
    assert line.wakes == 2
    line.close(1000)
    assert line.wakes == 3


def test_while_nothing_waits_a_text_goes_past_the_queue(line):
    line.ready = True
    line.put("a")
    assert (line.sent, line.wakes) == (["a"], 0)
    line.ready = False
    line.put("b")
    line.ready = True
    line.put("c")
    assert line.sent == ["a"], "nothing overtakes what waits"
    assert line.read_all() == ["b", "c"]
    line.put("d")
    assert line.sent == ["a", "d"]


def test_one_text_too_many_cuts_the_line(line):
    for number in range(MAX_TEXTS):
        line.put(str(number))
    assert not line.aborted
    line.put("one too many")
    assert line.aborted
    assert (line.close_code, line.take()) == (TOO_SLOW, None)


def test_too_much_text_cuts_the_line(line):
    line.put("x" * (MAX_CHARACTERS - 1))
    line.put("y")
    assert not line.aborted
    line.put("z")
    assert line.aborted


def test_reading_makes_room(line):
    for number in range(10 * MAX_TEXTS):
        line.put("x" * 2_000)
        assert line.take() is not None, number
    assert not line.aborted


def test_a_closed_outbox_takes_nothing(line):
    line.close(1000)
    for _ in range(2 * MAX_TEXTS):
        line.put("late")
    line.put_latest("late")
    assert line.take() is None
    assert not line.aborted


@pytest.mark.row("S1")
async def test_a_watcher_who_never_reads_is_cut_and_the_players_play_on(node, variants):
    game, white, black = await node.pair(variants)
    sleeper = Client(node, None)
    sleeper.send("hi", proto=1, game=game)
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for _ in range(MAX_TEXTS):
        await white.ask("chat", text="x" * 100)
        node.rounds.in_memory(game).feed.ping_players(node.clock())
        white.read()
        black.read()
        node.clock.turn(3_000)
        await white.ask("chat", text="y" * 100)
        node.clock.turn(3_000)
        if sleeper.aborted:
            break
    assert sleeper.aborted
    assert sleeper.code == TOO_SLOW
    assert (white.code, black.code) == (None, None)
    assert (await white.move(knights[0], 0))["t"] == "ok"
