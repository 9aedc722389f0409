"""Takes mail from the host's mail server: LMTP (RFC 2033) on the loopback address. The only module that knows aiosmtpd.

A mail has one recipient, so that each gets its own answer; the mail server sends the same mail again for the next. A
recipient that is not ours is refused before the mail is sent. The number and duration of connections, the commands on
each and the size of a mail are all bounded.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Protocol, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from aiosmtpd.smtp import log as conversation_log

from server.mail.inbound.replies import SmtpStatus
from server.realtime.runtime.background import Background

log = logging.getLogger(__name__)

CONNECTIONS: Final = 20
CONNECTION_S: Final = 60.0
"""How long one command may take, with everything that belongs to it."""
COMMANDS: Final = 1_000
"""Commands of one kind on one connection; a mail server with more to deliver connects again."""
MAX_BYTES: Final = 1_048_576
"""Of a mail, so that reports about mails of ours, which have them inside, are not refused."""
END: Final = b"\r\n.\r\n"
NULL_PATH: Final = "<>"
TOO_MANY_CONNECTIONS: Final = b"421 4.3.2 Too many connections; try again later\r\n"
ONE_RECIPIENT: Final = "452 4.5.3 One recipient at a time"
FAILED: Final = "451 4.3.0 The site failed; try again later"


class Inbox(Protocol):
    """What the mails are for."""

    def knows_address(self, address: str) -> bool:
        """Has this site ever given out that address?"""

    async def take_mail(self, address: str, sender: str, content: bytes) -> SmtpStatus:
        """Does what a mail to `address` asks for; `sender`: its return path, "" for one that must not be answered."""


@asynccontextmanager
async def lmtp_port(inbox: Inbox, background: Background, domain: str, host: str, port: int) -> AsyncIterator[None]:
    """Takes mail at `port` of `host` while the block runs; `background` finishes what is under way.

    Raises OSError if the port cannot be used.
    """
    # It logs every line of a conversation, addresses included.
    conversation_log.setLevel(logging.CRITICAL)
    loop, handler = asyncio.get_running_loop(), _Handler(inbox, background)
    open_connections: set[_Connection] = set()
    server = await loop.create_server(lambda: _Connection(handler, domain, open_connections), host, port)
    try:
        yield
    finally:
        server.close()
        for connection in tuple(open_connections):
            connection.abort()
        await server.wait_closed()


class _Connection(LMTP):
    """A connection of the mail server. There are at most CONNECTIONS in `others`, itself included."""

    def __init__(self, handler: "_Handler", domain: str, others: set["_Connection"]) -> None:
        super().__init__(
            handler,
            data_size_limit=MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="LMTP",
            timeout=CONNECTION_S,
            command_call_limit=COMMANDS,
            loop=asyncio.get_running_loop(),
        )
        self._handler = handler
        self._others = others
        self._arriving: _ArrivingMail | None = None
        """The mail that follows DATA."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if len(self._others) >= CONNECTIONS:
            # Not every event loop derives its transports from asyncio's.
            cast(asyncio.Transport, transport).write(TOO_MANY_CONNECTIONS)
            transport.close()
            return
        self._others.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._others:
            self._others.discard(self)
            super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if self not in self._others:
            return
        if self._arriving is not None:
            if (rest := self._arriving.take_bytes(data)) is None:
                return
            self._arriving, data = None, rest
        if data:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self in self._others else None

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Takes the mail in pieces: many short lines, read one by one as the library does, would hold up all games."""
        if arg or self.session is None or not self.session.host_name:
            await self.push("501 Syntax: DATA" if arg else "503 Error: send LHLO first")
            return
        if self.envelope is None or not self.envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
            return
        self._arriving = _ArrivingMail()
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        content = await self._arriving.content
        envelope, self.envelope = self.envelope, Envelope()
        if content is None:
            await self.push(SmtpStatus.TOO_LARGE)
            return
        envelope.content = envelope.original_content = content
        await self.push(await self._handler.handle_DATA(self, self.session, envelope))

    def abort(self) -> None:
        """Closes it without another word."""
        if self.transport is not None:
            cast(asyncio.Transport, self.transport).abort()


class _ArrivingMail:
    """The bytes between DATA and the line with a single dot. No more than MAX_BYTES of them are held."""

    def __init__(self) -> None:
        self.content: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        """The mail without its doubled dots; None: it is too large."""
        self._bytes = bytearray(b"\r\n")
        self._too_large = False

    def take_bytes(self, data: bytes) -> bytes | None:
        """What came after the end of the mail, which belongs to the next command; None while the end has not come."""
        begin = max(0, len(self._bytes) - len(END) + 1)
        self._bytes += data
        end = self._bytes.find(END, begin)
        if end < 0:
            if len(self._bytes) > MAX_BYTES:
                self._too_large = True
                del self._bytes[: -len(END)]
            return None
        too_large = self._too_large or end > MAX_BYTES
        if not self.content.done():
            mail = None if too_large else bytes(self._bytes[: end + 2]).replace(b"\r\n.", b"\r\n")[2:]
            self.content.set_result(mail)
        return bytes(self._bytes[end + len(END) :])


class _Handler:
    """What aiosmtpd calls, by these names; each returns the answer to the mail server."""

    def __init__(self, inbox: Inbox, background: Background) -> None:
        self._inbox = inbox
        self._background = background

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        # The library takes an empty return path for a missing one.
        envelope.mail_from = address or NULL_PATH
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if envelope.rcpt_tos:
            return ONE_RECIPIENT
        if not self._inbox.knows_address(address):
            return SmtpStatus.UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.original_content
        sender = "" if envelope.mail_from in (None, NULL_PATH) else str(envelope.mail_from)
        taken: asyncio.Future[SmtpStatus] = asyncio.get_running_loop().create_future()
        # What has begun is finished, also if the connection breaks meanwhile.
        self._background.spawn(self._take(envelope.rcpt_tos[0], sender, content or b"", taken))
        return await asyncio.shield(taken)

    async def _take(self, address: str, sender: str, content: bytes, taken: "asyncio.Future[SmtpStatus]") -> None:
        try:
            status = await self._inbox.take_mail(address, sender, content)
        except Exception:
            log.exception("a mail could not be taken")
            status = SmtpStatus.LATER
        if not taken.done():
            taken.set_result(status)

    async def handle_exception(self, error: Exception) -> str:
        log.error("a conversation with the mail server failed", exc_info=error)
        return FAILED
