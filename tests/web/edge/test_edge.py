"""What arrives on a connection: one request at a time, in its turn, with a head of bounded size and a body of known
length. Everything else is answered, and leaves no traceback.
"""

import asyncio

import pytest
from aiohttp import web

from server.web import edge
from server.web.edge import MAX_BYTES, MAX_HEADERS, EdgeRunner, EdgeServer
from tests.support.held_timers import hold_timers
from tests.support.live.wire import frame
from tests.support.patience import PATIENCE_S
from tests.support.web.origins import ORIGIN

HOST = b"Host: localhost:8080\r\n"
GET = b"GET /health HTTP/1.1\r\n" + HOST
SOCKET = (
    b"GET /ws HTTP/1.1\r\n" + HOST + f"Origin: {ORIGIN}\r\n".encode() + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
POST = b"POST /api/guest HTTP/1.1\r\n" + HOST + f"Origin: {ORIGIN}\r\nContent-Type: application/json\r\n".encode()
READ = POST.replace(b"/api/guest", b"/api/games")


async def answer(reader):
    """(status, body) of the next answer."""
    async with asyncio.timeout(PATIENCE_S):
        head = await reader.readuntil(b"\r\n\r\n")
        lines = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
        return int(head.split()[1]), await reader.readexactly(int(lines.get(b"Content-Length", 0)))


async def until(so):
    async with asyncio.timeout(PATIENCE_S):
        while not so():  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)


async def all_that_comes(reader):
    async with asyncio.timeout(PATIENCE_S):
        return await reader.read()


