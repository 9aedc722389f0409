"""The address at which somebody writes to the site itself: me+TOKEN@domain, one for each of their mail addresses.

What is sent there is believed to come from them, as only they have been told of it. So the token is signed, names the
account, and is bound to the mail address that it was made for: it is of no use once that is removed, and whoever adds
the same again gets another.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from server.mail.inbound.addresses.signed_address import SignedAddresses
from server.storage.tables.addresses import MailAddress

MAILBOX: Final = "me"
PURPOSE: Final = b"address to write to"
MARK_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class PersonalToken:
    """`name`: that of the account. `mark`: that of its mail address."""

    name: str
    mark: bytes

    def is_of(self, address: MailAddress) -> bool:
        """Was it made for that address, since it was confirmed?"""
        return address.in_effect and mark_of_confirmed(address) == self.mark


class PersonalAddresses:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with."""

    def __init__(self, domain: str, site_key: bytes) -> None:
        self._signed = SignedAddresses(MAILBOX, domain, site_key, PURPOSE)

    def write(self, name: str, address: MailAddress) -> str:
        """Where the owner of `address`, whose account is called `name`, writes to the site."""
        return self._signed.write(mark_of_confirmed(address) + name.encode())

    def read(self, address: str) -> PersonalToken | None:
        """The token that was written into that address; None if this site has never written it."""
        content = self._signed.read(address)
        if content is None:
            return None
        return PersonalToken(content[MARK_BYTES:].decode(errors="replace"), content[:MARK_BYTES])


def mark_of_confirmed(address: MailAddress) -> bytes:
    """By what a token is bound to that address, since it was confirmed."""
    written = f"{address.owner} {address.address} {address.confirmed}"
    return hashlib.sha256(written.encode()).digest()[:MARK_BYTES]
