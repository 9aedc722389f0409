"""Personal tokens: what lets a program act for somebody with an account, and for what. Pure; knows no store.

A token is 256 random bits that only its owner has; everybody else knows its SHA-256.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.errors import NotAllowed

MAX_TOKENS: Final = 20
"""Tokens that one account can have; each is one more thing to lose."""
LONGEST_NAME: Final = 40


class Scope(StrEnum):
    """What a token allows, by the names that lichess gave it."""

    BOT_PLAY = "bot:play"
    CHALLENGE_READ = "challenge:read"
    CHALLENGE_WRITE = "challenge:write"


@dataclass(frozen=True, slots=True)
class ApiToken:
    """`hashed`: the SHA-256 of the token, in hex. `owner`: the id of a person. `name`: what its owner calls it.

    `created` and `used`, the last use as far as it was noted (0: none), are ms since the epoch.
    """

    hashed: str
    owner: str
    name: str
    scopes: frozenset[Scope]
    created: int
    used: int = 0


def check_token(token: ApiToken, own: Sequence[ApiToken]) -> None:
    """Raises NotAllowed if it has no name or allows nothing, or its owner has enough (`own`)."""
    if not token.name:
        raise NotAllowed("token_unnamed")
    if not token.scopes:
        raise NotAllowed("token_for_nothing")
    if len(own) >= MAX_TOKENS:
        raise NotAllowed("too_many_tokens", n=MAX_TOKENS)
