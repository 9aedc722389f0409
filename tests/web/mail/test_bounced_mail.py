"""A mail that comes back, through the port for replies: its address is given up, its owner reads so and can mend it."""

import pytest

from server.web.site import SITE
from tests.support.free_port import free_port
from tests.support.mail.bounced import report
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.handing_over import hand_over, reply
from tests.support.mail.mail_server import link_in
from tests.support.mail.told import told_at
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.in_process import default_settings

BOX = "anna@example.org"
GIVEN_UP = "to this address has been undeliverable since"


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def settings(tmp_path, monkeypatch, post_office, port):
    more = {"smtp_url": post_office.url, "mail_from": "games@chess.example.org", "mail_domain": "play.example.org"}
    return default_settings(tmp_path, monkeypatch, **more, mail_lmtp_port=port)


@pytest.fixture
async def member(anna, post_office):
    await register(anna, "Anna")
    await told_at(anna, post_office, BOX, turns="on")
    return anna


@pytest.fixture
async def path(member, ben, post_office):
    """The return path of a mail to Anna."""
    await play_alone(ben, await game_of(ben, member), "e2e4", 0)
    await post_office.delivered(1)
    ((path, _),) = post_office.envelopes
    return path


async def test_an_address_whose_mail_comes_back_is_given_up_until_it_is_confirmed_again(
    member, ben, port, path, post_office, at_rest
):
    assert path.startswith("bounce+")
    assert path.endswith("@play.example.org")
    assert (await hand_over(port, path, report(path), sender="")).startswith("250")
    assert GIVEN_UP in await page_of(member)
    await play_alone(ben, await game_of(ben, member), "e2e4", 0)
    # Neither about the game nor in answer to the report.
    assert (await at_rest(), len(post_office.mails)) == (0, 1)
    await go(member, "/account/mail", address=BOX, password=PASSWORD, turns="on")
    again = (await post_office.delivered(2))[1]
    link, token = link_in(again, "/mail/confirm").split("#")
    assert (await go(member, link, token=token))[0] == 200
    assert GIVEN_UP not in await page_of(member)
    await hand_over(port, path, report(path, mail="r2"), sender="")
    assert GIVEN_UP not in await page_of(member)


async def test_a_delay_is_no_reason_to_give_an_address_up(member, port, path):
    said = report(path, status="4.2.2", action="delayed")
    assert (await hand_over(port, path, said, sender="")).startswith("250")
    assert GIVEN_UP not in await page_of(member)


async def test_nobody_can_make_up_the_address_of_a_report(member, port, path):
    forged = ("c" if path[20] != "c" else "d").join((path[:20], path[21:]))
    assert (await hand_over(port, forged, report(forged), sender="")).startswith("550")
    assert GIVEN_UP not in await page_of(member)


async def test_a_flood_of_reports_keeps_no_reply_waiting(member, server, port, path, post_office):
    limits, later = server.app[SITE].limits, server.app[SITE].now() + 1_000_000
    limits.bounces_in_all.force("", later, limits.bounces_in_all.amount)
    assert (await hand_over(port, path, report(path), sender="")).startswith("451")
    assert (await reply(port, post_office.mails[0], "e5")).startswith("250")
    limits.replies_in_all.force("", later, limits.replies_in_all.amount)
    assert (await reply(port, post_office.mails[0], "show")).startswith("451")


async def test_whoever_has_one_mail_of_ours_cannot_use_up_what_all_may_report(member, server, port, path):
    limits = server.app[SITE].limits
    limits.bounces_by_owner.amount, limits.bounces_in_all.amount = 2, 3
    heard = [await hand_over(port, path, report(path), sender="") for _ in range(4)]
    assert [answer[:3] for answer in heard] == ["250", "250", "451", "451"]
    assert not limits.bounces_in_all.wait("", server.app[SITE].now())


async def test_commands_that_are_sent_there_do_nothing_and_are_not_answered(member, port, path, post_office, at_rest):
    assert (await hand_over(port, path, b"From: a@b.example\r\n\r\ne5\r\n")).startswith("250")
    assert (await at_rest(), len(post_office.mails)) == (0, 1)
