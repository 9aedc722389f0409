"""Too much on a line, or on many: nonsense, floods, storms of reconnects, readers who never read. Players play on."""

import asyncio
import itertools
import resource
import time

import pytest

from tests.bench.live.people import Guest
from tests.bench.live.wire import frame
from tests.faults.players import Follower
from tests.faults.sockets.raw import Raw, memory_kb

AT_ONCE = 50
HI = b'{"t":"hi","proto":1,"game":"%s","v":-1}'


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
    """Sends one frame so often that nobody would stand it; returns when the server has closed the line."""
    raw = await Raw.upgraded(port)
    for _ in range(12):
        raw.write(bad)
    raw.write(frame(8, (1000).to_bytes(2)))
    async with asyncio.timeout(20):
        await raw.gone()
    raw.close()
    return 12


@pytest.mark.row("S2")
@pytest.mark.timeout(300)
async def test_malformed_frames_of_every_kind_close_their_line_and_nothing_else(host, seated, rng, scale, counted):
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
    assert time.monotonic() - began <= 60
    assert memory_kb(host.process.pid) - before <= 5 * 1024
    await table.play(10, 0, rng)
    assert table.followed == list(table.moves[:10])
    _, errors = await host.stop()
    assert "Traceback" not in errors
    counted("frames", sent)
    counted("kinds", len(kinds))


@pytest.mark.row("S3")
@pytest.mark.timeout(300)
async def test_a_storm_of_reconnects_is_served_while_games_go_on(web, host, seated, ledger, rng, scale, counted):
    count = scale(1_000)
    tables = await seated(10)
    for table in tables:
        await table.come()
    storm = [Follower(Guest(web, host.port), rng.choice(tables).game, ledger) for _ in range(count)]
    for some in range(0, count, AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in storm[some : some + AT_ONCE]))
    for follower in storm:
        follower.leave()
    began = time.monotonic()
    playing = [asyncio.create_task(table.play(20, 0.05, rng)) for table in tables]
    await asyncio.gather(*(follower.come() for follower in storm))
    assert time.monotonic() - began <= 5
    assert all(follower.view.resumed == 1 for follower in storm)
    await asyncio.gather(*playing)
    assert all(len(table.followed) == 20 for table in tables)
    counted("sockets in one instant", count)
    counted("seconds until all were served", round(time.monotonic() - began, 2))


@pytest.mark.row("S6")
@pytest.mark.timeout(600)
async def test_lines_that_come_and_go_leave_nothing_behind(host, seated, scale, counted):
    (table,) = await seated(1)
    hello = frame(1, HI % table.game.encode())

    async def cycle():
        raw = await Raw.upgraded(host.port)
        raw.write(hello)
        await raw.reader.read(1)
        raw.close()

    async def cycles(count):
        for _ in range(0, count, AT_ONCE):
            await asyncio.gather(*(cycle() for _ in range(AT_ONCE)))

    count = scale(50_000)
    await cycles(2_500)
    before = memory_kb(host.process.pid)
    await cycles(count)
    assert memory_kb(host.process.pid) - before <= 4 * 1024 + 0.2 * count
    counted("cycles", count)


@pytest.mark.row("S7")
async def test_a_flood_is_cut_and_nobody_else_waits(host, seated, scale, counted):
    (table,) = await seated(1)
    await table.come()
    floods = max(5, scale(20))
    for _ in range(floods):
        raw = await Raw.upgraded(host.port)
        began = time.monotonic()
        for _ in range(2_000):
            raw.write(frame(1, b'{"t":"ping"}'))
        async with asyncio.timeout(5):
            await raw.gone()
        raw.close()
        # The good-bye waits for an answer, which never comes.
        assert time.monotonic() - began <= 1
        answer = await table.players[0].ask("move", 1, ply=len(table.followed) + 1, uci=table.moves[0])
        assert answer["t"] == "error"
    counted("floods of 2,000 messages", floods)


