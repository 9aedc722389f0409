"""A socket without a network: what it writes, when it closes, whom it gives up, and what its handshake leaves."""

import asyncio
import gc
import socket
import weakref

import pytest
from aiohttp import web

from server.realtime.protocol.outbox import MAX_TEXTS, TOO_SLOW
from server.web.websocket import socket as sockets
from server.web.websocket.frames import Opcode, close_frame, frame, text_frame
from server.web.websocket.socket import ASK_BEATS, MAX_UNCHARGED, WRITE_BUFFER, Socket
from tests.support.held_timers import hold_timers
from tests.web.websocket.client_frames import sent
from tests.web.websocket.held_socket import PER_ITERATION, Held, Inner, Registry, step

PING = frame(Opcode.PING, b"")


async def test_texts_come_in_with_their_time_and_go_out_at_once(held):
    held.socket.data_received(sent(0x81, b"hi"))
    held.socket.data_received(sent(0x81, b"again"))
    assert held.inner.heard == [("hi", 1_000), ("again", 1_000)]
    held.socket.put("hello")
    assert held.written == [text_frame("hello")]


async def test_texts_that_come_together_are_taken_in_one_by_one_between_those_of_others(held):
    """Or one sender with fifty sockets would have hundreds worked on before the next move of somebody else."""
    other = Held(held.registry)
    held.socket.data_received(sent(0x81, b"1") + sent(0x81, b"2") + sent(0x81, b"3"))
    assert [text for text, _ in held.inner.heard] == ["1"]
    other.socket.data_received(sent(0x81, b"move"))
    assert other.inner.heard == [("move", 1_000)], "who sends one text is not kept waiting for it"
    for heard in (["1", "2"], ["1", "2", "3"], ["1", "2", "3"]):
        await asyncio.sleep(0)
        assert [text for text, _ in held.inner.heard] == heard


async def test_all_sockets_together_take_in_few_texts_in_a_round():
    registry = Registry()
    many = [Held(registry) for _ in range(9)]
    rounds = []
    for one in many:
        one.socket.data_received(sent(0x81, b"move"))
    while len(rounds) < 5:
        rounds.append(sum(len(one.inner.heard) for one in many))
        await asyncio.sleep(0)
    assert rounds == [2, 4, 6, 8, 9]


async def test_a_client_with_waiting_texts_is_not_read_and_they_count_from_their_arrival(held):
    held.socket.data_received(sent(0x81, b"1") + sent(0x81, b"2"))
    assert not held.wire.read
    held.registry.at += 500
    await step()
    assert held.inner.heard == [("1", 1_000), ("2", 1_000)]
    assert held.wire.read


async def test_a_text_that_waits_for_its_turn_when_the_socket_breaks_is_taken_in():
    registry = Registry()
    first, second, third = (Held(registry) for _ in range(3))
    for one in (first, second, third):
        one.socket.data_received(sent(0x81, b"move"))
    assert third.inner.heard == []
    third.wire.closed = True
    third.socket.connection_lost(None)
    assert third.inner.heard == [("move", 1_000)]
    await step()
    assert len(third.inner.heard) == 1


async def test_only_the_newest_of_what_is_told_again_and_again_goes_out(held):
    held.socket.put_latest("one here")
    held.socket.put_latest("two here")
    await step()
    assert held.written == [text_frame("two here")]


async def test_a_crowd_is_told_in_parts_and_whoever_is_told_something_alone_does_not_wait():
    registry = Registry()
    crowd, player = [Held(registry) for _ in range(7)], Held(registry)
    for one in crowd:
        one.socket.put("moved", in_turn=True)
    player.socket.put("ok")
    assert player.written == [text_frame("ok")]
    told = []
    while len(told) < 4:
        told.append(sum(one.written == [text_frame("moved")] for one in crowd))
        await asyncio.sleep(0)
    assert told == [2, 4, 6, 7]


async def test_what_waits_for_its_turn_is_overtaken_by_nothing_and_goes_out_with_what_does_not_wait():
    registry = Registry()
    for _ in range(PER_ITERATION):
        Held(registry).socket.put("moved", in_turn=True)
    last = Held(registry)
    last.socket.put("moved", in_turn=True)
    last.socket.put_latest("one here", in_turn=True)
    last.socket.put_latest("two here", in_turn=True)
    assert last.written == []
    last.socket.put("said")
    for _ in range(3):
        await step()
    assert last.written == [text_frame("moved"), text_frame("said"), text_frame("two here")]


