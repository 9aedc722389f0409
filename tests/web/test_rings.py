"""What a request leaves in memory when it has been answered: nothing that waits for Python to look for rings."""

import asyncio
import gc

import pytest
from aiohttp import web

from server.web.edge import HttpConnection, forget_where
from tests.support.patience import PATIENCE_S
from tests.support.web.origins import ORIGIN

HEAD = f"Host: localhost:8080\r\nOrigin: {ORIGIN}\r\n"
ASKED = {
    "a page": f"GET / HTTP/1.1\r\n{HEAD}\r\n",
    "no page": f"GET /nosuch HTTP/1.1\r\n{HEAD}\r\n",
    "no game": f"GET /AAAAAAAA00 HTTP/1.1\r\n{HEAD}\r\n",
    "no file": f"GET /static/{'a' * 300} HTTP/1.1\r\n{HEAD}\r\n",
    "a redirect": f"GET /variants/chess HTTP/1.1\r\n{HEAD}\r\n",
    "another method": f"POST /health HTTP/1.1\r\n{HEAD}Content-Length: 0\r\n\r\n",
    "another site": "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "a bad form": f"POST /api/games HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
    "a bad upload": f"POST /import HTTP/1.1\r\n{HEAD}Content-Type: multipart/form-data; boundary=x\r\n"
    "Content-Length: 2\r\n\r\nab",
    "an upload that is broken off": f"POST /api/import HTTP/1.1\r\n{HEAD}Content-Type: text/plain\r\n"
    "Content-Length: 100000\r\n\r\nab",
    "chunks": f"GET / HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n",
    "nonsense": "BREW\r\n\r\n",
}


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
async def test_a_request_is_gone_with_its_connection(server, asked):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(asked.encode())
    if "100000" in asked:
        async with asyncio.timeout(PATIENCE_S):
            while not server.runner.server.requests_count:  # noqa: ASYNC110 - in this process
                await asyncio.sleep(0)
    else:
        await asyncio.wait_for(reader.readline(), PATIENCE_S)
    writer.transport.abort()
    async with asyncio.timeout(PATIENCE_S):
        while server.runner.server.connections or left():  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0.01)


def left():
    return [one for one in gc.get_objects() if isinstance(one, web.Request | HttpConnection)]


def test_an_error_forgets_where_it_and_what_led_to_it_were_raised():
    try:
        try:
            raise KeyError("first")
        except KeyError as first:
            raise ValueError("second") from first
    except ValueError as error:
        first, second = error.__cause__, error
        forget_where(second)
    assert (first.__traceback__, second.__traceback__) == (None, None)
    assert (second.__context__, second.__cause__) == (None, None)
