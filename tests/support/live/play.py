"""Seats the load client's guests at their games, and lets them play: at a given pace, or as fast as the server answers.

Knows both servers: against the relay the same games are played over the same sockets, with nobody to judge them.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TypeVar

import aiohttp

from tests.support.live.guests import GAMES_EACH, Guest
from tests.support.live.processes import Relay, Server
from tests.support.live.recorded_games import Score
from tests.support.live.tables import Figures, Table
from tests.support.live.wire import open_socket
from tests.support.patience import PATIENCE_S

TableType = TypeVar("TableType", bound=Table)

GUESTS_PER_S = 9
"""The whole server takes a hundred new guests in ten seconds."""


async def seat_all(server: Server, scores: Iterable[Score], figures: Figures) -> list[Table]:
    """A table for each score, where both sides have moved once. As slowly as the limits ask for."""
    match server:
        case Relay():
            tables = [await _at_relay(server.port, number, score, figures) for number, score in enumerate(scores)]
        case _:
            tables = await seat_at(server.port, server.port, list(scores), figures)
    await settle(tables)
    return tables


async def _at_relay(port: int, number: int, score: Score, figures: Figures) -> Table:
    table = Table(score.moves, figures)
    table.game = str(number)
    table.sockets = [await open_socket(port, f"/{number}", {}, table.hear) for _ in range(2)]
    table.send_move()
    return table


async def seat_at(
    white_port: int, black_port: int, scores: list[Score], figures: Figures, kind: type[TableType] = Table
) -> list[TableType]:
    """The same, with White's sockets at one server and Black's at another, at tables of that kind."""
    tables: list[TableType] = []
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        for first in range(0, len(scores), GAMES_EACH):
            white, black = Guest(http, white_port), Guest(http, black_port)
            await asyncio.sleep(2 / GUESTS_PER_S)
            tables += [await begin(white, black, score, figures, kind) for score in scores[first : first + GAMES_EACH]]
    return tables


async def begin(white: Guest, black: Guest, score: Score, figures: Figures, kind: type[TableType] = Table) -> TableType:
    """A new game of these two, whose first move has been sent."""
    table = kind(score.moves, figures)
    table.guests = (white, black)
    game = await white.challenge(score.start)
    await black.join(game)
    table.game = game["id"]
    table.sockets = [await guest.follow(game["id"], table.hear) for guest in (white, black)]
    async with asyncio.timeout(PATIENCE_S):
        # A server that learnt of the game after its first move would show that as a part of it.
        while not all(socket.bytes_in for socket in table.sockets):  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.005)
    table.send_move()
    return table


async def play_paced(tables: list[Table], moves_per_s: float, seconds: float) -> None:
    """Open loop: so many moves a second over all tables, whatever the server does with them."""
    loop = asyncio.get_running_loop()
    began, sent = loop.time(), 0
    while (passed := loop.time() - began) < seconds:
        while sent < passed * moves_per_s:
            table = tables[sent % len(tables)]
            sent += 1
            if not table.waiting:
                table.send_move()
        await asyncio.sleep(0.002)
    await settle(tables)


async def play_at_once(tables: list[Table], seconds: float) -> None:
    """Closed loop: every move is answered as soon as it is seen."""
    for table in tables:
        table.answers = True
        table.send_move()
    await asyncio.sleep(seconds)
    for table in tables:
        table.answers = False
    await settle(tables)


async def settle(tables: Sequence[Table]) -> None:
    """Returns when every move that was sent has been seen."""
    async with asyncio.timeout(60):
        while any(table.waiting for table in tables):  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.05)
