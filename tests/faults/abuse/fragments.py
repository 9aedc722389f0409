"""Shapes of requests that are never whole, or whose pieces are the attack: heads, chunks, bodies, forms."""

import asyncio
import zlib

from tests.faults.abuse.bodies import FORM, largest_legal
from tests.faults.abuse.shape import CONNECTIONS, Shape, anything, hold, in_turn, on_connections, reads_body
from tests.faults.abuse.wire import LARGE, Attack, Connection

HEADERS, HEADER = 100, 8_000
"""Of one request: so many, of so many bytes each."""
HELD = 980_000
"""Bytes of a body that does not end: less than a file may have."""
BOMB = 10_000_000


async def endless_body(attack: Attack) -> None:
    """Uploads that were announced as legal and stop before their last byte."""
    kind = largest_legal(attack.target)[1]
    limit = HELD if kind in ("text/plain", FORM) else 64_000
    opening = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n' if kind == FORM else b""
    size = {"Content-Type": kind, "Content-Length": str(limit + len(opening) + 1_000)}

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(attack.head(size) + b"\r\n" + opening)
        await line.send(b"a" * limit)
        await hold(attack, line)

    await on_connections(attack, one)


async def body_on_anything(attack: Attack) -> None:
    """A body without end to a route that may not read any."""
    head = attack.head({"Content-Length": str(BOMB), "Content-Type": "application/json"}, method="POST") + b"\r\n"

    async def one(attack: Attack, line: Connection) -> None:
        await line.send_while_listening(head, *[b"a" * LARGE] * (BOMB // LARGE))

    await on_connections(attack, one, count=10)


async def tiny_chunks(attack: Attack) -> None:
    """A body in chunks of one byte: each costs the server a hundred times what it costs the sender."""
    kind = largest_legal(attack.target)[1]
    head = attack.head({"Transfer-Encoding": "chunked", "Content-Type": kind}, method="POST") + b"\r\n"

    async def one(attack: Attack, line: Connection) -> None:
        await line.send_while_listening(head, *[b"1\r\na\r\n" * 10_000] * 80)

    await on_connections(attack, one, count=10)


async def newline_preamble(attack: Attack) -> None:
    """A multipart form of which nothing but empty lines comes."""
    head = attack.head({"Content-Type": FORM, "Content-Length": "10000000"}, method="POST") + b"\r\n"

    async def one(attack: Attack, line: Connection) -> None:
        await line.send_while_listening(head, *[b"\r\n" * (LARGE // 2)] * (10_000_000 // LARGE))

    await on_connections(attack, one, count=10)


async def broken_form(attack: Attack) -> None:
    """Multipart forms that no browser writes."""
    parts = (
        b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\n' + b"u" * 100 + b"\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nklingon\r\n--x--\r\n',
        b"--x\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(300)) + b"\r\na\r\n--x--\r\n",
        b"--x\r\nno colon here\r\n\r\na\r\n--x--\r\n",
        b"--x\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%\r\n--x--\r\n",
        b"--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n\r\na\r\n--y--\r\n--x--\r\n",
        b"p" * 60_000,
    )
    requests = [attack.request(text, FORM) for text in parts]
    await on_connections(attack, in_turn(requests), count=10)


async def held_heads(attack: Attack) -> None:
    """As many headers as are read, of the longest that are; the connections are held, then all closed at once."""
    many = "".join(f"X-{number}: {'h' * HEADER}\r\n" for number in range(HEADERS)).encode()
    request = attack.head() + many + b"\r\n"

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(request)
        await line.answer()
        await hold(attack, line)

    await on_connections(attack, one, CONNECTIONS)


async def half_open(attack: Attack) -> None:
    """Connections that say nothing, and heads that never end."""

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(attack.head())
        while attack.goes_on:
            await line.send(b"X-Header: more\r\n" * 50)
            await asyncio.sleep(0.02)

    await on_connections(attack, one)


async def gzip_body(attack: Attack) -> None:
    """A body that says it is compressed: 10 KB that would become 10 MB."""
    pressed = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = pressed.compress(bytes(BOMB)) + pressed.flush()
    requests = [
        attack.head({"Content-Encoding": how, "Content-Type": kind, "Content-Length": str(len(body))}, method="POST")
        + b"\r\n"
        + body
        for how in ("gzip", "deflate", "br")
        for kind in ("application/json", FORM)
    ]
    await on_connections(attack, in_turn(requests), count=10)


FRAGMENTS = (
    Shape("body that never ends", endless_body, reads_body),
    Shape("body for any address", body_on_anything, anything),
    Shape("one-byte chunks", tiny_chunks, anything),
    Shape("newline preamble", newline_preamble, anything),
    Shape("forms no browser writes", broken_form, reads_body),
    Shape("heads of 800 KB held open", held_heads, anything),
    Shape("half-open connections", half_open, anything),
    Shape("bodies said to be compressed", gzip_body, anything),
)
