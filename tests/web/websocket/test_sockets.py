"""Live play as browsers see it: whole games, watchers, coming back, and the limits of a socket."""

import asyncio

import aiohttp
import pytest

from server.realtime.live import LivePlay
from server.realtime.play import connection
from server.web.site import SITE
from server.web.websocket import open_sockets
from server.web.websocket.open_sockets import PER_SESSION
from tests.support.patience import PATIENCE_S
from tests.support.web.people import FOOLS_MATE, play


async def test_a_whole_game_from_link_to_result(anna, ben, visitor):
    game = await anna.challenge()
    watcher = await visitor()
    async with anna.follow(game) as white, watcher.follow(game) as watching:
        snapshot = await white.next()
        assert snapshot["you"] == "white"
        assert snapshot["status"] == "open"
        assert "you" not in await watching.next()
        assert await ben.join(game) == {"id": game["id"], "color": "black"}
        assert (await white.until("joined"))["side"] == "black"
        async with ben.follow(game) as black:
            assert (await black.next())["you"] == "black"
            await play((white, black), FOOLS_MATE)
            for socket in (white, black, watching):
                over = await socket.until("over")
                assert over["ended"] == {"result": "0-1", "winner": "black", "reason": "checkmate"}
    record = await watcher.get(f"/api/games/{game['id']}")
    assert [move["uci"] for move in record["moves"]] == FOOLS_MATE
    assert record["result"] == "0-1"
    assert record["moves"][-1]["fen"] == record["fen"]


async def test_only_the_side_to_move_gets_legal_moves_and_nobody_a_secret(anna, ben, visitor):
    game = await anna.challenge()
    await ben.join(game)
    watcher = await visitor()
    async with anna.follow(game) as white, ben.follow(game) as black, watcher.follow(game) as watching:
        sockets = (white, black, watching)
        legal = [(await socket.next()).get("legal") for socket in sockets]
        assert [bool(moves) for moves in legal] == [True, False, False]
        await white.move(0, "e2e4")
        legal = [
            next(one for one in socket.seen if one["t"] == "moved").get("legal")
            if any(one["t"] == "moved" for one in socket.seen)
            else (await socket.until("moved")).get("legal")
            for socket in sockets
        ]
        assert [bool(moves) for moves in legal] == [False, True, False]
        cookies = [cookie.value for person in (anna, ben) for cookie in person.http.cookie_jar]
        for socket in sockets:
            assert not any(secret in str(socket.seen) for secret in (game["secret"], *cookies))


async def test_a_watcher_and_a_stranger_with_the_link_cannot_move(anna, ben, visitor):
    game = await anna.challenge()
    await ben.join(game)
    stranger = await visitor()
    await stranger.post("/api/guest")
    async with stranger.follow(game) as socket:
        await socket.next()
        assert (await socket.move(0, "e2e4"))["code"] == "not_a_player"


