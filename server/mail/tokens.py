"""Signed tokens for the links in mails: what they say can be read by anybody, but only this site can write them. Pure.

A token is valid for one purpose and until one instant. Whatever else must end it, such as a new password, is among its
fields and compared by its reader.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

LONGEST_TOKEN: Final = 600
SIGNATURE_BYTES: Final = 16


class BadToken(ValueError):
    """It was not made here for this purpose, or has expired."""


def sign_token(key: bytes, purpose: str, fields: tuple[str, ...], until: int) -> str:
    """A token of URL-safe characters that is valid until `until` (ms). The fields must not contain line breaks."""
    content = _in_letters("\n".join((str(until), *fields)).encode())
    return f"{content}.{_signature(key, purpose, content)}"


def read_token(key: bytes, purpose: str, token: str, now: int) -> tuple[str, ...]:
    """The fields of `token` at `now` (ms). Raises BadToken."""
    content, _, signature = token.partition(".")
    if len(token) > LONGEST_TOKEN or not token.isascii():
        raise BadToken("no token of ours")
    if not hmac.compare_digest(signature, _signature(key, purpose, content)):
        raise BadToken("no token of ours")
    until, *fields = urlsafe_b64decode(content + "=" * (-len(content) % 4)).decode().split("\n")
    if int(until) <= now:
        raise BadToken("its time is over")
    return tuple(fields)


def mark_of_secret(secret: str) -> str:
    """A short mark of something that a token depends on but must not reveal."""
    return hashlib.blake2b(secret.encode(), digest_size=9).hexdigest()


def _signature(key: bytes, purpose: str, content: str) -> str:
    signed = hmac.digest(key, f"{purpose}\n{content}".encode(), "sha256")
    return _in_letters(signed[:SIGNATURE_BYTES])


def _in_letters(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
