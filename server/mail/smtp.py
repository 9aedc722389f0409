"""Hands mail to the host's mail server by SMTP. The only module that knows aiosmtplib."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ssl import SSLContext
from typing import Final
from urllib.parse import unquote, urlsplit

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from server.mail.delivery import Deliver, DeliveryOutcome, ServerAway

PORTS: Final = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
PATIENCE_S: Final = 20.0
"""For each answer of the server, of which a mail needs five."""
CLOSING: Final = 421
NOT_ALLOWED: Final = re.compile(r"5\.7\.")
"""The enhanced code (RFC 3463) of a refusal that concerns the sender, such as a relay that does not know this host."""

NO_MAILBOX: Final = re.compile(r"5\.1\.1\b")


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The server at `url`, as the settings allow it. `sender`: the mailbox in the envelope of mails without a return
    path of their own; `name`: how we greet.

    `trust`: tests bring certificates of their own.
    """

    url: str
    sender: str
    name: str
    trust: SSLContext | None = None

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Deliver]:
        """A `Connect`."""
        parts = urlsplit(self.url)
        client = SMTP(
            hostname=parts.hostname,
            port=parts.port or PORTS[parts.scheme],
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            use_tls=parts.scheme == "smtps",
            start_tls=parts.scheme == "smtp+starttls",
            tls_context=self.trust,
            local_hostname=self.name,
            timeout=PATIENCE_S,
        )

        async def deliver(address: str, return_path: str, message: str) -> DeliveryOutcome:
            return await self._deliver(client, address, return_path or self.sender, message)

        try:
            await client.connect()
        except (SMTPException, OSError, ValueError) as error:
            raise _away(error) from None
        try:
            yield deliver
            with suppress(SMTPException, OSError):
                await client.quit()
        finally:
            client.close()

    async def _deliver(self, client: SMTP, address: str, return_path: str, message: str) -> DeliveryOutcome:
        """Raises ServerAway."""
        try:
            await client.sendmail(return_path, [address], message)
        except SMTPRecipientsRefused as refused:
            return outcome_of(refused.recipients[0])
        except SMTPDataError as refused:
            return outcome_of(refused)
        except (SMTPException, OSError) as error:
            raise _away(error) from None
        return DeliveryOutcome.TAKEN


def outcome_of(refused: SMTPResponseException) -> DeliveryOutcome:
    """What a refusal of one mail means. Raises ServerAway."""
    if refused.code == CLOSING:
        raise _away(refused)
    if refused.code < 500 or refused.code == 530 or NOT_ALLOWED.match(refused.message):
        return DeliveryOutcome.LATER
    return DeliveryOutcome.NO_MAILBOX if NO_MAILBOX.match(refused.message) else DeliveryOutcome.REFUSED


def _away(error: Exception) -> ServerAway:
    """Without the answer to a sign-in, in which a server may repeat the name and the password."""
    code = f" {error.code}" if isinstance(error, SMTPResponseException) else ""
    return ServerAway(f"{type(error).__name__}{code}")
