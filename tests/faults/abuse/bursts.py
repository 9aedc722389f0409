"""Shapes on the sockets themselves: many messages in one piece, on as many lines as one client may open."""

import asyncio
import itertools

from tests.faults.abuse.shape import Play, Shape, is_socket, on_connections
from tests.faults.abuse.targets import Target
from tests.faults.abuse.wire import Attack, Connection, json_of
from tests.support.live.wire import frame

TEXT = 0x1
HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
LINES_OF_A_PLAYER = 10
PLAYERS_TOGETHER = 2
AT_ONCE, PIECES = 16, 6
PAUSE_S = 0.05


def text(**fields: object) -> bytes:
    return frame(TEXT, json_of(fields))


def bursts(cookies: list[str], first: bytes, burst: bytes, count: int) -> Play:
    """`burst` again and again, behind `first`, on so many lines at a time, whose senders take turns to be those."""
    senders = itertools.cycle(cookies)

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(attack.head({**HANDSHAKE, "Cookie": next(senders)}) + b"\r\n")
        if await line.answer() != 101:
            await asyncio.sleep(PAUSE_S)
            return
        await line.send(first)
        for _ in range(PIECES):
            await line.send(burst)
            await asyncio.sleep(PAUSE_S)

    return lambda attack: on_connections(attack, one, count)


async def greetings(attack: Attack) -> None:
    """Watchers who say hello sixteen times at once, and again, to the longest game."""
    game = {"game": attack.game, "v": -1} if attack.target.path == "/ws" else {}
    await bursts(["sid=nobody"], b"", text(t="hi", proto=1, **game) * AT_ONCE, count=45)(attack)


async def stale_moves(attack: Attack) -> None:
    """The two players of a game in play send moves of an earlier position, sixteen at once, on all their lines."""
    burst = b"".join(text(t="move", id=number, ply=0, uci="a1a2") for number in range(AT_ONCE))
    count = LINES_OF_A_PLAYER * PLAYERS_TOGETHER
    await bursts(attack.seats.cookies, text(t="hi", proto=1, game=attack.seats.game), burst, count)(attack)


async def greetings_of_one(attack: Attack) -> None:
    """Somebody with many games asks how they stand, sixteen times at once, on as many pages as they may have open."""
    burst = text(t="hi", proto=1, games=1) * AT_ONCE
    cookies = attack.owner.cookies
    await bursts(cookies, b"", burst, count=LINES_OF_A_PLAYER * len(cookies))(attack)


def is_lobby(target: Target) -> bool:
    return target.socket and target.path == "/ws/lobby"


def is_board(target: Target) -> bool:
    return target.socket and target.path == "/ws"


BURSTS = (
    Shape("greetings at once", greetings, is_socket),
    Shape("greetings of one with many games", greetings_of_one, is_lobby),
    Shape("stale moves at once", stale_moves, is_board),
)
