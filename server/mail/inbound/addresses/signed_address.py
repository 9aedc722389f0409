"""Addresses of this site that carry a signed text: MAILBOX+TOKEN@domain. Knows nothing of what is signed.

Mail servers may write the part before the @ in capitals, and need not carry more than 64 characters there (RFC 5321,
4.5.3.1.1).
"""

import hmac
from base64 import b32decode, b32encode
from typing import Final

SEPARATOR: Final = "+"
SIGNATURE_BYTES: Final = 10
LONGEST_LOCAL: Final = 64


class SignedAddresses:
    """Writes and reads the addresses of one `mailbox` at `domain`.

    `site_key`: the secret that this site signs with. The key for these signatures is derived from it and `purpose`, so
    that no other signature fits.
    """

    def __init__(self, mailbox: str, domain: str, site_key: bytes, purpose: bytes) -> None:
        self._mailbox = mailbox
        self._domain = domain.lower()
        self._key = hmac.digest(site_key, purpose, "sha256")

    def write(self, content: bytes) -> str:
        """The address that carries `content`. Raises ValueError if that is too long."""
        text = b32encode(content + self._signature(content)).decode().lower().rstrip("=")
        local = f"{self._mailbox}{SEPARATOR}{text}"
        if len(local) > LONGEST_LOCAL:
            raise ValueError(f"{len(content)} bytes are too many for an address")
        return f"{local}@{self._domain}"

    def read(self, address: str) -> bytes | None:
        """What was written into that address; None if this site has never written it."""
        local, _, domain = address.rpartition("@")
        mailbox, _, text = local.partition(SEPARATOR)
        if domain.lower() != self._domain or mailbox.lower() != self._mailbox or len(local) > LONGEST_LOCAL:
            return None
        try:
            signed = b32decode(text.encode("ascii") + b"=" * (-len(text) % 8), casefold=True)
        except ValueError:
            return None
        # Compared as a whole, since some of the last bits mean nothing: only one spelling counts.
        content = signed[:-SIGNATURE_BYTES]
        written, _, _ = self.write(content).partition("@")
        return content if hmac.compare_digest(written.encode(), local.lower().encode()) else None

    def _signature(self, content: bytes) -> bytes:
        return hmac.digest(self._key, content, "sha256")[:SIGNATURE_BYTES]
