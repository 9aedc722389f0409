"""Ids and secrets that cannot be guessed.

A game's id is public: it shows the game and grants nothing. The secret in an invitation grants a seat, so it has 128
bits, and only its digest is stored.
"""

import hashlib
import secrets
import string
from typing import Final

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
LENGTH: Final = 10


def new_id() -> str:
    """Ten base-62 characters, 59 bits: so many that games cannot be found by guessing."""
    number, letters = secrets.randbelow(len(ALPHABET) ** LENGTH), []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)


def new_secret() -> str:
    """A secret of 128 bits, 22 characters, for a link."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> str:
    """The SHA-256 of a secret in hex, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()
