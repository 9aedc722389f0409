"""Sockets on which nothing comes, or a byte a second: all of them are found and cut, and nobody else notices."""

import asyncio
import itertools
import time
from contextlib import suppress

import pytest

from tests.faults.sockets.raw import Raw, from_another_address, memory_kb, upgrade
from tests.support.live.followers import Follower
from tests.support.live.guests import Guest
from tests.support.live.tables import centile
from tests.support.live.wire import frame
from tests.support.proxy import Proxy

SILENT_S = 12
LOST_S = 10
"""Three beats of silence, the second in which many come and go, and one for the machine."""
SILENT_FROM_THE_START_S = 31
"""Half a minute, and one second for the machine."""
HEADER_S = BODY_S = 11
"""Ten seconds, and one for the machine."""
MIN_S = 5
"""Who is turned away at once has not been waited for."""
ANSWER_S = 0.2
EVERY_S = 0.1
UNFINISHED = b"\x01\x81\0\0\0\0{"
"""The first part of a text that never ends."""


def slow_header():
    return f"{from_another_address('GET /')}X-Slow: ".encode()


def slow_body():
    return (
        f"{from_another_address('POST /api/games')}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{{"
    ).encode()


async def seconds_until_gone(raws):
    """The longest that any of them lives from now."""
    began = time.monotonic()
    async with asyncio.timeout(60):
        await asyncio.gather(*(raw.gone() for raw in raws))
    for raw in raws:
        raw.close()
    return time.monotonic() - began


async def dripping(raws, data):
    """As `seconds_until_gone`, while each sends a byte of `data` a second."""
    drips = [asyncio.create_task(raw.drip(data)) for raw in raws]
    lived = await seconds_until_gone(raws)
    for drip in drips:
        drip.cancel()
    await asyncio.gather(*drips, return_exceptions=True)
    return lived


@pytest.fixture
async def calm(web, open_host, at_most):
    """Fails at the end if meanwhile the 99th of 100 ordinary requests took too long.

    The control is how late this process itself is woken: so long the machine lets anybody wait.
    """
    waits, woken_late = [], []

    async def ask():
        while True:
            began = time.monotonic()
            async with web.get(f"http://127.0.0.1:{open_host.port}/health") as answer:
                assert answer.status == 200
            waits.append(time.monotonic() - began)
            began = time.monotonic()
            await asyncio.sleep(EVERY_S)
            woken_late.append(time.monotonic() - began - EVERY_S)

    asking = asyncio.create_task(ask())
    yield
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    assert at_most(centile(waits, 0.99), ANSWER_S + centile(woken_late, 0.99))


@pytest.mark.row("S8", "S10")
async def test_a_socket_that_never_says_hello_is_closed_silent_or_slow(open_host, calm, scale, counted, at_most):
    count = scale(1_000)
    before = memory_kb(open_host.process.pid)
    silent = [await Raw.upgraded(open_host.port) for _ in range(count)]
    drip = [await Raw.upgraded(open_host.port) for _ in range(count)]
    for raw in drip:
        raw.write(UNFINISHED)
    lived = await asyncio.gather(seconds_until_gone(silent), dripping(drip, b"\0\x81\0\0\0\0x"))
    assert at_most(max(lived), SILENT_S)
    assert memory_kb(open_host.process.pid) - before <= 48 * 1024
    counted("silent and dripping sockets each", count)


@pytest.mark.row("S9")
@pytest.mark.timeout(300)
@pytest.mark.only_full("takes a minute and a half, as the server bears with a slow header for half a minute")
async def test_headers_and_bodies_that_trickle_in_are_cut_off(open_host, calm, counted):
    """Five hundred at any time, for a minute and a half: who is cut comes again."""
    ends = time.monotonic() + 90

    async def come_again(first, dripped, most_s):
        lives = 0
        while time.monotonic() < ends:
            raw = await Raw.connect(open_host.port, first())
            lived = await (dripping([raw], dripped) if dripped else seconds_until_gone([raw]))
            assert MIN_S <= lived <= most_s, first
            lives += 1
        return lives

    kinds = ((slow_header, b"a", HEADER_S), (slow_body, b" ", BODY_S), (bytes, b"", SILENT_FROM_THE_START_S))
    lives = await asyncio.gather(*(come_again(*kind) for kind, _ in itertools.product(kinds, range(167))))
    counted("connections at any time", len(lives))
    counted("connections that were cut", sum(lives))


@pytest.mark.row("S5", "T10")
@pytest.mark.only_full("takes half a minute, as the server asks a silent socket before it gives it up")
async def test_peers_that_vanish_silently_are_found(web, host, seated, calm, ledger, scale, counted, within):
    """Sockets through a hole: the server hears nothing more, and nobody tells it."""
    tables, watchers = await seated(5), scale(500)
    async with Proxy(("127.0.0.1", host.port)) as hole:
        for table in tables:
            await table.players[0].come()
            await table.players[1].come(hole.port)
        crowd = [Follower(Guest(web, host.port), tables[0].game, ledger) for _ in range(watchers)]
        for watcher in crowd:
            await watcher.come(hole.port)
        assert hole.open == watchers + len(tables)
        hole.hole = True
        began = time.monotonic()
        for table in tables:
            here = table.players[0]
            await here.until(lambda: here.crowd and here.crowd["black"]["here"] == "lost", within(LOST_S))  # noqa: B023
        async with asyncio.timeout(30 - (time.monotonic() - began)):
            while hole.open:  # noqa: ASYNC110 - what is waited for happens in another process
                await asyncio.sleep(0.05)
    for table in tables:
        woken = time.monotonic()
        await table.players[1].come()
        assert time.monotonic() - woken <= 3
        assert table.players[1].view.resumed == 1
    counted("vanished sockets", watchers + len(tables))


@pytest.mark.row("S5")
async def test_an_opponent_whose_socket_is_dead_is_shown_as_lost_within_seconds_and_back_when_it_answers(
    host, seated, within
):
    (table,) = await seated(1)
    here, gone = table.players
    async with Proxy(("127.0.0.1", host.port)) as hole:
        await here.come()
        await gone.come(hole.port)
        await here.until(lambda: here.crowd and here.crowd["black"]["here"] == "here")
        hole.hole = True
        await here.until(lambda: here.crowd["black"]["here"] == "lost", within(LOST_S))
        assert hole.open == 1, "nobody has given the socket up yet"
        hole.hole = False
        gone.say("ping")
        await here.until(lambda: here.crowd["black"]["here"] == "here")


@pytest.mark.row("S8")
async def test_too_large_a_frame_closes_the_socket(open_host, scale, counted):
    for _ in range(scale(200)):
        raw = await Raw.upgraded(open_host.port)
        raw.write(frame(1, b"x" * 9_000))
        assert (1009).to_bytes(2) in await raw.gone()
        raw.close()
    counted("frames", scale(200))


@pytest.mark.row("S16")
async def test_no_offer_of_compression_is_accepted(open_host):
    raw = await Raw.connect(
        open_host.port, upgrade(extra="Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")
    )
    head = await raw.reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head
    assert b"extensions" not in head.lower()
    raw.close()
