"""Sockets that say nothing: pinged, counted as gone, given up; and a server that stalled itself."""

import asyncio

import pytest

from server.web.websocket.frames import Opcode, frame
from server.web.websocket.socket import ASK_BEATS, GONE_BEATS, SILENT_BEATS, is_late
from tests.web.websocket.client_frames import sent

PING = frame(Opcode.PING, b"")


async def test_a_silent_client_is_pinged_and_then_given_up(held):
    for _ in range(ASK_BEATS - 1):
        held.socket.beat()
    assert held.written == []
    held.socket.beat()
    assert held.written == [PING]
    held.socket.data_received(sent(0x8A, b""))
    for _ in range(GONE_BEATS - 1):
        held.socket.beat()
    assert not held.wire.aborted, "the answer counts"
    held.socket.beat()
    assert held.wire.aborted


async def test_a_client_that_misses_three_heartbeats_is_gone_until_it_speaks(held):
    for _ in range(SILENT_BEATS - 1):
        held.socket.beat()
    assert held.inner.silences == []
    for _ in range(3):
        held.socket.beat()
    assert held.inner.silences == ["silent"], "and is told once"
    held.socket.data_received(sent(0x81, b"{}"))
    assert held.inner.silences == ["silent", "answered", "said"]
    for _ in range(SILENT_BEATS):
        held.socket.beat()
    assert held.inner.silences[-1] == "silent"


async def test_an_answer_to_a_ping_is_a_sign_of_life(held):
    for _ in range(10 * SILENT_BEATS):
        held.socket.beat()
        if held.written:
            held.written.clear()
            held.socket.data_received(sent(0x8A, b""))
        await asyncio.sleep(0)
    assert held.inner.silences == []
    assert not held.wire.aborted


async def test_a_server_that_stalled_blames_no_client(held):
    """What the peer said meanwhile lies unread until the beat that was held up is over."""
    for _ in range(SILENT_BEATS - 1):
        held.socket.beat()
    held.socket.beat(late=True)
    assert held.inner.silences == []
    held.socket.data_received(sent(0x8A, b""))
    held.socket.beat()
    assert held.inner.silences == []


async def test_a_player_silent_behind_a_delayed_heartbeat_counts_as_gone_with_the_next(held):
    for _ in range(SILENT_BEATS):
        held.socket.beat(late=True)
    held.socket.beat()
    assert held.inner.silences == ["silent"]


@pytest.mark.parametrize(("since_ms", "late"), [(2_500, False), (2_750, False), (2_751, True), (22_500, True)])
def test_a_beat_is_late_when_the_server_was_held_up(since_ms, late):
    assert is_late(since_ms) is late
