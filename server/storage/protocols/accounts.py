"""Accounts in a store: name, password hash and sessions.

An account belongs to a `User`, who was a guest before and keeps their id. Names are unique by their folded form, in
which look-alikes are the same; it is the key here. All times are ms since the epoch.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal, Protocol

from server.games.player import DELETED_NAME
from server.storage.errors import StoreError
from server.storage.fields import Fields, flag, instant, number, text
from server.storage.protocols.people import Session


class NameTaken(StoreError):
    """The name, or one that looks like it, is taken or was until recently."""


class PasswordChanged(StoreError):
    """The password, or the whole account, has changed since the caller read it."""


@dataclass(frozen=True, slots=True)
class Account:
    """`password`: a hash, or "" if no password fits.

    `places`: short marks of the networks that the owner signed in from, the latest last.

    `by_hand`: in new correspondence games they decide themselves what happens when an opponent's flag has fallen.

    `unlisted`: they are not shown among those who are on the site.

    `bot`: a program plays, which everybody is shown.

    `once_until`: 0, or, for a password set by the host, the time before which it can open its only session.
    """

    folded: str
    user: str
    name: str
    password: str
    created: int
    once_until: int = 0
    places: tuple[str, ...] = ()
    by_hand: bool = False
    unlisted: bool = False
    bot: bool = False


@dataclass(frozen=True, slots=True)
class UserChatLine:
    """A line that a user wrote in the chat of a game."""

    game: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class AccountMerge:
    """A note that all seats of `user` go to `heir`, called `name`. If `leaves`, running games end.

    It is written together with its cause, and stays until every game has changed.
    """

    user: str
    heir: str
    name: str
    leaves: bool = False


def account_of(fields: Fields, key: str) -> Account:
    """The account of stored fields with its folded name in `key`. Raises as `fields` says."""
    name = text(fields, "name")
    if not name or name == DELETED_NAME:
        raise ValueError("nobody can be called so")
    return Account(
        *(text(fields, key), text(fields, "user"), name, text(fields, "password")),
        created=instant(fields, "created"),
        once_until=number(fields, "once_until"),
        places=tuple(text(fields, "places").split()),
        by_hand=flag(fields, "by_hand"),
        unlisted=flag(fields, "unlisted"),
        bot=flag(fields, "bot"),
    )


AccountChoice = Literal["by_hand", "unlisted", "bot"]
"""The settings of an account that are on or off."""


def account_merge_of(fields: Fields, key: str) -> AccountMerge:
    """The merge of stored fields with its user in `key`. Raises as `fields` says."""
    return AccountMerge(text(fields, key), text(fields, "heir"), text(fields, "name"), flag(fields, "leaves"))


def user_chat_line_of(fields: Fields) -> UserChatLine:
    """The line of stored fields. Raises as `fields` says."""
    return UserChatLine(text(fields, "game"), text(fields, "text"), instant(fields, "at"))


class AccountStore(Protocol):
    async def find(self, name: str) -> Account | None:
        """The account of that name, folded or not; of two that look alike, the one spelt this way. None if deleted.

        Raises Unreadable, Unavailable.
        """

    async def of_user(self, user: str) -> Account | None:
        """The account of that person (an id). None if they have none, or it was deleted. Raises as `find` does."""

    async def register(self, account: Account, session: Session, instead_of: str) -> None:
        """Turns the guest `account.user` into an account; `session` replaces their session `instead_of`.

        Their games get the new name. If several want a name at once, exactly one gets it. Raises NameTaken, Duplicate
        (this user already has an account), Unavailable; then nothing has changed.
        """

    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        """Opens `session` for the account, ends the session `instead_of` ("": none), and stores `account.places`.

        The games of a guest are handed over to the account. A one-time password is used up. Raises PasswordChanged,
        Unavailable.
        """

    async def set_password(self, account: Account, password: str) -> None:
        """Replaces the hash in `account`. Raises PasswordChanged, Unavailable."""

    async def reset_password(self, name: str, password: str, once_until: int) -> str | None:
        """Replaces the password by a hash that opens one session before `once_until`, and ends all sessions.

        Returns the name as its owner spells it; None if there is no such account.
        """

    async def set_choice(self, account: Account, name: AccountChoice, value: bool) -> None:
        """Stores what its owner has chosen, or that a program plays, which cannot be undone."""

    async def bots(self) -> Mapping[str, str]:
        """The names of all bots, by their ids."""

    async def listed(self, users: Set[str]) -> Mapping[str, str]:
        """The names of those of `users` (ids) who have an account and may be shown as being here."""

    async def who_flags_by_hand(self, users: Set[str]) -> frozenset[str]:
        """Those of `users` (ids) who have chosen so."""

    async def keep_preferences(self, user: str, preferences: str, instead_of: str | None = None) -> bool:
        """Stores what a user has chosen if `instead_of` is what they had; None: whatever it was. Is it stored?"""

    async def sessions(self, user: str) -> Sequence[Session]:
        """All sessions of a user, the latest used first."""

    async def end_sessions(self, user: str, but: str = "") -> Sequence[str]:
        """Ends all sessions of a user except `but`, and returns their hashes."""

    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        """All chat lines of a user, oldest first."""

    async def delete(self, account: Account, held_until: int) -> None:
        """Deletes the user and their sessions. The name stays reserved until `held_until`; their games get
        `DELETED_NAME`.

        Raises PasswordChanged, Unavailable. Repeating it after an unknown outcome completes it.
        """

    async def merges(self, user: str = "") -> Sequence[AccountMerge]:
        """The pending merges of one user, or ("") of all."""

    async def end_merge(self, merge: AccountMerge) -> None:
        """Removes the note, since every game has changed, and the guest if they were one."""

    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        """Deletes up to `limit` sessions last used before `idle_since` or opened before `begun`, their guests who have
        no game and no other session with everything of theirs, and expired reservations of names.

        Returns the number of deleted sessions: fewer than `limit` means that none are left.
        """
