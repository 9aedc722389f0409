"""Too much on a socket, or too many of them: nonsense, floods, sockets beyond the limits. Players play on."""

import asyncio
import resource
import time
from contextlib import suppress

import pytest

from tests.faults.sockets.raw import Raw, memory_kb
from tests.support.live.wire import frame
from tests.support.patience import PATIENCE_S

AT_ONCE = 50


def nonsense(rng):
    """Damaged frames of every kind, by name."""
    deep = b"[" * 3_000
    texts = {
        "not JSON": b"{",
        "NaN": b'{"t":"hi","proto":NaN,"game":"0123456789"}',
        "infinite": b'{"t":"hi","proto":1e999,"game":"0123456789"}',
        "huge number": b'{"t":"hi","proto":%s,"game":"0123456789"}' % (b"9" * 3_000),
        "deep": b'{"t":"hi","proto":%s' % deep,
        "array": b"[1,2,3]",
        "null": b"null",
        "no tag": b'{"proto":1}',
        "unknown tag": b'{"t":"flag","id":1}',
        "tag twice": b'{"t":"ping","t":"ping"}',
        "more keys": b'{"t":"move","id":1,"ply":0,"uci":"e2e4","clock":1}',
        "wrong type": b'{"t":"move","id":"1","ply":0,"uci":"e2e4"}',
        "negative": b'{"t":"move","id":1,"ply":-1,"uci":"e2e4"}',
        "random text": rng.randbytes(40).hex().encode(),
        "empty": b"",
        "too many characters": b'"' + b"x" * 5_000 + b'"',
    }
    frames = {
        "bad UTF-8": frame(1, b"\xff\xfe" + rng.randbytes(8)),
        "reserved opcode": frame(rng.choice((3, 4, 5, 6, 7, 11, 12)), b"x"),
        "reserved bit": b"\xc1\x80\0\0\0\0",
        "length 2^62": b"\x81\xff" + (2**62).to_bytes(8) + b"\0\0\0\0",
        "9 KB": frame(1, b"x" * 9_000),
        "binary": frame(2, b"{}"),
        "long ping": frame(9, b"x" * 126),
        "lone continuation": frame(0, b"x"),
        "bad close": frame(8, b"\x03"),
        "close code 1": frame(8, (1).to_bytes(2)),
        "random bytes": rng.randbytes(30),
    }
    return {name: frame(1, text) for name, text in texts.items()} | frames


async def sent_until_closed(port, bad):
    """Sends one frame so often that nobody would stand it; returns when the server has closed the socket."""
    raw = await Raw.upgraded(port)
    for _ in range(12):
        raw.write(bad)
    raw.write(frame(8, (1000).to_bytes(2)))
    async with asyncio.timeout(PATIENCE_S):
        await raw.gone()
    raw.close()
    return 12


@pytest.mark.row("S2")
@pytest.mark.timeout(300)
async def test_malformed_frames_of_every_kind_close_their_socket_and_nothing_else(
    host, seated, rng, scale, counted, at_most
):
    (table,) = await seated(1)
    await table.come()
    await table.play(6, 0, rng)
    kinds, sent, most = nonsense(rng), 0, scale(10_000)
    for bad in kinds.values():
        await sent_until_closed(host.port, bad)
    before, began = memory_kb(host.process.pid), time.monotonic()
    while sent < most:
        chosen = [rng.choice(list(nonsense(rng).values())) for _ in range(AT_ONCE)]
        sent += sum(await asyncio.gather(*(sent_until_closed(host.port, bad) for bad in chosen)))
    assert at_most(time.monotonic() - began, 60)
    assert memory_kb(host.process.pid) - before <= 5 * 1024
    await table.play(10, 0, rng)
    assert table.followed == list(table.moves[:10])
    _, errors = await host.stop()
    assert "Traceback" not in errors
    counted("frames", sent)
    counted("kinds", len(kinds))


FLOOD = frame(1, b'{"t":"ping"}') * 100
"""A hundred messages at once: so many a second and more can be sent on one socket."""


async def flood(port):
    """Sends 10,000 messages a second until the socket is cut; seconds until it is gone."""
    raw, began = await Raw.upgraded(port), time.monotonic()
    gone = asyncio.create_task(raw.gone())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not gone.done():
                raw.write(FLOOD)
                await asyncio.wait({gone}, timeout=0.01)
    finally:
        gone.cancel()
        raw.close()
    return time.monotonic() - began


async def answered(table, count):
    """Milliseconds until each of so many moves out of turn was refused, slowest last."""
    waits = []
    for _ in range(count):
        sent = time.monotonic()
        answer = await table.players[0].ask("move", 1, ply=len(table.followed) + 1, uci=table.moves[0])
        assert answer["t"] == "error"
        waits.append((time.monotonic() - sent) * 1000)
        await asyncio.sleep(0.25)
    return sorted(waits)


@pytest.mark.row("S7")
@pytest.mark.alone
async def test_a_flood_is_cut_off_and_nobody_else_waits(host, seated, scale, counted, at_most):
    """The control sends nothing but is the same process on the same cores."""
    (table,), times = await seated(1), scale(80)
    await table.come()
    usual = await answered(table, times)
    lived = []

    async def attack():
        while True:
            lived.append(await flood(host.port))

    attacking = asyncio.create_task(attack())
    waits = await answered(table, times)
    attacking.cancel()
    with suppress(asyncio.CancelledError):
        await attacking
    assert at_most(max(lived), 1)
    assert at_most(waits[-1], usual[-1] + 20)
    counted("floods", len(lived))
    counted("ms for an answer meanwhile, at most", round(waits[-1]))
    counted("ms without", round(usual[-1]))


@pytest.mark.row("S11")
async def test_the_eleventh_socket_of_a_session_is_refused_before_the_handshake(web, host, seated, rng):
    (table,) = await seated(1)
    await table.come()
    guest = table.players[0].guest
    for _ in range(9):
        await guest.open_socket(lambda socket, text: None)
    with pytest.raises(ConnectionError, match="429"):
        await guest.open_socket(lambda socket, text: None)
    await table.play(4, 0, rng)
    assert len(table.followed) == 4


async def lets_in(port):
    try:
        raw = await Raw.upgraded(port)
    except (OSError, asyncio.IncompleteReadError):
        return False
    raw.close()
    return True


@pytest.mark.row("S12")
async def test_a_server_without_free_descriptors_recovers(host, seated, rng, counted):
    (table,) = await seated(1)
    await table.come()
    _, hard = resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, (64, hard))
    crowd = [await Raw.connect(host.port, b"GET /health HTTP/1.1\r\n") for _ in range(100)]
    await table.play(6, 0, rng)
    assert len(table.followed) == 6, "those who are here play on"
    for raw in crowd:
        raw.close()
    async with asyncio.timeout(PATIENCE_S):
        while not await lets_in(host.port):  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.1)
    code, errors = await host.stop()
    assert code == 0, errors
    assert errors.count("Traceback") <= 1, errors
    counted("connections", len(crowd))
