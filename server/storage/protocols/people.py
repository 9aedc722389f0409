"""What a store keeps of everybody, guest or registered: who they are, and their browsers. Knows no engine."""

from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, flag, instant, text


@dataclass(frozen=True, slots=True)
class User:
    """A person: `id` is public; a guest has no password."""

    id: str
    name: str
    guest: bool
    created: int


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is somebody. Only the SHA-256 of its token is kept. Times are ms since the epoch."""

    token_hash: str
    user: str
    created: int
    seen: int


def user_of(fields: Fields, key: str) -> User:
    """The person of stored fields, whose id is in the field `key`. Raises as `fields` says."""
    return User(text(fields, key), text(fields, "name"), flag(fields, "guest"), instant(fields, "created"))


def session_of(fields: Fields, key: str) -> Session:
    """The session of stored fields, whose token's digest is in the field `key`. Raises as `fields` says."""
    return Session(text(fields, key), text(fields, "user"), instant(fields, "created"), instant(fields, "seen"))


class UserStore(Protocol):
    async def add_guest(self, user: User, session: Session) -> None:
        """Store both or neither. Raises Duplicate, Unavailable."""

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        """None also when either cannot be read: such a browser is nobody."""

    async def touch_session(self, token_hash: str, seen: int) -> None:
        """It was used at `seen`; an earlier time than the stored one changes nothing."""

    async def end_session(self, token_hash: str) -> None:
        """It opens nothing from now on. Nothing happens if there is none."""
