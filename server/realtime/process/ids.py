"""Names that cannot be guessed. Knows nothing of what they name.

A game's id is public: it shows a game and grants nothing. The secret in an invitation grants a seat, so it has 128
bits and only its digest is kept.
"""

import hashlib
import secrets
import string
from typing import Final

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
LENGTH: Final = 10


def new_id() -> str:
    """Ten characters of base 62: 59 bits, so that even many games cannot be found by trying."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_secret() -> str:
    """22 characters for a link, 128 bits."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> str:
    """What is stored in place of a secret: SHA-256 in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()
