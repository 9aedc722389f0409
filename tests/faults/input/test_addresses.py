"""Addresses and headers that ask for what is not there: files, other hosts, slow tables (I10, I12, I14)."""

import asyncio
import itertools
import time
from pathlib import Path

import pytest

from server.web.budgets.buckets import RateLimit
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import go, register
from tests.support.web.origins import ORIGIN

ROOT = Path(__file__).parents[3]
UPS = ("..", "%2e%2e", "%2E.", "..%2f..", "..%5c..", "....//", "..;", "%252e%252e", "..\\..", "%c0%ae%c0%ae")
PLACES = ("/static/", "/static/pieces/", "/", "/rules/", "/variants/", "/api/games/", "/static//", "/@/")
FILES = ("etc/passwd", "server/app.py", "data/fairyhouse.sqlite3", "pyproject.toml", "static/dist/manifest.json", "")
SIGNS = (b"root:x:0", b"def build_app", b"SQLite format 3", b"[build-system]", b'"service_worker.js"')


async def ask(port, path, host="localhost"):
    """The whole answer to a path sent as it is: an HTTP client would tidy it up first."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE_S)
    finally:
        writer.close()


@pytest.mark.row("I12")
@pytest.mark.usefixtures("unlimited")
async def test_no_path_leads_to_a_file_outside(server, counted):
    tried = 0
    for place, up, file in itertools.product(PLACES, UPS, FILES):
        answer = await ask(server.port, f"{place}{'/'.join([up] * 6)}/{file}")
        tried += 1
        assert not any(sign in answer for sign in SIGNS), (place, up, file)
        assert answer.split(b" ", 2)[1] in (b"301", b"308", b"400", b"403", b"404"), (place, up, file, answer[:200])
    for folder in ("/static", "/static/", "/static/pieces/"):
        answer = await ask(server.port, folder)
        assert answer.split(b" ", 2)[1] in (b"403", b"404"), folder
    counted("paths", tried + 3)


HOSTS = (
    *("evil.example", "evil.example:8080", "localhost.evil.example", "localhost:8080.evil.example", "127.0.0.1.nip.io"),
    *(
        "localhost@evil.example",
        "evil.example#localhost",
        "evil.example/localhost",
        "[::ffff:1.2.3.4]",
        "[::1].evil.example",
    ),
    *("localhost%00.evil.example", "", "*", "10.0.0.1", "169.254.169.254", "0.0.0.0", "localhost.", "xn--e1awd7f.com"),
    *("evil.example@localhost", "localhost/evil.example", "evil.example,localhost", "evil.example localhost"),
)


@pytest.mark.row("I14")
@pytest.mark.usefixtures("unlimited")
async def test_another_host_name_changes_no_link(server, anna, counted):
    await register(anna, "Anna")
    for host in HOSTS:
        answer = await ask(server.port, "/register", host)
        assert answer.split(b" ", 2)[1] in (b"400", b"421"), host
        assert b"Location:" not in answer
    for headers in (
        {"X-Forwarded-Host": "evil.example"},
        {"Forwarded": "host=evil.example"},
        {"Host": "127.0.0.1:9999"},
    ):
        body = {"variant": "chess", "clock": {"kind": "unlimited"}}
        async with anna.http.post("/api/games", json=body, headers=headers) as made:
            game = await made.json()
        assert game["link"].startswith(f"{ORIGIN}/{game['id']}#")
        for path in (f"/{game['id']}", f"/api/games/{game['id']}.pgn", "/", "/app.webmanifest"):
            async with anna.http.get(path, headers=headers) as page:
                assert "evil.example" not in await page.text(), (path, headers)
    assert await go(anna, "/sign-out") == "/"
    counted("hosts", len(HOSTS) + 3)


@pytest.mark.row("I10")
def test_keys_that_people_choose_cost_the_same_however_many(counted):
    for file in ("Dockerfile", "docker-compose.yml", "Makefile"):
        assert "PYTHONHASHSEED" not in (ROOT / file).read_text(), "keys could be chosen that collide"
    took = []
    for keys in (25_000, 100_000):
        limit, begun = RateLimit(1, 60), time.thread_time()
        for number in range(keys):
            limit.take(f"{number * (2**61 - 1):x}", 1_000 * number)
        took.append((time.thread_time() - begun) / keys)
    assert took[1] < 4 * took[0]
    counted("keys", 100_000)
