"""The server is killed between a move or a message and what is pushed of it at once: everything is pushed, once more
rather than never.
"""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing

import aiohttp
import pytest

from tests.support.web.people import Person
from tests.support.web.push_service import CONTACT, Browser, new_host_key, serving

DAYS = {"kind": "correspondence", "days": 3}
GAMES = 3
"""Begun for each kill; a guest may make so many at once."""
BROKEN = (aiohttp.ClientError, ConnectionError, AssertionError, TimeoutError)
"""What a page meets whose server dies."""
WAY_THERE = """
import ssl
from aiohttp.abc import AbstractResolver
from server.web.notifications import web_push

class Here(AbstractResolver):
    async def resolve(self, host, port=0, family=0):
        return [dict(hostname=host, host="127.0.0.1", port={port}, family=2, proto=6, flags=0)]

    async def close(self):
        pass

whole = web_push.open_session
web_push.open_session = lambda: whole(Here(), ssl.create_default_context(cafile={trusted!r}))
"""
"""Python runs it first in the server's process, which else connects to public addresses only."""


@pytest.fixture
async def push_service(host, tmp_path):
    """A push service on this machine, and the settings of a server that reaches it."""
    async with serving(tmp_path) as (service, resolver, trusted):
        folder = tmp_path / "first"
        folder.mkdir()
        text = WAY_THERE.format(port=resolver.port, trusted=str(trusted))
        (folder / "sitecustomize.py").write_text(text)
        settings = {"VAPID_PRIVATE_KEY": new_host_key(), "VAPID_CONTACT": CONTACT, "PYTHONPATH": str(folder)}
        yield service, settings


async def move(socket):
    return await socket.move(0, "e2e4")


async def write(socket):
    return await socket.command(t="chat", text="Hello")


async def act_and_leave(person, game, act, path, acted):
    """Moves or writes, and notes who is to be told if that was acknowledged before the server died."""
    async with person.follow(game) as socket:
        await socket.until("snapshot")
        assert (await act(socket))["t"] == "ok"
        acted.add(path)


async def killed_meanwhile(host, browsers, act, acted, rng):
    """Somebody moves or writes in GAMES new games against as many others, while the server is killed."""
    async with AsyncExitStack() as opened:
        ben = await opened.enter_async_context(Person(host.site))
        playing = []
        for _ in range(GAMES):
            other = await opened.enter_async_context(Person(host.site))
            game = await ben.challenge(clock=DAYS)
            await other.join(game)
            path = f"/{game['id']}"
            browsers[path] = Browser(path)
            await other.post("/api/push", 201, **browsers[path].subscription)
            playing.append(act_and_leave(ben, game, act, path, acted))
        tasks = [asyncio.create_task(one) for one in playing]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(rng.uniform(0, 0.1))
        host.process.kill()
        await host.process.communicate()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(one is None or isinstance(one, BROKEN) for one in ended), ended


def make_due(host):
    """What a killed server had begun is due at the next start: the stored time is moved instead of waiting."""
    with closing(sqlite3.connect(host.folder / "data" / "fairyhouse.sqlite3")) as connection, connection:
        connection.execute("UPDATE held SET due = 0")


@pytest.mark.row("M1")
@pytest.mark.killed
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("act", "says"), [(move, "your move"), (write, "has written to you")])
async def test_every_turn_and_message_is_pushed_however_often_the_server_is_killed(
    host, push_service, rng, scale, within, counted, act, says
):
    service, settings = push_service
    await host.start(**settings)
    acted, browsers, kills = set(), {}, scale(60)

    def told():
        return {path for path, _, body in service.got if says in browsers[path].read(body)["title"]}

    for kill in range(kills):
        await killed_meanwhile(host, browsers, act, acted, rng)
        if kill == kills - 1:
            make_due(host)
        await host.start(**settings)
    async with asyncio.timeout(within(30)):
        while not acted <= told():  # noqa: ASYNC110 - nothing tells when a request has come so far
            await asyncio.sleep(0.05)
    await host.stop()
    assert acted
    counted("kills", kills)
    counted("acknowledged", len(acted))
    counted("pushed again", len(service.got) - len({path for path, _, _ in service.got}))
