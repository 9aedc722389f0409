"""The server is killed between moves and their mail: every turn is told, once more rather than never."""

import asyncio
import sqlite3
from contextlib import closing

import aiohttp
import pytest

from server.web.notifications.digests import SHOWN
from tests.support.mail.mail_server import mail_server, text_of
from tests.support.mail.told import told_at, told_by_mail
from tests.support.web.accounts import register
from tests.support.web.people import Person

BOX = "anna@example.org"
DAYS = {"kind": "correspondence", "days": 3}
GAMES = 3
"""Begun for each kill; a guest may make so many at once."""


@pytest.fixture
async def post_office():
    async with mail_server() as server:
        yield server


async def play_and_leave(person, game, moved):
    """Plays the first move, and notes the game if that was acknowledged before the server died."""
    async with person.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.move(0, "e2e4"))["t"] == "ok"
        moved.add(game["id"])


def mailed(post_office):
    """The games that mails about turns are about."""
    return {mail["Message-ID"].strip("<").split(".")[0] for mail in post_office.mails if mail["References"]}


def make_due(host):
    """What the killed servers had claimed is due at the next start.

    A claimed mail is tried again minutes later. That says only when: the stored time is moved instead of waiting.
    """
    with closing(sqlite3.connect(host.folder / "data" / "fairyhouse.sqlite3")) as connection, connection:
        connection.execute("UPDATE outbox SET next_try = 0 WHERE tries > 0")


async def killed_while_playing(host, anna, moved, rng):
    """Somebody plays the first move of GAMES new games against Anna, while the server is killed."""
    async with Person(host.site) as ben:
        games = [await ben.challenge(clock=DAYS) for _ in range(GAMES)]
        for game in games:
            await anna.join(game)
        playing = [asyncio.create_task(play_and_leave(ben, game, moved)) for game in games]
        await asyncio.sleep(rng.uniform(0.01, 0.15))
        host.process.kill()
        await host.process.communicate()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        assert all(one is None or isinstance(one, BROKEN) for one in ended), ended


@pytest.mark.row("M1")
@pytest.mark.killed
@pytest.mark.timeout(600)
async def test_every_turn_is_mailed_however_often_the_server_is_killed(host, post_office, rng, scale, counted):
    settings = {"SMTP_URL": post_office.url, "MAIL_FROM": "games@chess.example.org"}
    await host.start(**settings)
    moved, kills = set(), scale(60)
    async with Person(host.site) as anna:
        await told_by_mail(anna, post_office, "Anna", BOX)
        for kill in range(kills):
            await killed_while_playing(host, anna, moved, rng)
            if kill == kills - 1:
                make_due(host)
            await host.start(**settings)
        await post_office.until(lambda: moved <= mailed(post_office), 30)
    await host.stop()
    ids = [mail["Message-ID"] for mail in post_office.mails if mail["References"]]
    assert len(set(ids)) == len(mailed(post_office)), "one id for each turn"
    assert moved
    counted("kills", kills)
    counted("acknowledged moves", len(moved))
    counted("mails sent again", len(ids) - len(set(ids)))


BROKEN = (aiohttp.ClientError, ConnectionError, AssertionError, TimeoutError)
"""What a page meets whose server dies."""


def make_held_due(host):
    """What is to be told at the next full hour is told at the next start."""
    with closing(sqlite3.connect(host.folder / "data" / "fairyhouse.sqlite3")) as connection, connection:
        connection.execute("UPDATE held SET due = 0")


@pytest.mark.row("M1")
@pytest.mark.killed
@pytest.mark.timeout(600)
async def test_every_turn_that_is_told_later_is_told_however_often_the_server_is_killed(
    host, post_office, rng, scale, counted
):
    settings = {"SMTP_URL": post_office.url, "MAIL_FROM": "games@chess.example.org"}
    await host.start(**settings)
    moved, kills = set(), min(SHOWN // GAMES, scale(60))

    def told():
        return {game for game in moved if any(f"/{game}" in text_of(mail) for mail in post_office.mails)}

    async with Person(host.site) as anna:
        await register(anna, "Anna")
        await told_at(anna, post_office, BOX, turns="hourly")
        for kill in range(kills):
            await killed_while_playing(host, anna, moved, rng)
            if kill == kills - 1:
                # Another start tells what this one was killed before it had held.
                await host.start(**settings)
                await host.stop()
                make_held_due(host)
            await host.start(**settings)
        await post_office.until(lambda: told() == moved, 30)
    await host.stop()
    assert moved
    counted("kills", kills)
    counted("acknowledged moves", len(moved))
    counted("mails", len(post_office.mails))
