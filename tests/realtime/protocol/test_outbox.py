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

    def send(self, text, *, more=False):
        if self.ready:
            self.sent.append(text)
        return self.ready


@pytest.fixture
def outbox():
    return ReadyOutbox()


def test_texts_come_out_in_order_and_the_latest_crowd_last(outbox):
    outbox.put("a")
    outbox.put_latest("crowd 1")
    outbox.put("b")
    outbox.put_latest("crowd 2")
    outbox.close(1012)
    assert outbox.read_all() == ["a", "b", "crowd 2"]
    assert outbox.close_code == 1012


def test_the_writer_is_woken_by_texts_and_by_the_end(outbox):
    outbox.put("a")
    assert outbox.wakes == 1
    outbox.put_latest("crowd")
    assert outbox.wakes == 2
    outbox.close(1000)
    assert outbox.wakes == 3


def test_a_text_skips_an_empty_queue(outbox):
    outbox.ready = True
    outbox.put("a")
    assert (outbox.sent, outbox.wakes) == (["a"], 0)
    outbox.ready = False
    outbox.put("b")
    outbox.ready = True
    outbox.put("c")
    assert outbox.sent == ["a"], "nothing overtakes what waits"
    assert outbox.read_all() == ["b", "c"]
    outbox.put("d")
    assert outbox.sent == ["a", "d"]


def test_one_text_too_many_cuts_the_client_off(outbox):
    for number in range(MAX_TEXTS):
        outbox.put(str(number))
    assert not outbox.aborted
    outbox.put("one too many")
    assert outbox.aborted
    assert (outbox.close_code, outbox.take()) == (TOO_SLOW, None)


def test_too_much_text_cuts_the_client_off(outbox):
    outbox.put("x" * (MAX_CHARACTERS - 1))
    outbox.put("y")
    assert not outbox.aborted
    outbox.put("z")
    assert outbox.aborted


def test_reading_makes_room(outbox):
    for number in range(10 * MAX_TEXTS):
        outbox.put("x" * 2_000)
        assert outbox.take() is not None, number
    assert not outbox.aborted


def test_a_closed_outbox_takes_nothing(outbox):
    outbox.close(1000)
    for _ in range(2 * MAX_TEXTS):
        outbox.put("late")
    outbox.put_latest("late")
    assert outbox.take() is None
    assert not outbox.aborted


@pytest.mark.row("S1")
async def test_a_watcher_who_never_reads_is_cut_off_and_the_players_play_on(node, variants):
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
