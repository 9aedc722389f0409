"""Shapes of whole requests: too many, too long, at once, from elsewhere, never read."""

import asyncio

from tests.faults.abuse.bodies import largest_legal, ordinary
from tests.faults.abuse.shape import Shape, anything, in_turn, is_socket, on_connections, reads_body
from tests.faults.abuse.wire import Attack, Connection, json_of
from tests.support.web.origins import CROSS_SITE

PIPELINED = 100
SMALL_WINDOW = 4_096
MANY_KEYS = "&".join(f"utm_{n}=x" for n in range(700))
MISSING = 500


async def repeat(attack: Attack, connection: Connection, request: bytes) -> None:
    while attack.goes_on:
        await connection.send(request)
        await connection.answer()


async def flood(attack: Attack) -> None:
    """Ordinary requests on 50 connections that stay open, each as soon as the one before is answered."""
    request = attack.request(*ordinary(attack.target))
    await on_connections(attack, lambda attack, line: repeat(attack, line, request))


async def largest_body(attack: Attack) -> None:
    """As `flood`, with the most that the route reads."""
    request = attack.request(*largest_legal(attack.target))
    await on_connections(attack, lambda attack, line: repeat(attack, line, request))


async def pipelined(attack: Attack) -> None:
    """A hundred requests in one piece on each connection, and no answer awaited before the next hundred."""
    request = attack.request(*ordinary(attack.target)) * PIPELINED

    async def one(attack: Attack, line: Connection) -> None:
        await line.send_while_listening(request)

    await on_connections(attack, one)


async def slow_reader(attack: Attack) -> None:
    """As `pipelined`, and nothing is ever read."""
    request = attack.request(*ordinary(attack.target)) * PIPELINED

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(request)
        await asyncio.sleep(60)

    await on_connections(attack, one, room=SMALL_WINDOW)


async def unknown_keys(attack: Attack) -> None:
    """Seven hundred keys in the address that nobody knows."""
    head = attack.head(path=f"{attack.target.path}?{MANY_KEYS}")
    body, kind = ordinary(attack.target)
    size = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
    request = head + size.encode() + b"\r\n" + body
    await on_connections(attack, lambda attack, line: repeat(attack, line, request))


async def cross_site(attack: Attack) -> None:
    """What any page of the web can have a visitor's browser load: the route, and games that do not exist."""
    requests = [attack.head(CROSS_SITE, method="GET") + b"\r\n"]
    requests += [attack.head(CROSS_SITE, f"/AAAAAA{n:04}", "GET") + b"\r\n" for n in range(MISSING)]
    await on_connections(attack, in_turn(requests), count=6)


async def deep_json(attack: Attack) -> None:
    """Brackets in brackets, as many as a body may have."""
    kind = largest_legal(attack.target)[1]
    size = 900_000 if "pgn" in kind or "multipart" in kind or kind == "text/plain" else 65_000
    texts = (b"[" * size, b'{"a":' * (size // 5), b"[" * (size // 2) + b"]" * (size // 2))
    requests = [attack.request(text, "application/json") for text in texts]
    await on_connections(attack, in_turn(requests), count=10)


async def junk_handshake(attack: Attack) -> None:
    """Requests for a socket, none of which is a handshake: each is charged to an address that players sit behind."""
    wrong = (
        {"Upgrade": "websocket", "Connection": "Upgrade"},
        {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "1", "Sec-WebSocket-Key": "x"},
        {"Upgrade": "websocket", "Connection": "keep-alive", "Sec-WebSocket-Version": "13"},
        {"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AAMAAABkAAQAAP__"},
    )
    requests = [attack.head(headers) + b"\r\n" for headers in wrong]

    async def one(attack: Attack, line: Connection) -> None:
        for request in requests * 2:
            await line.send(request)
            await line.answer()

    await on_connections(attack, one, count=10)


async def hello_and_leave(attack: Attack) -> None:
    """A watcher says hello to the longest game, waits for all of it, and leaves at once."""
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Cookie": "sid=nobody",
    }
    request = attack.head(upgrade) + b"\r\n"
    hello = json_of({"t": "hi", "proto": 1, "game": attack.game, "v": -1})
    frame = bytes((0x81, 0x80 | len(hello))) + bytes(4) + hello

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(request)
        if await line.answer() != 101:
            await asyncio.sleep(0.05)
            return
        await line.send(frame)
        await line.reader.read(1)

    await on_connections(attack, one)


REQUESTS = (
    Shape("plain flood", flood, anything),
    Shape("largest legal body", largest_body, reads_body),
    Shape("pipelined requests", pipelined, anything),
    Shape("slow reader", slow_reader, anything),
    Shape("unknown query keys", unknown_keys, anything),
    Shape("cross-site loads", cross_site, anything),
    Shape("deep JSON", deep_json, reads_body),
    Shape("junk handshakes", junk_handshake, anything),
    Shape("hello and leave", hello_and_leave, is_socket),
)
