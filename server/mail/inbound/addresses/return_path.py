"""Where the mail servers of others say that a mail could not be delivered: bounce+TOKEN@domain, for each mail another.

The token is signed, so nobody who has not got a mail of ours can say that it came back; it names the address that the
mail went to, and is of no use once that is removed or confirmed anew, or when it is too old.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.mail.inbound.addresses.personal_address import MARK_BYTES, mark_of_confirmed
from server.mail.inbound.addresses.signed_address import SignedAddresses
from server.storage.protocols.outbox import OutboxMail
from server.storage.tables.addresses import MailAddress

MAILBOX: Final = "bounce"
PURPOSE: Final = b"address for bounces"
MAIL_BYTES: Final = 3
DAY_BYTES: Final = 2
KEPT_DAYS: Final = 14
"""Mail servers try for five days, as a rule."""


@dataclass(frozen=True, slots=True)
class BounceToken:
    """`owner`: the user whose address it is. `mark`: that of the address. `mail`: that of the mail.

    `last_day`: since the epoch, the last on which it is good.
    """

    owner: str
    mark: bytes
    mail: str
    last_day: int

    def is_of(self, address: MailAddress) -> bool:
        """Was the mail sent to that address, since it was confirmed?"""
        return mark_of_confirmed(address) == self.mark


def mark_of_mail(mail_id: str) -> str:
    """By what the mails to one address are told apart."""
    return hashlib.sha256(mail_id.encode()).digest()[:MAIL_BYTES].hex()


class ReturnPaths:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with. `now` gives ms."""

    def __init__(self, domain: str, site_key: bytes, now: Callable[[], int]) -> None:
        self._signed = SignedAddresses(MAILBOX, domain, site_key, PURPOSE)
        self._now = now

    def write(self, mail: OutboxMail, to: MailAddress) -> str:
        """Where it is said that `mail` could not be delivered to `to`."""
        day = (self._now() // DAY_MS + KEPT_DAYS).to_bytes(DAY_BYTES, "big")
        marks = mark_of_confirmed(to) + bytes.fromhex(mark_of_mail(mail.id))
        return self._signed.write(marks + day + to.owner.encode())

    def knows(self, address: str) -> bool:
        """Has this site ever written it?"""
        return self._signed.read(address) is not None

    def read(self, address: str) -> BounceToken | None:
        """The token that was written into that address; None if this site has not written it, or too long ago."""
        content = self._signed.read(address)
        if content is None:
            return None
        mark, rest = content[:MARK_BYTES], content[MARK_BYTES:]
        mail, day, owner = rest[:MAIL_BYTES], rest[MAIL_BYTES:][:DAY_BYTES], rest[MAIL_BYTES + DAY_BYTES :]
        token = BounceToken(owner.decode(errors="replace"), mark, mail.hex(), int.from_bytes(day, "big"))
        return token if self._now() // DAY_MS <= token.last_day else None
