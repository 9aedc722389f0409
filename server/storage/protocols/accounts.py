"""What a store keeps of registered people: name, password hash, and which browsers are signed in. Knows no engine.

An account belongs to a `User`, who was a guest before and keeps their id. A name is unique by its folded form,
in which look-alikes are the same; that is the key of everything here. All times are ms since the epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from server.games.player import DELETED_NAME
from server.storage.errors import StoreError
from server.storage.fields import Fields, flag, instant, number, text
from server.storage.protocols.people import Session


class NameTaken(StoreError):  # noqa: N818 - says what is so
    """Somebody has this name, or had it until a short while ago, or has one that looks the same."""


class PasswordChanged(StoreError):  # noqa: N818 - says what is so
    """The password, or the whole account, is not what it was when the caller looked. Look again."""


@dataclass(frozen=True, slots=True)
class Account:
    """`password` is a hash, or "" for none that could be typed.

    `places` are short marks of the networks from which the owner has signed in, the latest last.

    `once_until`: 0, or the password was set by the host, opens one session, and must do so before this time.
    """

    folded: str
    user: str
    name: str
    password: str
    created: int
    once_until: int = 0
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UserChatLine:
    """What somebody said in the chat of a game."""

    game: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class AccountMerge:
    """The seats of `user` in all their games are to be those of `heir`, called `name`; who `leaves` plays on in none.

    Noted in the same step as what makes it so; it stays until every game has it.
    """

    user: str
    heir: str
    name: str
    leaves: bool = False


def account_of(fields: Fields, key: str) -> Account:
    """The account of stored fields, whose folded name is in the field `key`. Raises as `fields` says."""
    name = text(fields, "name")
    if not name or name == DELETED_NAME:
        raise ValueError("nobody can be called so")
    return Account(
        *(text(fields, key), text(fields, "user"), name, text(fields, "password")),
        created=instant(fields, "created"),
        once_until=number(fields, "once_until"),
        places=tuple(text(fields, "places").split()),
    )


def account_merge_of(fields: Fields, key: str) -> AccountMerge:
    """The note of stored fields, in which the field `key` says about whom. Raises as `fields` says."""
    return AccountMerge(text(fields, key), text(fields, "heir"), text(fields, "name"), flag(fields, "leaves"))


def user_chat_line_of(fields: Fields) -> UserChatLine:
    """The line of stored fields. Raises as `fields` says."""
    return UserChatLine(text(fields, "game"), text(fields, "text"), instant(fields, "at"))


class AccountStore(Protocol):
    async def find(self, name: str) -> Account | None:
        """The account of that name, folded or not; of two that are alike, that of the name as it is spelt.

        None also when it has been deleted. Raises Unreadable, Unavailable.
        """

    async def register(self, account: Account, session: Session, instead_of: str) -> None:
        """The guest `account.user` becomes somebody with a name; `session` takes the place of their `instead_of`.

        Their games are handed over to their new name. Of several that want one name at once exactly one gets it. Raises
        NameTaken, Duplicate (this user has an account already), Unavailable; then they still are who they were.
        """

    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        """Open `session` for the account, end the session `instead_of` ("": there is none), and keep `account.places`.

        If that was a guest's, their games are handed over to the account. A password that is good for one time is used
        up. Raises PasswordChanged, Unavailable.
        """

    async def set_password(self, account: Account, password: str) -> None:
        """A new hash over the one in `account`. Raises PasswordChanged, Unavailable."""

    async def reset_password(self, name: str, password: str, once_until: int) -> str | None:
        """Whatever the password was, this hash now opens one session before `once_until`; all sessions end.

        Returns the name as its owner writes it, None if there is no such account.
        """

    async def sessions(self, user: str) -> Sequence[Session]:
        """All sessions of a user, the one last used first."""

    async def end_sessions(self, user: str, but: str = "") -> Sequence[str]:
        """End all sessions of a user except `but`. Returns the hashes of those that were ended."""

    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        """All that a user has said, oldest first."""

    async def delete(self, account: Account, held_until: int) -> None:
        """Forget the user and their sessions; of the account only the name stays, held until `held_until`. Their games
        are handed over to `DELETED_NAME`.

        Raises PasswordChanged, Unavailable. Done again after a half-known outcome it completes what was begun.
        """

    async def merges(self, user: str = "") -> Sequence[AccountMerge]:
        """What is noted about one user, or ("") about all."""

    async def end_merge(self, merge: AccountMerge) -> None:
        """Every game has it: take the note away, and forget the guest, if that is what they were."""

    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        """Forget up to `limit` sessions last used before `idle_since` or opened before `begun`, the guests among
        their users who have no game and no other session, with all that is theirs, and names that are held no longer.

        Returns how many sessions were forgotten: fewer than `limit` means that all were.
        """
