"""How bodies are read: what they may hold is settled before a byte of them is read."""

import asyncio

import pytest

from server.web import forms
from server.web.budgets.buckets import RateLimit
from server.web.forms import BODY_MEMORY, MEMORY, MEMORY_PER_ADDRESS, SMALL, BodyMemory
from server.web.rendering.problems import Problem
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.origins import ORIGIN

LARGE = 1_000_000
FORM = "multipart/form-data; boundary=x"


@pytest.fixture
def begin(connect):
    """Opens connections to the server, each of which sends the head of a request at once."""

    async def to(path, *headers, content_type="application/json"):
        lines = (f"POST {path} HTTP/1.1", "Host: localhost:8080", f"Origin: {ORIGIN}", f"Content-Type: {content_type}")
        return await connect("\r\n".join([*lines, *headers, "", ""]).encode())

    return to


async def status(reader):
    async with asyncio.timeout(PATIENCE_S):
        return int((await reader.readline()).split()[1])


async def until(so):
    async with asyncio.timeout(PATIENCE_S):
        while not so():  # noqa: ASYNC110 - the server is in this process
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("path", "size", "content_type"),
    [
        ("/api/games", 65_537, "application/json"),
        ("/sign-in", 65_537, "application/x-www-form-urlencoded"),
        ("/import", 1_100_000, FORM),
        ("/api/import", 1_000_001, "text/plain"),
    ],
)
async def test_a_body_that_is_too_large_is_refused_before_it_comes(begin, path, size, content_type):
    reader, _ = await begin(path, f"Content-Length: {size}", content_type=content_type)
    assert await status(reader) == 413


async def test_an_import_is_charged_before_its_body_is_read(server, begin):
    server.app[SITE].limits.imports = RateLimit(1, 600)
    await begin("/import", f"Content-Length: {LARGE}", content_type=FORM)
    await until(lambda: server.app[BODY_MEMORY].taken)
    reader, _ = await begin("/import", f"Content-Length: {LARGE}", content_type=FORM)
    assert await status(reader) == 429


async def test_large_bodies_under_way_are_bounded_by_address(server, begin):
    for _ in range(4):
        await begin("/api/import", f"Content-Length: {LARGE}", content_type="text/plain")
    await until(lambda: server.app[BODY_MEMORY].taken.total() == 4 * LARGE)
    reader, _ = await begin("/api/import", f"Content-Length: {LARGE}", content_type="text/plain")
    assert await status(reader) == 503


async def test_small_bodies_are_read_whatever_large_ones_are_under_way(server, begin, anna):
    server.app[BODY_MEMORY].taken["127.0.0.1"] = MEMORY_PER_ADDRESS
    assert "id" in await anna.challenge()


async def test_a_sender_who_leaves_gives_the_room_back(server, begin, caplog):
    _, writer = await begin("/api/import", f"Content-Length: {LARGE}", content_type="text/plain")
    await until(lambda: server.app[BODY_MEMORY].taken)
    writer.transport.abort()
    await until(lambda: not server.app[BODY_MEMORY].taken)
    assert "Traceback" not in caplog.text


async def test_a_body_that_does_not_come_in_time_is_given_up(server, begin, monkeypatch):
    monkeypatch.setattr(forms, "FIRST_SECONDS", 0.05)
    monkeypatch.setattr(forms, "HANG_UP_SECONDS", 0.0)
    reader, _ = await begin("/api/import", f"Content-Length: {LARGE}", content_type="text/plain")
    assert await status(reader) == 408
    async with asyncio.timeout(PATIENCE_S):
        assert b"Connection: close" in await reader.read()
    assert not server.app[BODY_MEMORY].taken


async def test_a_large_body_has_more_time_the_more_of_it_has_come(begin, monkeypatch):
    """What has come by then is worth an hour, so only what is missing is waited for."""
    monkeypatch.setattr(forms, "MIN_PER_SECOND", 0.1)
    loop, due = asyncio.get_running_loop(), []
    call_at = loop.call_at
    monkeypatch.setattr(loop, "call_at", lambda when, *other, **more: due.append(when) or call_at(when, *other, **more))
    text = b"1. e4 e5 *" + b" " * 400
    reader, writer = await begin("/api/import", f"Content-Length: {len(text)}", content_type="text/plain")
    writer.write(text[:400])
    await until(lambda: due and due[-1] > loop.time() + 3600)
    writer.write(text[400:])
    assert await status(reader) == 200


def test_room_is_bounded_in_all_and_comes_back():
    memory = BodyMemory()
    holding = [memory.reserved(str(number), MEMORY_PER_ADDRESS) for number in range(MEMORY // MEMORY_PER_ADDRESS)]
    for one in holding:
        one.__enter__()
    with pytest.raises(Problem) as refused, memory.reserved("another", MEMORY_PER_ADDRESS):
        pass
    assert (refused.value.status, refused.value.code) == (503, "bodies_busy")
    with memory.reserved("another", SMALL):
        pass
    for one in holding:
        one.__exit__(None, None, None)
    assert not memory.taken
