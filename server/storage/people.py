"""What a store keeps of everybody, guest or registered: who he is, and the browsers that are him. Knows no engine."""

from dataclasses import dataclass
from typing import Protocol


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


class UserStore(Protocol):
    async def add_guest(self, user: User, session: Session) -> None:
        """Store both or neither. Raises Duplicate, Unavailable."""

    async def session(self, token_hash: str) -> tuple[User, Session] | None: ...

    async def touch_session(self, token_hash: str, seen: int) -> None:
        """It was used at `seen`; an earlier time than the stored one changes nothing."""

    async def end_session(self, token_hash: str) -> None:
        """It opens nothing from now on. Nothing happens if there is none."""
