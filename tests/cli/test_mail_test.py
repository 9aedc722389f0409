"""`fairyhouse mail test` sends a mail through the mail server of the settings, and says what comes of it."""

import asyncio

import pytest

from server.cli.admin import send_test_mail
from server.cli.site_access import CommandRefused
from server.settings import Settings
from tests.support.free_port import free_port
from tests.support.mail.mail_server import mail_server


def with_mail(url):
    return Settings(smtp_url=url, mail_from="games@example.org")


async def test_a_mail_server_that_takes_mail_is_told_of(capsys):
    async with mail_server() as server:
        await asyncio.to_thread(send_test_mail, with_mail(server.url), "anna@example.net")
        (mail,) = server.mails
    assert "taken the mail to anna@example.net" in capsys.readouterr().err
    assert mail["To"] == "anna@example.net"
    assert mail["From"] == "games@example.org"
    assert "fairyhouse mail test" in mail.get_content()


@pytest.mark.parametrize(
    ("settings", "address", "why"),
    [
        (Settings(), "anna@example.net", "No mail server is set"),
        (with_mail("smtp://localhost:1"), "anna", "anna cannot be used: give an address"),
        (with_mail(f"smtp://127.0.0.1:{free_port()}"), "anna@example.net", "cannot be reached"),
    ],
)
def test_what_stands_in_the_way_is_said(settings, address, why):
    with pytest.raises(CommandRefused, match=why):
        send_test_mail(settings, address)