REFUSED = {
    "a body in chunks": (411, POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 100),
    "chunks for a page": (411, GET + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 100),
    "a head that is too large": (431, GET + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 4_000) for n in range(5)) + b"\r\n"),
    "a head without an end": (431, GET + b"X: y\r\n" * 60 + b"X: " + b"a" * MAX_BYTES),
    "one header that is too large": (431, GET + b"X: " + b"a" * 9_000 + b"\r\n\r\n"),
    "too many headers": (400, GET + b"X: y\r\n" * (MAX_HEADERS + 1) + b"\r\n"),
    "a long address": (431, b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n"),
    "blank lines": (431, b"\r\n" * MAX_BYTES),
    "a tunnel": (405, b"CONNECT elsewhere.example:443 HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a tunnel to nowhere": (405, b"CONNECT / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "TLS": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100),
    "no method": (400, b"BREW /pot HTTP/1.1\r\n" + HOST + b"\r\n"),
    "another version": (400, b"GET / HTTP/9.9\r\n" + HOST + b"\r\n"),
    "a later version": (505, b"GET /health HTTP/2.0\r\n" + HOST + b"\r\n"),
    "an ancient version": (505, b"GET /health HTTP/0.9\r\n" + HOST + b"\r\n"),
    "an expectation": (417, POST + b"Expect: a miracle\r\nContent-Length: 2\r\n\r\n{}"),
    "no host": (400, b"GET / HTTP/1.1\r\n\r\n"),
    "two lengths": (400, POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    "a length and chunks": (400, POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "a negative length": (400, POST + b"Content-Length: -1\r\n\r\n{}"),
    "a folded header": (400, GET + b"X: a\r\n b\r\n\r\n"),
    "a space before the colon": (400, POST + b"Content-Length : 2\r\n\r\n{}"),
    "line feeds alone": (400, b"GET /health HTTP/1.1\nHost: localhost:8080\n\n"),
    "an address without a host": (400, b"GET http:// HTTP/1.1\r\n" + HOST + b"\r\n"),
    "an address that is not UTF-8": (400, b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n"),
    "everything": (405, b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n"),
    "the address of another site": (400, b"GET http://elsewhere.example/ HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a zero byte": (400, GET + b"X: \x00\r\n\r\n"),
}


@pytest.mark.parametrize(("status", "sent"), REFUSED.values(), ids=REFUSED)
async def test_it_is_refused_with_a_sentence_and_the_connection_ends(connect, status, sent, caplog):
    reader, _ = await connect(sent)
    head, _, body = (await all_that_comes(reader)).partition(b"\r\n\r\n")
    assert head.split()[1] == b"%d" % status, head
    assert b"aiohttp" not in head
    assert body.endswith(b".\n")
    assert not caplog.records


ANSWERED = {
    "a long name of a file": (404, b"GET /static/" + b"a" * 300 + b" HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a long path of a file": (404, b"GET /static/" + b"a/" * 3_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a file with a zero byte": (404, b"GET /static/a%00b HTTP/1.1\r\n" + HOST + b"\r\n"),
    "the whole address": (200, b"GET http://localhost:8080/health HTTP/1.1\r\n" + HOST + b"\r\n"),
    "the whole address without a path": (404, b"GET http://localhost:8080 HTTP/1.1\r\n" + HOST + b"\r\n"),
    "a method that nothing takes": (403, b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n"),
    "what everybody expects": (100, POST + b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n{}"),
    "a percent sign": (404, b"GET /%zz%00%ff HTTP/1.1\r\n" + HOST + b"\r\n"),
    "an old version": (200, b"GET /health HTTP/1.0\r\n" + HOST + b"\r\n"),
}


@pytest.mark.parametrize(("status", "sent"), ANSWERED.values(), ids=ANSWERED)
async def test_what_is_odd_but_allowed_is_answered(connect, status, sent, caplog):
    reader, _ = await connect(sent)
    async with asyncio.timeout(PATIENCE_S):
        assert b" %d " % status in await reader.readline()
    assert not [record for record in caplog.records if record.exc_info]


async def test_requests_that_come_together_are_read_one_by_one(connect, monkeypatch):
    parse, finish, unanswered = web.RequestHandler.data_received, edge.HttpConnection.finish_response, [0]

    def data_received(self, data):
        unanswered.append(unanswered[-1] + data.count(edge.END_OF_HEAD))
        parse(self, data)

    async def finish_response(self, *answer):
        unanswered.append(unanswered[-1] - 1)
        return await finish(self, *answer)

    monkeypatch.setattr(web.RequestHandler, "data_received", data_received)
    monkeypatch.setattr(edge.HttpConnection, "finish_response", finish_response)
    reader, _ = await connect((GET + b"\r\n") * 100)
    for _ in range(100):
        assert (await answer(reader))[0] == 200
    assert len(unanswered) == 201
    assert set(unanswered) == {0, 1}


async def test_a_request_in_single_bytes_is_one_request(connect):
    reader, writer = await connect()
    for byte in POST + b"Content-Length: 2\r\n\r\n{}" + GET + b"\r\n":
        writer.write(bytes((byte,)))
        await asyncio.sleep(0)
    assert (await answer(reader))[0] == 200
    assert (await answer(reader))[0] == 200


async def test_a_body_that_nobody_reads_is_not_taken_for_a_request(connect):
    inner = GET + b"\r\n"
    reader, _ = await connect(
        GET + b"Content-Length: %d\r\n\r\n" % len(inner) + inner + POST + b"Content-Length: 0\r\n\r\n"
    )
    assert b"stall_ms" in (await answer(reader))[1]
    assert b"stall_ms" not in (await answer(reader))[1]


async def test_a_large_body_and_what_follows_come_whole(connect):
    text = b"1. e4 e5 *" + b" " * 900_000
    head = POST.replace(b"/api/guest", b"/api/import").replace(b"application/json", b"text/plain")
    reader, writer = await connect(head + b"Content-Length: %d\r\n\r\n" % len(text) + text + GET + b"\r\n")
    await writer.drain()
    assert b'"games"' in (await answer(reader))[1]
    assert b"stall_ms" in (await answer(reader))[1]


async def test_what_is_sent_before_the_handshake_is_answered_is_not_lost(connect):
    reader, _ = await connect(SOCKET + frame(1, b'{"t":"hi","proto":1,"game":"0123456789"}') + frame(9, b"still there"))
    assert (await answer(reader))[0] == 101
    async with asyncio.timeout(PATIENCE_S):
        await reader.readuntil(b"\x8a\x0bstill there")


async def test_a_request_behind_a_refused_handshake_is_answered(connect):
    reader, _ = await connect(SOCKET.replace(b"13\r\n", b"12\r\n") + GET + b"\r\n")
    assert (await answer(reader))[0] == 400
    assert (await answer(reader))[0] == 200


async def test_what_is_still_sent_after_a_refusal_is_thrown_away_for_a_while(connect, monkeypatch):
    """A connection that is closed at once takes the answer with it, when there is more to read."""
    monkeypatch.setattr(edge, "LINGER_S", 60)
    reader, writer = await connect(POST + b"Transfer-Encoding: chunked\r\n\r\n")
    assert (await answer(reader))[0] == 411
    for _ in range(100):
        writer.write(b"1\r\nx\r\n" * 10_000)
        async with asyncio.timeout(PATIENCE_S):
            await writer.drain()
        await asyncio.sleep(0)
    assert not writer.transport.is_closing()


async def test_one_piece_of_all_unwanted_bodies_is_read_in_each_round(connect, monkeypatch):
    loop, rounds, pieces = asyncio.get_running_loop(), [0], {}
    discarding = edge.Discarding
    real = discarding.data_received

    def tick():
        rounds[0] += 1
        ticking[0] = loop.call_soon(tick)

    def discard(self, data):
        pieces.setdefault(self, []).append((rounds[0], len(data)))
        real(self, data)

    monkeypatch.setattr(discarding, "data_received", discard)
    senders = [await connect(POST + b"Transfer-Encoding: chunked\r\n\r\n") for _ in range(5)]
    for reader, _ in senders:
        assert (await answer(reader))[0] == 411
    ticking = [loop.call_soon(tick)]
    for _, writer in senders:
        writer.write(b"x" * 1_000_000)
    async with asyncio.timeout(PATIENCE_S):
        while sum(size for seen in pieces.values() for _, size in seen) < 5_000_000:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)
    ticking[0].cancel()
    later = [at for seen in pieces.values() for at, _ in seen[1:]]
    assert later
    assert len(later) == len(set(later))


async def test_a_head_that_does_not_end_is_waited_for_no_longer_than_its_time(connect, monkeypatch):
    late = hold_timers(monkeypatch, edge.HEAD_S)
    reader, _ = await connect(GET)
    await until(lambda: late)
    late[0].fire()
    assert (await answer(reader))[0] == 408
    assert await all_that_comes(reader) == b""


async def test_a_connection_that_is_kept_open_has_its_time_for_each_head(connect, monkeypatch):
    late = hold_timers(monkeypatch, edge.HEAD_S)
    reader, writer = await connect()
    for number in range(1, 5):
        writer.write(GET)
        await until(lambda number=number: len(late) == number)
        writer.write(b"\r\n")
        assert (await answer(reader))[0] == 200
        assert all(timer.cancelled for timer in late)


async def test_the_rest_of_a_large_body_is_thrown_away_for_a_while(connect, monkeypatch):
    ends = hold_timers(monkeypatch, edge.REST_S)
    reader, writer = await connect(READ + b"Content-Length: 50000000\r\n\r\n" + b" " * 1_000_000)
    writer.write(b" " * 1_000_000)
    await writer.drain()
    await until(lambda: ends)
    ends[0].fire()
    said = await all_that_comes(reader)
    assert said.startswith(b"HTTP/1.1 413")
    assert b"\r\nConnection: close\r\n" in said, "and nobody waits for the rest on it"
    assert said.count(b"HTTP/1.1") == 1


async def test_nobody_waits_for_the_rest_of_a_body_whose_sender_has_left(connect, server, monkeypatch):
    monkeypatch.setattr(edge, "REST_S", 3600)
    reader, writer = await connect(READ + b"Content-Length: 50000000\r\n\r\n")
    assert (await answer(reader))[0] == 413
    running = server.runner.server
    async with asyncio.timeout(PATIENCE_S):
        while running.connections or not running.discarding:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)
        writer.close()
        while running.discarding:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)


async def send_without_end(writer):
    while True:
        writer.write(b" " * 50_000)
        await writer.drain()


async def test_a_sender_of_unread_megabytes_is_cut_off(connect, monkeypatch):
    monkeypatch.setattr(edge, "REST_S", 3600)
    monkeypatch.setattr(edge, "MAX_DISCARDED", 1_000_000)
    reader, writer = await connect(READ + b"Content-Length: 50000000\r\n\r\n")
    assert (await answer(reader))[0] == 413
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(ConnectionError):
            await send_without_end(writer)


async def test_a_request_whose_sender_is_gone_by_its_turn_leaves_no_traceback(connect, server, caplog):
    await connect(b"")
    running = server.runner.server
    async with asyncio.timeout(PATIENCE_S):
        while not running.connections:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)
        (connection,) = running.connections
        await asyncio.sleep(0)
        transport = connection.transport
        connection.data_received(GET + b"\r\n")
        connection.connection_lost(None)
        transport.abort()
        while running.connections:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)
    assert running.requests_count == 1
    assert not caplog.records


async def test_a_connection_that_only_discards_ends_with_the_server(connect, server, monkeypatch):
    monkeypatch.setattr(edge, "REST_S", 3600)
    reader, _ = await connect(READ + b"Content-Length: 50000000\r\n\r\n")
    assert (await answer(reader))[0] == 413
    await server.close()
    async with asyncio.timeout(PATIENCE_S):
        while server.runner.server.discarding:  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0)


def private_names(kind):
    """Those that a class has or whose methods name them."""
    methods = [getattr(each, "fget", each) for each in vars(kind).values()]
    named = {name for each in methods if hasattr(each, "__code__") for name in each.__code__.co_names}
    return {name for name in named | set(vars(kind)) if name.startswith("_") and not name.startswith("__")}


@pytest.mark.parametrize("ours", [edge.HttpConnection, EdgeServer, EdgeRunner])
def test_no_private_name_of_ours_is_one_of_aiohttp(ours):
    """Attributes of a class and of what it inherits from are in one object: one of the same name would break both."""
    theirs = {name for base in ours.__mro__[1:-1] for name in private_names(base)}
    assert len(theirs) >= 5
    assert private_names(ours) & theirs <= {"_abc_impl"}
