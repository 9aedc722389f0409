"""Users, guests and registered ones, and their sessions in a store."""

from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, flag, instant, text


@dataclass(frozen=True, slots=True)
class User:
    """A person: `id` is public; a guest has no password.

    `preferences`: what they have chosen, as `server.web.preferences` writes it; "": they have chosen nothing.
    """

    id: str
    name: str
    guest: bool
    created: int
    preferences: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser's session. Only the SHA-256 of its token is stored. Times are ms since the epoch."""

    token_hash: str
    user: str
    created: int
    seen: int


def user_of(fields: Fields, key: str) -> User:
    """The user of stored fields with the id in `key`. Raises as `fields` says."""
    return User(
        *(text(fields, key), text(fields, "name"), flag(fields, "guest"), instant(fields, "created")),
        preferences=text(fields, "preferences"),
    )


def session_of(fields: Fields, key: str) -> Session:
    """The session of stored fields with the token's digest in `key`. Raises as `fields` says."""
    return Session(text(fields, key), text(fields, "user"), instant(fields, "created"), instant(fields, "seen"))


class UserStore(Protocol):
    async def add_guest(self, user: User, session: Session) -> None:
        """Stores both or neither. Raises Duplicate, Unavailable."""

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        """The session and its user; None if there is none or either is damaged. Raises Unavailable."""

    async def touch_session(self, token_hash: str, seen: int) -> None:
        """Notes that it was used at `seen`; a time before the stored one changes nothing."""

    async def end_session(self, token_hash: str) -> None:
        """Ends a session; does nothing if there is none."""
