"""What a shape of attack is, and how one client plays it: on so many connections at once, until its time is up."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from tests.faults.abuse.targets import Target
from tests.faults.abuse.wire import Attack, Connection, Spent

CONNECTIONS = 50
"""As many as one client opens."""
END_OF_ATTACK = (OSError, Spent, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)
"""After one of these a connection is of no more use."""

Play = Callable[[Attack], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Shape:
    """`fits`: can it be played at this target?"""

    name: str
    play: Play
    fits: Callable[[Target], bool]


def anything(target: Target) -> bool:
    return not target.is_mailbox


def reads_body(target: Target) -> bool:
    return target.method == "POST"


def is_socket(target: Target) -> bool:
    return target.socket


def in_turn(requests: Iterable[bytes]) -> Callable[[Attack, Connection], Awaitable[None]]:
    """A client that sends these in turn on one connection, each after the answer to the one before."""

    async def one(_: Attack, connection: Connection) -> None:
        for request in requests:
            await connection.send(request)
            await connection.answer()

    return one


async def on_connections(
    attack: Attack,
    one: Callable[[Attack, Connection], Awaitable[None]],
    count: int = CONNECTIONS,
    room: int | None = None,
    port: int = 0,
) -> None:
    """`one` on each of `count` connections at a time; one that ends is followed by a new one. As `Attack.connect`."""

    async def again() -> None:
        while attack.goes_on and not attack.sent.spent:
            try:
                connection = await attack.connect(room, port)
            except OSError:
                attack.sent.broken += 1
                await asyncio.sleep(0.05)
                continue
            try:
                await one(attack, connection)
            except END_OF_ATTACK:
                attack.sent.broken += 1
                await asyncio.sleep(0.01)
            finally:
                connection.close()

    attack.begin()
    with suppress(TimeoutError):
        async with asyncio.timeout_at(attack.ends):
            await asyncio.gather(*(again() for _ in range(count)))


async def hold(attack: Attack, connection: Connection) -> None:
    """Keep it open until the time is up or the server ends it."""
    async with asyncio.timeout_at(attack.ends):
        await connection.listen()