async def test_a_returning_client_gets_what_it_missed(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white:
        start = await white.next()
        async with ben.follow(game) as black:
            await black.next()
            # Both have met; after the first moves nobody is told how long there was for them.
            await white.until("clock")
            await play((white, black), FOOLS_MATE[:3])
        async with ben.follow(game, epoch=start["epoch"], v=start["v"]) as again:
            missed = [await again.next() for _ in range(5)]
            assert [one["t"] for one in missed] == ["clock", "moved", "moved", "moved", "resumed"]
            assert "d8h4" in missed[-1]["legal"].split()
        async with ben.follow(game, epoch="elsewhen", v=start["v"]) as other:
            assert (await other.next())["t"] == "snapshot"


async def test_a_socket_that_never_says_hi_is_closed(anna, monkeypatch):
    monkeypatch.setattr(connection, "HELLO_MS", 100)
    async with anna.open_socket() as socket:
        assert await socket.closing() == 4408


async def test_binary_and_oversized_frames_close_the_socket(anna):
    async with anna.open_socket() as socket:
        await socket.websocket.send_bytes(b"{}")
        assert await socket.closing() == 1003
    async with anna.open_socket() as socket:
        await socket.websocket.send_str("x" * 9000)
        assert await socket.closing() == 1009


@pytest.mark.row("S16")
async def test_compression_is_never_negotiated(anna):
    async with anna.http.ws_connect("/ws", compress=15) as socket:
        assert not socket.compress


async def why_refused(person, path):
    """What a page learns that asks without a handshake, as its browser does not tell it."""
    async with person.http.get(f"{path}?why") as answer:
        record = await answer.json()
        assert (answer.status, record["code"]) == (429, "too_many_sockets")
        assert "{" not in record["message"]
        return record["refusal"]


@pytest.mark.row("S11")
async def test_sockets_per_session_are_counted_and_given_back(anna, server):
    await anna.post("/api/guest")
    opened = [await anna.http.ws_connect("/ws") for _ in range(PER_SESSION)]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await anna.http.ws_connect("/ws")
    assert refusal.value.status == 429
    assert await why_refused(anna, "/ws") == "too_many_sockets"
    assert await why_refused(anna, "/ws/lobby") == "too_many_sockets"
    for socket in opened:
        await socket.close()
    await until(lambda: len(server.app[SITE].open_sockets) == 0)
    async with anna.open_socket():
        pass
    async with anna.http.get("/ws?why") as answer:
        assert answer.status == 204


@pytest.mark.row("S11")
async def test_nameless_sockets_are_counted_by_address(visitor, anna, monkeypatch):
    monkeypatch.setattr(open_sockets, "WATCHERS_PER_ADDRESS", 20)
    await anna.post("/api/guest")
    crowd = await visitor()
    opened = [await crowd.http.ws_connect("/ws") for _ in range(20)]
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await crowd.http.ws_connect("/ws")
    assert await why_refused(crowd, "/ws") == "too_many_at_address"
    async with anna.open_socket():
        pass
    for socket in opened:
        await socket.close()


@pytest.mark.usefixtures("clock")
async def test_handshakes_are_limited_by_time(anna):
    await anna.post("/api/guest")
    for _ in range(60):
        await (await anna.http.ws_connect("/ws")).close()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await anna.http.ws_connect("/ws")
    assert refusal.value.status == 429
    assert int(refusal.value.headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Upgrade": "h2c"}, 426),
        ({"Content-Length": "2"}, 400),
        ({"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=é"}, 400),
    ],
)
async def test_an_invalid_handshake_is_refused(anna, headers, status):
    data = b"{}" if "Content-Length" in headers else None
    async with anna.http.get(
        "/ws", headers={"Upgrade": "websocket", "Connection": "Upgrade", **headers}, data=data
    ) as answer:
        assert answer.status == status


async def test_a_client_that_does_not_read_is_cut_off(server, anna, monkeypatch):
    monkeypatch.setattr(open_sockets, "PER_SESSION", 1000)
    game = await anna.challenge()
    site = server.app[SITE]
    _, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:8080\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    await until(lambda: len(site.open_sockets) == 1)
    held = next(iter(site.open_sockets._sockets))
    while not held.closed:
        held.put("x" * 4000)
        await asyncio.sleep(0)
    await until(lambda: len(site.open_sockets) == 0)
    writer.close()
    async with anna.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"


async def until(true, seconds=PATIENCE_S):
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what is waited for happens inside the server
            await asyncio.sleep(0.01)


async def test_the_longest_letter_of_a_game_of_days_fits_a_frame_and_one_character_more_is_refused(anna, ben):
    game = await anna.challenge(clock={"kind": "correspondence", "days": 3})
    await ben.join(game)
    letter = "\n".join("\U0001f600" * 199 for _ in range(10))
    assert len(letter) == 1_999
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.send_unescaped({"t": "chat", "id": 1, "text": f"{letter}xx"})
        refused = await white.until("error")
        assert (refused["id"], refused["refusal"], refused["params"]) == (1, "chat_too_long", {"most": 2_000})
        await white.send_unescaped({"t": "chat", "id": 2, "text": f"{letter}x"})
        assert (await white.until("ok"))["id"] == 2
        assert (await black.until("said"))["line"]["text"] == f"{letter}x"
    async with ben.follow(game) as back:
        assert [line["text"] for line in (await back.next())["chat"]] == [f"{letter}x"]
    async with anna.http.get(f"/{game['id']}") as page:
        assert '<textarea class="field" id="chat-text"' in await page.text()


async def test_a_process_that_is_cut_off_lets_nobody_in_and_says_why(anna, server, monkeypatch):
    game = await anna.challenge()
    async with anna.follow(game) as before:
        await before.next()
        monkeypatch.setattr(LivePlay, "cut_off", True)
        await server.app[SITE].live.leave_pages_if_cut_off()
        assert await before.closing() == 1012
        for path in ("/ws", "/ws/lobby", "/ws/watch"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await anna.http.ws_connect(path)
            assert refused.value.status == 503
            assert (await anna.get(f"{path}?why", 503))["code"] == "storage"
