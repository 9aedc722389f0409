"""Passwords are hashed and pictures drawn while games are played: no game stands still for them (S4)."""

import asyncio
import itertools
import time
from collections import Counter

import pytest

from tests.faults.sockets.health import stalls
from tests.support.live.processes import SITE

MAX_MS = 50
GUESSERS, VIEWERS = 3, 2
PICTURES = ("board.svg", "board.png", "replay.svg", "replay.gif", "card.png")


def from_somewhere(number):
    return {"Origin": SITE, "X-Forwarded-For": f"12.0.{number >> 8 & 255}.{number & 255}"}


def longest(late):
    """The 99.9th percentile."""
    return sorted(late)[int(len(late) * 0.999)]


@pytest.mark.row("S4")
@pytest.mark.alone
@pytest.mark.only_full("measures how late the server is, so no other test may run beside it")
async def test_passwords_and_pictures_hold_up_no_game(web, host, seated, rng, counted):
    """The control is the same server with the games alone."""
    seconds, came, numbers = 30, Counter(), itertools.count()
    tables = await seated(20, least=160)
    for table in tables:
        await table.come()

    async def guess():
        """A wrong password for a name that nobody tried before: it is compared as if there were somebody."""
        while time.monotonic() < ends:
            number = next(numbers)
            form = {"name": f"guess{number}", "password": "not the right one"}
            async with web.post(f"{host.site}/sign-in", data=form, headers=from_somewhere(number)) as answer:
                came["password", answer.status] += 1

    async def look():
        while time.monotonic() < ends:
            address = f"{host.site}/{rng.choice(tables).game}/{rng.choice(PICTURES)}"
            async with web.get(address, headers=from_somewhere(next(numbers))) as answer:
                await answer.read()
                came["picture", answer.status] += 1

    playing = [asyncio.create_task(table.play(len(table.moves), 0.25, rng)) for table in tables]
    async with stalls(web, host.port) as usual:
        await asyncio.sleep(seconds / 3)
    ends = time.monotonic() + seconds
    async with stalls(web, host.port) as late:
        await asyncio.gather(*(guess() for _ in range(GUESSERS)), *(look() for _ in range(VIEWERS)))
    for table in tables:
        table.leave()
    await asyncio.gather(*playing)
    worst = longest(late)
    assert worst <= longest(usual) + MAX_MS
    assert came["password", 403] >= seconds
    assert came["picture", 200] >= seconds
    counted("passwords", came["password", 403])
    counted("pictures", came["picture", 200])
    counted("half-moves", sum(len(table.followed) for table in tables))
    counted(f"waits, {worst} ms late at the 99.9th percentile, {longest(usual)} ms with games alone", len(late))
