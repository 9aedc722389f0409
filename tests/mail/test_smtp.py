"""The way to the host's mail server: in the clear, by STARTTLS or TLS, with a password that appears nowhere."""

import logging
import ssl

import pytest

from server.mail.delivery import DeliveryOutcome, ServerAway
from server.mail.smtp import SmtpServer
from tests.support.certificates import certificate
from tests.support.mail.mail_server import mail_server

SENDER, BOX = "games@chess.example.org", "anna@example.org"
TEXT = "Subject: Hello\r\n\r\n.\r\nQUIT\r\n"


@pytest.fixture
def tls(tmp_path):
    """What a server with a certificate has, and what trusts it."""
    cert, key = certificate(tmp_path)
    inside = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    inside.load_cert_chain(cert, key)
    return inside, ssl.create_default_context(cafile=cert)


async def deliver(url, trust=None):
    async with SmtpServer(url, SENDER, "chess.example.org", trust).connect() as deliver:
        return await deliver(BOX, "", TEXT)


async def test_a_lone_dot_does_not_end_a_mail(post_office):
    assert await deliver(post_office.url) is DeliveryOutcome.TAKEN
    (mail,) = post_office.mails
    assert mail.get_content().split() == [".", "QUIT"]


async def test_by_starttls_with_a_password(tls):
    inside, trust = tls
    async with mail_server(tls_context=inside, require_starttls=True) as server:
        server.accounts["chess@host"] = "p@ss/word"
        way = f"smtp+starttls://chess%40host:p%40ss%2Fword@127.0.0.1:{server.port}"
        assert await deliver(way, trust) is DeliveryOutcome.TAKEN


async def test_by_tls_from_the_first_byte(tls):
    inside, trust = tls
    async with mail_server(ssl=inside) as server:
        assert await deliver(f"smtps://127.0.0.1:{server.port}", trust) is DeliveryOutcome.TAKEN


@pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
async def test_a_server_that_cannot_prove_its_name_gets_no_password(tls, scheme):
    inside, _ = tls
    how = {"ssl": inside} if scheme == "smtps" else {"tls_context": inside}
    async with mail_server(**how) as server:
        server.accounts["user"] = "secret"
        with pytest.raises(ServerAway):
            await deliver(f"{scheme}://user:secret@127.0.0.1:{server.port}")
        assert (server.mails, server.sign_ins) == ([], [])


async def test_starttls_is_not_optional(post_office):
    post_office.accounts["user"] = "secret"
    with pytest.raises(ServerAway):
        await deliver(f"smtp+starttls://user:secret@127.0.0.1:{post_office.port}")
    assert (post_office.mails, post_office.sign_ins) == ([], [])


async def test_a_wrong_password_is_the_hosts_to_mend_and_is_not_repeated(post_office, caplog):
    caplog.set_level(logging.DEBUG)
    post_office.accounts["chess"] = "right"
    with pytest.raises(ServerAway) as refused:
        await deliver(f"smtp://chess:hunter2secret@127.0.0.1:{post_office.port}")
    assert "535" in str(refused.value)
    assert "hunter2secret" not in str(refused.value) + caplog.text


async def test_a_server_that_hangs_up_in_the_middle_is_away(post_office):
    post_office.at_data = "421 4.3.2 Going down"
    with pytest.raises(ServerAway):
        await deliver(post_office.url)
