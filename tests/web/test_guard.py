"""Who is let in: hosts, origins, encodings, and the headers that every answer carries."""

import asyncio

import pytest
from aiohttp.test_utils import TestServer

from server.app import build_app
from server.web.assets import find_assets
from tests.support.web.budgets import BUDGETS, name_of
from tests.support.web.origins import FOREIGN, ORIGIN
from tests.support.web.people import Person


@pytest.mark.row("A1")
@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_opens_no_socket_and_makes_no_game(server, visitor, anna, origin):
    async with anna.http.get("/api/me"):
        pass
    headers = {} if origin is None else {"Origin": origin}
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    anna.http.headers.clear()
    async with anna.http.get("/ws", headers=headers | upgrade | key) as answer:
        assert answer.status == 403
        assert (await answer.json())["code"] == "wrong_origin"
    async with anna.http.post("/api/guest", json={}, headers=headers) as answer:
        assert answer.status == 403
        assert not answer.cookies


@pytest.mark.row("A1")
@pytest.mark.parametrize("origin", [ORIGIN, "http://127.0.0.1:8080"])
async def test_our_own_pages_are_let_in(visitor, origin):
    person = await visitor(origin)
    game = await person.challenge()
    async with person.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"


@pytest.mark.row("A1")
async def test_a_second_origin_header_is_refused(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nOrigin: {ORIGIN}\r\nOrigin: http://evil.org\r\n"
        "Content-Length: 0\r\nConnection: close\r\n\r\n".encode()
    )
    assert b" 403 " in (await reader.readline())
    writer.close()


async def test_a_cross_site_request_is_refused_whatever_its_origin(anna):
    async with anna.http.post("/api/guest", json={}, headers={"Sec-Fetch-Site": "cross-site"}) as answer:
        assert answer.status == 403


async def test_every_route_that_does_something_wants_our_origin(server, anna):
    anna.http.headers.clear()
    doing = [
        (route.method, route.resource.canonical.replace("{game}", "0123456789").replace("{variant}", "x"))
        for route in server.app.router.routes()
        if route.method not in ("GET", "HEAD") and not BUDGETS[name_of(route)].from_anywhere
    ]
    assert len(doing) >= 3
    for method, path in doing:
        async with anna.http.request(method, path, json={}) as answer:
            assert answer.status == 403, (method, path)
            assert not answer.cookies


async def test_reading_sets_no_cookie(anna):
    for path in ("/", "/protocol", "/rules/chess", "/api/me", "/api/variants/chess", "/health", "/0123456789"):
        for method in ("GET", "HEAD"):
            async with anna.http.request(method, path) as answer:
                assert not answer.cookies, path


@pytest.mark.row("I14")
@pytest.mark.parametrize("host", ["evil.org", "localhost.evil.org", "evil.org:8080", "127.0.0.1.nip.io", "[", ""])
async def test_an_unknown_host_is_told_the_right_name(anna, host):
    async with anna.http.get("/", headers={"Host": host}) as answer:
        assert answer.status in (400, 421)
        if answer.status == 421:
            assert "http://localhost:8080" in await answer.text()
            assert "Location" not in answer.headers


@pytest.mark.parametrize("host", ["10.0.0.5:18311", "evil.org", "172.17.0.3"])
@pytest.mark.parametrize("path", ["/health", "/ready"])
async def test_a_probe_is_answered_by_whatever_name_it_asks(anna, path, host):
    async with anna.http.get(path, headers={"Host": host}) as answer:
        assert answer.status == 200
        assert answer.content_type == "application/json"


async def test_the_page_for_another_host_says_what_is_so(anna):
    async with anna.http.get("/", headers={"Host": "evil.org", "Accept": "text/html"}) as answer:
        assert "This site has another address" in await answer.text()


async def test_an_encoded_body_is_refused(anna):
    async with anna.http.post("/api/guest", data=b"{}", headers={"Content-Encoding": "gzip"}) as answer:
        assert answer.status == 415


@pytest.mark.parametrize("path", ["/", "/nothing-here", "/api/me", "/health", "/static/none.js", "/0123456789"])
async def test_every_answer_carries_the_guard_headers(anna, path):
    async with anna.http.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'" in policy
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Server" not in answer.headers


async def test_the_analysis_board_is_isolated_and_other_pages_are_not(anna):
    for path, policy in (("/analysis/chess", "require-corp"), ("/analysis/chess?fen=x", "require-corp"), ("/", None)):
        async with anna.http.get(path) as answer:
            assert answer.headers.get("Cross-Origin-Embedder-Policy") == policy
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "wasm" not in answer.headers["Content-Security-Policy"]


async def test_only_the_other_engine_s_workers_run_webassembly(anna):
    names = find_assets().names
    for name in ("worker.js", "fairy-stockfish.js", "fairy-stockfish.worker.js", "fairy-stockfish-host.js"):
        async with anna.http.get(f"/static/{names[name]}") as answer:
            assert answer.status == 200
            policy = answer.headers["Content-Security-Policy"]
            assert ("'wasm-unsafe-eval'" in policy) == name.startswith("fairy")
            assert policy.startswith("default-src 'none'; script-src 'self'")
            assert "unsafe-inline" not in policy
            assert "'unsafe-eval'" not in policy
            assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp", "or isolated pages cannot run it"


async def test_a_handshake_does_not_say_what_runs_here_either(anna):
    async with anna.open_socket() as socket:
        assert "Server" not in socket.websocket._response.headers


async def test_an_https_site_insists_on_it(settings):
    secure = settings.model_copy(update={"public_url": "https://chess.example.org"})
    server = TestServer(build_app(secure, find_assets()))
    await server.start_server()
    async with (
        Person(server.make_url("/"), "https://chess.example.org") as anna,
        anna.http.post("/api/guest", json={}, headers={"Host": "chess.example.org"}) as answer,
    ):
        assert answer.status == 200
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        policy = answer.headers["Content-Security-Policy"]
        assert "wss://chess.example.org;" in policy
        assert policy.endswith("upgrade-insecure-requests")
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Host-sid=")
        assert "Secure" in cookie
        assert "Domain" not in cookie
        async with anna.http.post(
            "/language", data={"language": "es"}, headers={"Host": "chess.example.org"}, allow_redirects=False
        ) as chosen:
            assert "Secure" in chosen.headers["Set-Cookie"]
    await server.close()
