"""Takes what other mail servers say of mails of ours that they could not deliver (RFC 3464), and answers none of it.

Only the address that it is sent to (`return_path`) says which mail it is about; what is said of recipients proves
nothing. Whatever is no such report, or says that a mail is late or was delivered, changes nothing.
"""

import logging
import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from typing import Final

from server.mail.failures import after_failure
from server.mail.inbound.addresses.return_path import ReturnPaths
from server.mail.inbound.reading.received_mail import UnreadableMail, parsed, value_of
from server.mail.inbound.status import Limit, SmtpStatus
from server.mail.inbound.worker import MailWorker
from server.realtime.play.command_queue import Busy
from server.storage.errors import Unavailable
from server.storage.tables.addresses import AddressStore

log = logging.getLogger(__name__)

FAILED: Final = "failed"
PERMANENT: Final = re.compile(r"5\.\d{1,3}\.\d{1,3}\b")
NO_MAILBOX: Final = "5.1.1"


class Bounces:
    """`here` limits how many are looked into."""

    def __init__(self, paths: ReturnPaths, addresses: AddressStore, worker: MailWorker, here: Limit) -> None:
        self._paths = paths
        self._addresses = addresses
        self._worker = worker
        self._here = here

    def knows(self, address: str) -> bool:
        """Has this site ever given out that address?"""
        return self._paths.knows(address)

    async def take(self, address: str, content: bytes, now: int) -> SmtpStatus:
        """Notes at `now` (ms) what a mail to `address` says. What says nothing is taken, too: nobody wants it back."""
        token = self._paths.read(address)
        if token is None:
            return SmtpStatus.DONE
        if self._here.take("", now):
            return SmtpStatus.TOO_MANY
        try:
            code = await self._worker.run(lambda: failure_in(content))
            if code is None:
                return SmtpStatus.DONE
            for one in await self._addresses.of(token.owner):
                if token.is_of(one):
                    after = after_failure(one, token.mail, now, no_mailbox=code == NO_MAILBOX)
                    await self._addresses.update(one, after)
        except UnreadableMail as error:
            log.info("a report about a mail cannot be read: %s", error)
        except (Busy, Unavailable, TimeoutError) as error:
            log.info("a report about a mail has to wait: %s", error)
            return SmtpStatus.LATER
        return SmtpStatus.DONE


def failure_in(content: bytes) -> str | None:
    """The status (RFC 3463) with which a mail failed for good, as a report says; None if it says nothing of the kind.

    Raises UnreadableMail.
    """
    return parsed(content, _failure)


def _failure(mail: EmailMessage) -> str | None:
    if not value_of(mail, "Content-Type").strip().lower().startswith("multipart/report"):
        return None
    codes = [
        found[0]
        for part in mail.walk()
        if part.get_content_type() == "message/delivery-status"
        for recipient in _blocks(part)
        if value_of(recipient, "Action").strip().lower() == FAILED
        and (found := PERMANENT.match(value_of(recipient, "Status").strip()))
    ]
    return NO_MAILBOX if NO_MAILBOX in codes else next(iter(codes), None)


def _blocks(part: Message) -> Iterator[Message]:
    """What a report says of each recipient, and of the mail."""
    blocks = part.get_payload()
    if isinstance(blocks, list):
        yield from (block for block in blocks if isinstance(block, Message))
