"""Ids and secrets that cannot be guessed.

A game's id is public: it shows the game and grants nothing. The secret in an invitation grants a seat, so it has 128
bits, and only its digest is stored.
"""

import hashlib
import secrets

from server.games.game_id import GAME_IDS, game_id


def new_id() -> str:
    """One of so many ids that games cannot be found by guessing."""
    return game_id(secrets.randbelow(GAME_IDS))


def new_secret() -> str:
    """A secret of 128 bits, 22 characters, for a link."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> str:
    """The SHA-256 of a secret in hex, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()
