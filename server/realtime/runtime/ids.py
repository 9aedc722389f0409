"""Ids and secrets that cannot be guessed.

A game's id is public: it shows the game and grants nothing. What is known before there is a game, such as the id of a
seek or of a mail, does not tell the id that the game will have. The secret in an invitation grants a seat, so it has
128 bits, and only its digest is stored.
"""

import hashlib
import hmac
import secrets

from server.games.game_id import OWN_IDS, own_id


def new_id() -> str:
    """One of so many ids that games cannot be found by guessing."""
    return own_id(secrets.randbelow(OWN_IDS))


def game_of_seek(key: bytes, seek: str) -> str:
    """The id that the game of that seek will have, which only who has the site's `key` can know beforehand."""
    return _keyed_id(key, f"game of seek {seek}".encode())


def game_of_mail(key: bytes, mail: bytes) -> str:
    """The same for the game that somebody asks for by mail; `mail`: by what that is recognised if it comes again."""
    return _keyed_id(key, b"game of mail " + mail)


def game_of_board(key: bytes, tournament: str, wave: int, board: int) -> str:
    """The same for a game of a tournament, by its place there: whoever makes it again makes the same one."""
    return _keyed_id(key, f"game of tournament {tournament} {wave} {board}".encode())


def tournament_of_key(key: bytes, organiser: str, asked: str) -> str:
    """The id of the tournament that `organiser` (an id) announces with the key `asked`, which they draw."""
    return _keyed_id(key, f"tournament {organiser} {asked}".encode())


def tournament_of_section(key: bytes, event: str, stage: int, section: int) -> str:
    """The id of a section that opens by itself, by its place among those of an event (an id)."""
    return _keyed_id(key, f"section {event} {stage} {section}".encode())


def _keyed_id(key: bytes, content: bytes) -> str:
    return own_id(int.from_bytes(hmac.digest(key, content, "sha256")))


def new_secret() -> str:
    """A secret of 128 bits, 22 characters, for a link."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> str:
    """The SHA-256 of a secret in hex, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()
