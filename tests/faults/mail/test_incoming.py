"""The server is killed while replies are handed over: what it has taken is played, and each move once."""

import asyncio
import smtplib

import pytest

from tests.support.free_port import free_port
from tests.support.mail.handing_over import reply
from tests.support.mail.mail_server import mail_server
from tests.support.mail.told import told_by_mail
from tests.support.web.people import Person

BOX = "anna@example.org"
DAYS = {"kind": "correspondence", "days": 3}
GAMES = 3
"""Begun for each kill; a guest may make so many at once."""
BROKEN = OSError | smtplib.SMTPException
"""What a mail server meets when the site dies."""


@pytest.fixture
async def post_office():
    async with mail_server() as server:
        yield server


async def begun(ben, anna, post_office):
    """Games in which it is Anna's turn, each with the mail that says so."""
    games = [await ben.challenge(clock=DAYS) for _ in range(GAMES)]
    for game in games:
        await anna.join(game)
        async with ben.follow(game) as socket:
            await socket.until("snapshot")
            assert (await socket.move(0, "e2e4"))["t"] == "ok"

    def told():
        # Answers to the replies in earlier games arrive meanwhile.
        mails = {mail["References"].strip("<").split("@")[0]: mail for mail in post_office.mails if mail["References"]}
        return {game["id"]: mails[game["id"]] for game in games if game["id"] in mails}

    await post_office.until(lambda: len(told()) == GAMES)
    return told()


@pytest.mark.row("M7")
@pytest.mark.killed
@pytest.mark.timeout(600)
async def test_a_reply_is_played_once_however_often_the_server_is_killed(host, post_office, rng, scale, counted):
    port = free_port()
    settings = {"SMTP_URL": post_office.url, "MAIL_FROM": "games@play.example.org", "MAIL_LMTP_PORT": str(port)}
    await host.start(**settings)
    kills, taken = scale(60), 0
    async with Person(host.site) as anna:
        await told_by_mail(anna, post_office, "Anna", BOX)
        for _ in range(kills):
            async with Person(host.site) as ben:
                mails = await begun(ben, anna, post_office)
                handing = [asyncio.create_task(reply(port, mail, "e5")) for mail in mails.values()]
                await asyncio.sleep(rng.uniform(0.0, 0.15))
                host.process.kill()
                await host.process.communicate()
                ended = await asyncio.gather(*handing, return_exceptions=True)
                assert all(isinstance(one, str | BROKEN) for one in ended), ended
                done = [isinstance(one, str) and one.startswith("250") for one in ended]
                await host.start(**settings)
                for game, was_taken in zip(mails, done, strict=True):
                    moves = (await ben.get(f"/api/games/{game}"))["moves"]
                    assert len(moves) == 2 or not was_taken, "what was taken is played"
                # A mail server hands over again what it has no answer for, and cannot know that it need not.
                for mail in mails.values():
                    assert (await reply(port, mail, "e5")).startswith("250")
                for game in mails:
                    sans = [move["san"] for move in (await ben.get(f"/api/games/{game}"))["moves"]]
                    assert sans == ["e4", "e5"]
                taken += sum(done)
    await host.stop()
    counted("kills", kills)
    counted("replies taken before a kill", taken)