async def test_a_crowd_that_has_fallen_silent_is_pinged_in_parts_and_nobody_after_the_end():
    registry = Registry()
    crowd = [Held(registry) for _ in range(5)]
    for _ in range(ASK_BEATS):
        for one in crowd:
            one.socket.beat()
    assert [one.written for one in crowd] == [[PING], [PING], [], [], []]
    crowd[4].wire.closed = True
    await step()
    assert [one.written for one in crowd] == [[PING], [PING], [PING], [PING], []]


async def test_a_watcher_who_does_not_read_is_cut_off_whoever_else_is_told_the_same(held):
    held.socket.pause_writing()
    for _ in range(MAX_TEXTS + 1):
        held.socket.put("moved", in_turn=True)
    assert held.wire.aborted
    assert held.socket.close_code == TOO_SLOW


async def test_a_full_socket_writes_nothing_until_there_is_room(held):
    held.socket.pause_writing()
    held.socket.put("a")
    held.socket.put_latest("crowd")
    held.socket.data_received(sent(0x89, b"?"))
    await step()
    assert held.written == []
    held.socket.resume_writing()
    assert held.written == [text_frame("a"), text_frame("crowd")]


async def test_what_was_left_unread_before_the_handshake_counts():
    """The connection may be as good as full when it becomes a socket, and nobody else is told of it then."""
    server, client = socket.socketpair()
    with client:
        loop = asyncio.get_running_loop()
        wire, _ = await loop.create_connection(asyncio.Protocol, sock=server)
        while not wire.get_write_buffer_size():
            wire.write(bytes(WRITE_BUFFER + 1))
        slow = Socket(Registry(), wire, None, "10.0.0.1")
        slow.join(Inner())
        before = wire.get_write_buffer_size()
        slow.put("hello")
        slow.beat()
        assert wire.get_write_buffer_size() == before
        for _ in range(MAX_TEXTS):
            slow.put("x")
        assert wire.is_closing()
        assert slow.close_code == TOO_SLOW


async def test_a_client_that_takes_nothing_for_too_long_is_cut_off(held, monkeypatch):
    timers = hold_timers(monkeypatch, sockets.SEND_SECONDS)
    held.socket.pause_writing()
    (timer,) = timers
    assert not held.wire.aborted
    timer.fire()
    assert held.wire.aborted


async def test_a_client_that_reads_again_in_time_is_not_cut_off(held, monkeypatch):
    timers = hold_timers(monkeypatch, sockets.SEND_SECONDS)
    held.socket.pause_writing()
    held.socket.resume_writing()
    assert [timer.cancelled for timer in timers] == [True]
    assert not held.wire.aborted


async def test_more_than_may_wait_closes_the_socket(held):
    held.socket.pause_writing()
    for _ in range(MAX_TEXTS + 1):
        held.socket.put("x")
    assert held.wire.aborted
    assert held.socket.close_code == TOO_SLOW


async def test_a_close_goes_out_behind_what_waits_and_ends_with_its_answer(held):
    held.socket.pause_writing()
    held.socket.put("last")
    held.socket.close(1012)
    held.socket.resume_writing()
    assert held.written == [text_frame("last"), close_frame(1012)]
    assert not held.wire.closed
    held.socket.data_received(sent(0x81, b"too late") + sent(0x88, (1012).to_bytes(2)))
    assert held.wire.closed
    assert held.inner.heard == []
    held.socket.connection_lost(None)
    assert held.registry.codes == [1012]


async def test_a_close_without_an_answer_ends_the_socket_all_the_same(held, monkeypatch):
    timers = hold_timers(monkeypatch, sockets.CLOSE_SECONDS)
    held.socket.close(1008)
    await step()
    assert not held.wire.aborted
    timers[-1].fire()
    assert held.wire.aborted
    assert held.written == [close_frame(1008)]


