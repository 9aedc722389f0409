"""A game of which one player never opens the site: they play by mail, through a real postfix, against a browser."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.support.free_port import free_port
from tests.support.mail.mail_programs import answer_by_mutt, answer_by_swaks, needs_mail_programs
from tests.support.mail.mail_server import mail_server, text_of
from tests.support.mail.postfix import needs_postfix, postfix
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import register, token_of
from tests.support.web.in_process import InProcess

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    needs_postfix,
    needs_mail_programs,
]

DOMAIN = "play.chess.test"
ANNA = "anna@players.test"
DAYS = {"kind": "correspondence", "days": 3}
START = "9k/10/1p8/4P5/10/10/10/10/5K4/R6R2 w - - 0 1"
"""White may take a long time to find the right rook, and has a pawn that is about to promote."""


@pytest_asyncio.fixture(loop_scope="session")
async def mailbox():
    """The players' mail server."""
    async with mail_server() as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def lmtp_port():
    return free_port()


@pytest_asyncio.fixture(loop_scope="session")
async def mta(mailbox, lmtp_port):
    """The host's mail server, set up as docs/mail.md says."""
    places = {"mailboxes": mailbox.port, "lmtp_port": lmtp_port, "domain": DOMAIN, "players_domain": "players.test"}
    async with postfix(**places) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def host(tmp_path, monkeypatch, mta, lmtp_port):
    mail = {"smtp_url": mta.url, "mail_from": f"games@{DOMAIN}", "mail_lmtp_port": lmtp_port}
    async with InProcess(tmp_path, monkeypatch, **mail) as site:
        yield site


async def newest(mailbox, words):
    """Anna's newest mail, as soon as it says that."""

    def said():
        mails = mailbox.to(ANNA)
        return bool(mails) and words in text_of(mails[-1])

    await mailbox.until(said)
    return mailbox.to(ANNA)[-1]


async def test_a_game_of_grand_chess_through_postfix(off_screen, seat, mailbox, mta, tmp_path):
    anna, ben, board = await off_screen(), await off_screen(), await seat()
    await told_by_mail(anna, mailbox, "Anna", ANNA)
    await register(ben, "Ben")
    await board.context.add_cookies([{"name": "sid", "value": token_of(ben), "url": board.site}])
    game = await ben.challenge(variant="grand", color="black", clock=DAYS, to="Anna", fen=START)
    await board.page.goto(f"{board.site}/{game['id']}")

    async def mutt(mail, text, to=None):
        code, said = await answer_by_mutt(tmp_path, mta.port, ANNA, mail, text, to)
        assert code == 0, said

    code, said = await answer_by_swaks(mta.port, ANNA, await newest(mailbox, "challenges you"), "accept")
    assert code == 0, said
    begun = await newest(mailbox, "the game has begun")
    await mutt(begun, "Rd1")
    await newest(mailbox, "Rad1")
    await mutt(begun, "Rad1\nif b7 then e8=Q")
    await board.sees("Rad1")
    await newest(mailbox, "You have played Rad1.")
    await mutt(begun, "help")
    helped = await newest(mailbox, f"@{DOMAIN}")
    personal = re.search(rf"me\+\S+@{DOMAIN}", text_of(helped))[0]
    await mutt(helped, f"vacation until {datetime.now(UTC).date() + timedelta(days=3)}", personal)
    await expect(board.page.locator("#offers")).to_contain_text("Anna is away until")
    await mutt(helped, "vacation off", personal)
    await expect(board.page.locator("#offers")).not_to_contain_text("away")
    await board.write("b7")
    await board.confirm()
    await board.sees("Rad1", "b7", "e8=Q")
    await board.write("Kj9")
    await board.confirm()
    await mutt(await newest(mailbox, "Kj9"), "Kg3\ndraw")
    await board.sees("Rad1", "b7", "e8=Q", "Kj9", "Kg3")
    await board.accept()
    await newest(mailbox, "agreed")


async def test_postfix_refuses_what_the_site_does_not_know(off_screen, mailbox, mta):
    anna, ben = await off_screen(), await off_screen()
    await told_by_mail(anna, mailbox, "Anna", ANNA)
    await register(ben, "Ben")
    await ben.challenge(variant="grand", color="black", clock=DAYS, to="Anna")
    asked = await mailbox.mail_to(ANNA, 0)
    for address, refusal in (
        (f"play+rubbish@{DOMAIN}", " 550 "),
        (f"root@{DOMAIN}", " 550 "),
        ("somebody@elsewhere.test", "Relay access denied"),
    ):
        code, said = await answer_by_swaks(mta.port, ANNA, asked, "accept", to=address)
        assert code != 0
        assert refusal in said
    assert len(mailbox.to(ANNA)) == 1


async def test_the_link_to_a_game_is_sent_to_a_friend(off_screen, seat, mailbox, mta):
    anna, player = await off_screen(), await seat()
    await told_by_mail(anna, mailbox, "Anna", ANNA)
    await player.context.add_cookies([{"name": "sid", "value": token_of(anna), "url": player.site}])
    link = await player.challenge("grand")
    page = player.page
    await page.reload()
    await page.fill("#mail-link input", "not-there@")
    await page.keyboard.press("Enter")
    await expect(page.locator("#mail-link-status")).to_be_empty()
    await page.fill("#mail-link input", "friend@players.test")
    await page.keyboard.press("Enter")
    await expect(page.locator("#mail-link-status")).to_have_text("Sent to friend@players.test.")
    mail = await mailbox.mail_to("friend@players.test", 0)
    assert link.partition("#")[2] in text_of(mail)
