"""A mail server in the process of the tests: real SMTP by aiosmtpd, which keeps what it takes and refuses when told to.

As it runs on the tests' own loop, a test sees a mail as soon as the site has got the answer for it.
"""

import asyncio
import email
import email.policy
import re
import warnings
from contextlib import asynccontextmanager

from aiosmtpd.smtp import SMTP, AuthResult

from tests.support.patience import PATIENCE_S


class MailServer:
    """`answers`: what RCPT gets, by address; `at_data`: what the end of a mail gets. Without them it takes all.

    `hold`: an event that it waits for before it takes a mail, as `holding` tells. `accounts`: passwords
    by name, if it asks for them; `sign_ins`: those it was given.
    """

    def __init__(self):
        self.port = 0
        self.mails = []
        self.taken = set()
        self.envelopes = []
        self.answers = {}
        self.at_data = None
        self.hold = None
        self.holding = asyncio.Event()
        self.connections = 0
        self.accounts = {}
        self.sign_ins = []
        self._server = None
        self._transports = set()
        self._arrived = asyncio.Condition()

    async def start(self, **tls):
        loop = asyncio.get_running_loop()
        secured = {} if "ssl" in tls else tls
        self._server = await loop.create_server(
            lambda: self._protocol(secured), "127.0.0.1", self.port, ssl=tls.get("ssl")
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def _protocol(self, secured):
        self.connections += 1
        asked = {"authenticator": self._sign_in, "auth_required": True} if self.accounts else {}
        asked |= {"auth_require_tls": False} if self.accounts and not secured else {}
        with warnings.catch_warnings():
            # It warns of passwords in the clear, which are what a test may be about.
            warnings.simplefilter("ignore")
            protocol = SMTP(self, hostname="mail.test", loop=asyncio.get_running_loop(), **secured, **asked)
        made = protocol.connection_made

        def note(transport):
            self._transports.add(transport)
            made(transport)

        protocol.connection_made = note
        return protocol

    def _sign_in(self, _server, _session, _envelope, _mechanism, given):
        self.sign_ins.append(given)
        right = self.accounts.get(given.login.decode()) == given.password.decode()
        return AuthResult(success=right, handled=False)

    async def stop(self):
        """Gone, as when the machine is switched off."""
        if self._server is not None:
            self._server.close()
            for transport in self._transports:
                transport.abort()
            self._transports.clear()
            self._server = None

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        answer = self.answers.get(address, "250 OK")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server, _session, envelope):
        if self.hold is not None:
            self.holding.set()
            await self.hold.wait()
        if self.at_data:
            return self.at_data
        self.envelopes.append((envelope.mail_from, tuple(envelope.rcpt_tos)))
        self.mails.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        self.taken.add(self.mails[-1]["Message-ID"])
        async with self._arrived:
            self._arrived.notify_all()
        return "250 taken"

    async def until(self, enough, seconds=PATIENCE_S):
        """Returns when it has taken enough."""
        async with asyncio.timeout(seconds), self._arrived:
            await self._arrived.wait_for(enough)

    async def delivered(self, number):
        """All mails, once there are that many."""
        await self.until(lambda: len(self.mails) >= number)
        assert len(self.mails) == number, [mail["Subject"] for mail in self.mails]
        return self.mails

    async def mail_to(self, address, number):
        """The mail of that number (from 0) in the mailbox of `address`, once it is there."""
        async with asyncio.timeout(PATIENCE_S), self._arrived:
            await self._arrived.wait_for(lambda: len(self.to(address)) > number)
        return self.to(address)[number]

    def to(self, address):
        """The mails in the mailbox of `address`, oldest first."""
        return [mail for mail, (_, boxes) in zip(self.mails, self.envelopes, strict=True) if address in boxes]


@asynccontextmanager
async def mail_server(**tls):
    server = MailServer()
    await server.start(**tls)
    try:
        yield server
    finally:
        await server.stop()


def text_of(mail):
    """What a plain mail program shows below the head that all mails have."""
    head, below = re.split(r"\r?\n\r?\n", mail.get_body(("plain",)).get_content(), maxsplit=1)
    assert head.startswith("Fairyhouse ·")
    return below


def link_in(mail, path):
    """The link to that page: its path with everything behind it."""
    return re.search(rf"https?://[^/\s]+({re.escape(path)}\S*)", text_of(mail))[1]