@pytest.mark.row("S1")
@pytest.mark.timeout(300)
async def test_watchers_who_never_read_are_cut_and_the_players_play_on(host, seated, rng, full, counted):
    """Each asks for the whole game, a long one, as often as he may, and reads nothing."""
    (table,) = await seated(1, least=200)
    await table.come()
    await table.play(90, 0, rng)
    count, before = 50 if full else 10, memory_kb(host.process.pid)
    raws = [await Raw.upgraded(host.port) for _ in range(count)]
    for raw in raws:
        raw.writer.transport.pause_reading()
        for _ in range(45):
            raw.write(frame(1, HI % table.game.encode()))
    await table.play(95, 0.2, rng)
    assert len(table.followed) == 95
    assert memory_kb(host.process.pid) - before <= 16 * 1024
    for raw in raws:
        raw.close()
    counted("watchers", count)


@pytest.mark.row("S11")
async def test_the_eleventh_socket_of_a_session_is_refused_before_the_handshake(web, host, seated, rng):
    (table,) = await seated(1)
    await table.come()
    guest = table.players[0].guest
    for _ in range(9):
        await guest.line(lambda line, text: None)
    with pytest.raises(ConnectionError, match="429"):
        await guest.line(lambda line, text: None)
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
    async with asyncio.timeout(5):
        while not await lets_in(host.port):  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.1)
    code, errors = await host.stop()
    assert code == 0, errors
    assert errors.count("Traceback") <= 1, errors
    counted("connections", len(crowd))


@pytest.mark.row("S13")
@pytest.mark.timeout(300)
async def test_a_move_reaches_the_last_of_a_thousand_watchers(web, host, seated, ledger, scale, full, counted):
    (table,), count = await seated(1), scale(1_000)
    await table.come()
    crowd = [Follower(Guest(web, host.port), table.game, ledger) for _ in range(count)]
    for some in range(0, count, AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in crowd[some : some + AT_ONCE]))
    times = []
    for ply in range(40):
        sent = time.monotonic()
        assert (await table.players[ply % 2].move(ply, table.moves[ply]))["t"] == "ok"
        await asyncio.gather(*(one.until(lambda ply=ply, one=one: len(one.view.moves) > ply) for one in crowd))
        times.append(time.monotonic() - sent)
        mover = table.players[1 - ply % 2]
        await mover.until(lambda ply=ply, mover=mover: len(mover.view.moves) > ply)
    assert sorted(times)[-2] <= (0.25 if full else 2)
    counted("watchers", count)


@pytest.mark.row("S14")
@pytest.mark.timeout(300)
async def test_steady_load(host, web, seated, ledger, rng, scale, full, counted):
    """A hundred moves a second over two hundred games, five hundred watchers; a minute of it."""
    tables = await seated(scale(200), least=60)
    for table in tables:
        await table.come()
    watchers = [Follower(Guest(web, host.port), rng.choice(tables).game, ledger) for _ in range(scale(500))]
    for some in range(0, len(watchers), AT_ONCE):
        await asyncio.gather(*(follower.come() for follower in watchers[some : some + AT_ONCE]))
    seconds, waits, ends = 60 if full else 3, [], time.monotonic() + (60 if full else 3)

    async def play(table):
        await asyncio.sleep(2 * rng.random())
        for ply in itertools.count():
            if time.monotonic() > ends or ply == len(table.moves):
                return
            mover = table.players[ply % 2]
            await mover.until(lambda mover=mover, ply=ply: len(mover.view.moves) >= ply)
            sent = time.monotonic()
            assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
            waits.append(time.monotonic() - sent)
            await asyncio.sleep(max(0.0, 2 - waits[-1]))

    await asyncio.gather(*(play(table) for table in tables))
    waits.sort()
    assert waits[len(waits) // 2] <= (0.02 if full else 1)
    assert waits[int(len(waits) * 0.99)] <= (0.1 if full else 3)
    counted("moves", len(waits))
    counted("seconds", seconds)