async def test_a_close_is_answered_once(held):
    held.socket.data_received(sent(0x88, (1001).to_bytes(2)) + sent(0x81, b"behind it"))
    await step()
    assert held.written == [close_frame(1000)]
    assert held.wire.closed
    assert held.inner.heard == []
    held.socket.connection_lost(None)
    assert held.inner.over
    assert held.registry.codes == [1001]


async def test_nothing_is_read_behind_a_bad_frame(held):
    held.socket.data_received(sent(0x82, b"x") + sent(0x81, b"{}"))
    held.socket.data_received(sent(0x81, b"{}"))
    await step()
    assert held.inner.heard == []
    assert held.written == [close_frame(1003)]
    assert held.wire.ended
    assert not held.wire.closed


@pytest.mark.parametrize("bad", [b"\x81\x01x", sent(0xC1, b"x"), sent(0x82, b"x")])
@pytest.mark.parametrize("answer", [b"", b"\x03\xea", b"\x03\xeawhy" + b"." * 120])
async def test_the_answer_to_a_close_after_a_bad_frame_ends_the_connection(held, bad, answer):
    held.socket.data_received(bad)
    await step()
    assert held.wire.ended
    held.socket.data_received(b"whatever it still had to say" + sent(0x88, answer))
    assert held.wire.closed
    assert len(held.written) == 1


async def test_what_is_no_answer_to_that_close_is_passed_over(held):
    held.socket.data_received(b"\x81\x01x")
    held.socket.data_received(sent(0x88, b""))
    await step()
    assert held.written == [close_frame(1002)], "it is told why, whatever it says meanwhile"
    held.socket.data_received(sent(0x81, b"{}") + sent(0x89, b"?"))
    assert not held.wire.closed


async def test_pings_are_answered_but_not_without_end(held):
    held.socket.data_received(sent(0x89, b"?") * MAX_UNCHARGED)
    assert held.written == [frame(Opcode.PONG, b"?")] * MAX_UNCHARGED
    held.socket.beat()
    held.socket.data_received(sent(0x89, b"?"))
    assert len(held.written) == MAX_UNCHARGED + 1, "with every beat they may begin anew"
    held.socket.data_received(sent(0x89, b"?") * MAX_UNCHARGED)
    await step()
    assert held.written[-1] == close_frame(1008)


async def test_a_flood_behind_our_close_is_not_read_to_its_end(held):
    """Else a socket that was closed for a flood would cost more than one that is open."""
    held.socket.close(1008)
    await step()
    held.socket.data_received(sent(0x81, b"") * (MAX_UNCHARGED + 1) + sent(0x88, b""))
    assert not held.wire.closed
    assert held.written == [close_frame(1008)]


async def test_nothing_of_the_handshake_stays(anna, monkeypatch):
    """What served the request is as much as all that the socket needs, for each page as long as it is open."""
    served = []
    prepare = web.StreamResponse.prepare

    async def watched(response, request):
        served.extend((weakref.ref(request), weakref.ref(response)))
        return await prepare(response, request)

    monkeypatch.setattr(web.StreamResponse, "prepare", watched)
    async with anna.open_socket() as socket:
        await socket.send({"t": "ping"})
        assert (await socket.next())["t"] == "pong"
        gc.collect()
        assert served
        assert [one() for one in served] == [None] * len(served)


# A text behind which more follows at once waits for it, and both are written as one.


async def test_what_more_follows_goes_out_in_one_write_and_in_order(held):
    held.socket.put("ok", more=True)
    held.socket.put("moved")
    assert held.written == [text_frame("ok") + text_frame("moved")]
    await step()
    assert len(held.written) == 1


async def test_what_more_was_to_follow_goes_out_alone_when_nothing_does(held):
    held.socket.put("ok", more=True)
    assert held.written == []
    await step()
    assert held.written == [text_frame("ok")]


async def test_nothing_overtakes_what_more_follows(held):
    held.socket.put("ok", more=True)
    held.socket.put("moved", in_turn=True)
    held.socket.put("farewell", more=True)
    held.socket.close(1000)
    await step()
    assert b"".join(held.written) == b"".join(
        (text_frame("ok"), text_frame("moved"), text_frame("farewell"), close_frame(1000))
    )


async def test_what_more_follows_is_not_written_to_a_connection_that_is_gone(held):
    held.socket.put("ok", more=True)
    held.wire.closed = True
    await step()
    assert held.written == []
