"""Users, guests and registered ones, their accounts and sessions in a store.

An account belongs to a `User`, who was a guest before and keeps their id. Names are unique by their folded form; it is
the key here. It ignores case, hyphens and underscores, and differences that many fonts hide: 0 and o; 1, l and i; 5 and
s; rn and m; vv and w; cl and d. Earlier releases told more names apart, so two accounts may have names that are alike
now; each is found by its exact spelling. All times are ms since the epoch.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal, Protocol

from server.games.player import DELETED_NAME
from server.storage.errors import StoreError, Unavailable
from server.storage.fields import Fields, FlatRecord, flag, instant, number, text
from server.storage.record_kinds import ACCOUNT_MERGES, ACCOUNTS, SESSIONS, USERS
from server.storage.tables.table import Table, TableStore

TRIES: Final = 8
"""Before a reset of a password is given up that others change all the time."""
ALIKE = str.maketrans("015i", "olsl", "-_")
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that together look like one."""
ALIKE_BEFORE = str.maketrans("01i", "oll")


def fold(name: str) -> str:
    """The folded form of a name. Names with the same form count as the same."""
    folded = name.lower().translate(ALIKE)
    for pair, letter in PAIRS:
        folded = folded.replace(pair, letter)
    return folded


def account_keys(name: str) -> tuple[str, str]:
    """The keys under which the account may be stored: that of earlier releases, then that of this one."""
    return name.lower().translate(ALIKE_BEFORE), fold(name)


def folded_prefixes(beginning: str) -> tuple[str, ...]:
    """The folded form of every name with that beginning starts with one of these, and so may those of other names.

    The last letter may be the first of two that look like one: "Arn" begins with "Ar" and is folded to "am".
    """
    folded = fold(beginning)
    return (folded, *(folded[:-1] + letter for pair, letter in PAIRS if folded.endswith(pair[0])))


def has_prefix(name: str, beginning: str) -> bool:
    """Does the name begin with `beginning`, or something that looks like it?"""
    spelt, wanted = (one.lower().translate(ALIKE) for one in (name, beginning))
    return spelt.startswith(wanted) or fold(name).startswith(fold(beginning))


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

    `generation`: how often there has been a new password. Sessions and tokens of an earlier one are good no more.
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
    generation: int = 0


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
    fields = {**ACCOUNTS.added, **fields}  # a node of an earlier release may have written them
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
        generation=number(fields, "generation"),
    )


def with_password(account: Account, password: str, *, same: bool) -> Account:
    """The account with another hash; `same`: of the same password."""
    return replace(account, password=password, once_until=0, generation=account.generation + (not same))


AccountChoice = Literal["by_hand", "unlisted", "bot"]
"""The settings of an account that are on or off."""


def account_merge_of(fields: Fields, key: str) -> AccountMerge:
    """The merge of stored fields with its user in `key`. Raises as `fields` says."""
    return AccountMerge(text(fields, key), text(fields, "heir"), text(fields, "name"), flag(fields, "leaves"))


def user_chat_line_of(fields: Fields) -> UserChatLine:
    """The line of stored fields. Raises as `fields` says."""
    return UserChatLine(text(fields, "game"), text(fields, "text"), instant(fields, "at"))


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
    """A browser's session. Only the SHA-256 of its token is stored. Times are ms since the epoch.

    `generation`: that of the account's password when it was opened; 0 for guests.

    `browser`: the names of the browser and its system, with a slash between; either is "" if it is unknown.
    """

    token_hash: str
    user: str
    created: int
    seen: int
    generation: int = 0
    browser: str = ""


def user_of(fields: Fields, key: str) -> User:
    """The user of stored fields with the id in `key`. Raises as `fields` says."""
    return User(
        *(text(fields, key), text(fields, "name"), flag(fields, "guest"), instant(fields, "created")),
        preferences=text(fields, "preferences"),
    )


def session_of(fields: Fields, key: str) -> Session:
    """The session of stored fields with the token's digest in `key`. Raises as `fields` says."""
    fields = {**SESSIONS.added, **fields}
    return Session(
        *(text(fields, key), text(fields, "user"), instant(fields, "created"), instant(fields, "seen")),
        generation=number(fields, "generation"),
        browser=text(fields, "browser"),
    )


class UserStore(Protocol):
    async def add_guest(self, user: User, session: Session) -> None:
        """Stores both or neither. Raises Duplicate, Unavailable."""

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        """The session and its user; None if there is none or either is damaged, or the user's account is gone or has
        had a new password since the session was opened. Raises Unavailable.
        """

    async def touch_session(self, token_hash: str, seen: int) -> None:
        """Notes that it was used at `seen`; a time before the stored one changes nothing."""

    async def end_session(self, token_hash: str) -> None:
        """Ends a session; does nothing if there is none."""


class AccountStore(TableStore):
    """Accounts and their sessions. What changes several of them depends on whether the engine has transactions."""

    kinds = (ACCOUNTS, USERS, SESSIONS, ACCOUNT_MERGES)

    def __init__(self, table: Table, users: Table, sessions: Table, merges: Table) -> None:
        super().__init__(table)
        self._user_table = users
        self._session_table = sessions
        self._merge_table = merges

    @abstractmethod
    async def find(self, name: str) -> Account | None:
        """The account of that name, folded or not; of two that look alike, the one spelt this way. None if deleted.

        Raises Unreadable, Unavailable.
        """

    @abstractmethod
    async def is_free(self, name: str) -> bool:
        """Can somebody be called so? Not while somebody is, or was until recently. Raises Unavailable."""

    async def of_user(self, user: str) -> Account | None:
        """The account of that person (an id). None if they have none, or it was deleted. Raises as `find` does."""
        with self._table.damage.noted(ACCOUNTS.name, user):
            found = await self._table.find(user=user, held_until=0)
            return account_of(found[0], "_id") if found else None

    @abstractmethod
    async def register(self, account: Account, session: Session, instead_of: str) -> None:
        """Turns the guest `account.user` into an account; `session` replaces their session `instead_of`.

        Their games get the new name. If several want a name at once, exactly one gets it. Raises NameTaken, Duplicate
        (this user already has an account, or was merged into one), Unavailable; then nothing has changed.
        """

    @abstractmethod
    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        """Opens `session` for the account, ends the session `instead_of` ("": none), and stores `account.places`.

        The games of a guest are handed over to the account. A one-time password is used up, and what is left of
        sessions by earlier passwords is deleted. Raises PasswordChanged, Unavailable.
        """

    async def set_password(self, account: Account, password: str, *, same: bool = False) -> Account:
        """Replaces the hash in `account`, and returns it as it is now. `same`: it is another hash of that password.

        Else this one write ends all sessions and tokens of the account, by its generation. Raises PasswordChanged,
        Unavailable.
        """
        after = with_password(account, password, same=same)
        changes: FlatRecord = {"password": password, "once_until": 0, "generation": after.generation}
        whose = {"_id": account.folded, "user": account.user, "password": account.password}
        if not await self._table.set(changes, **whose, generation=account.generation, held_until=0):
            raise PasswordChanged("The password has changed meanwhile.")
        return after

    async def reset_password(self, name: str, password: str, once_until: int) -> str | None:
        """Replaces the password by a hash that opens one session before `once_until`, and ends all sessions.

        Returns the name as its owner spells it; None if there is no such account. Repeating it changes nothing.
        """
        for _ in range(TRIES):
            account = await self.find(name)
            if account is None:
                return None
            if account.password == password:
                await self._session_table.delete(user=account.user)
                return account.name
            changes: FlatRecord = {"password": password, "once_until": once_until, "generation": account.generation + 1}
            whose = {"_id": account.folded, "user": account.user}
            changed = self._table.set_step(changes, **whose, generation=account.generation, held_until=0)
            if await self._table.write_if(changed, self._session_table.delete_step(user=account.user)):
                return account.name
        raise Unavailable("This password is changed by others all the time.")

    async def user(self, user: str) -> User | None:
        """The person with that id, who may be a guest. Raises Unreadable, Unavailable."""
        return await self._user_table.read_one(partial(user_of, key="_id"), user)

    async def set_choice(self, account: Account, name: AccountChoice, value: bool) -> None:
        """Stores what its owner has chosen, or that a program plays, which cannot be undone."""
        await self._table.set({name: int(value)}, _id=account.folded, user=account.user, held_until=0)

    async def bots(self) -> Mapping[str, str]:
        """The names of all bots, by their ids."""
        found = await self._table.find(only=("user", "name"), bot=1, held_until=0)
        return {str(one["user"]): str(one["name"]) for one in found}

    async def listed(self, users: Set[str]) -> Mapping[str, str]:
        """The names, by id, of those `users` (ids) who have an account and allow others to see that they are online."""
        found = await self._table.find(only=("user", "name"), user=frozenset(users), unlisted=0, held_until=0)
        return {str(one["user"]): str(one["name"]) for one in found}

    async def names_of(self, users: Set[str]) -> Mapping[str, str]:
        """The names of those of `users` (ids) who have an account."""
        found = await self._table.find(only=("user", "name"), user=frozenset(users), held_until=0)
        return {str(one["user"]): str(one["name"]) for one in found}

    async def who_flags_by_hand(self, users: Set[str]) -> frozenset[str]:
        """Those of `users` (ids) who decide themselves what happens when an opponent's flag falls."""
        found = await self._table.find(only=("user",), user=frozenset(users), by_hand=1, held_until=0)
        return frozenset(str(one["user"]) for one in found)

    async def rename_guest(self, user: str, name: str) -> bool:
        """Gives a guest a name for the games that they will play. False: they are no guest (any more)."""
        return await self._user_table.set({"name": name}, _id=user, guest=1) > 0

    async def keep_preferences(self, user: str, preferences: str, instead_of: str | None = None) -> bool:
        """Stores what a user has chosen if `instead_of` is what they had; None: whatever it was. Is it stored?"""
        had = {} if instead_of is None else {"preferences": instead_of}
        return await self._user_table.set({"preferences": preferences}, _id=user, **had) > 0

    async def sessions(self, user: str) -> Sequence[Session]:
        """All sessions of a user, the latest used first."""
        return await self._session_table.read(partial(session_of, key="_id"), "seen-", user=user)

    async def good_sessions(self, hashes: Collection[str]) -> Mapping[str, Session]:
        """Those of these sessions that are good, as `UserStore.session` says, by their hashes."""
        found = await self._session_table.read(partial(session_of, key="_id"), _id=frozenset(hashes))
        users = frozenset(one.user for one in found)
        guests = {str(one["_id"]) for one in await self._user_table.find(only=("guest",), _id=users, guest=1)}
        now = await self.generations(users)
        return {one.token_hash: one for one in found if one.user in guests or now.get(one.user) == one.generation}

    async def generations(self, users: Collection[str]) -> Mapping[str, int]:
        """How often those of `users` (ids) who have an account had a new password."""
        found = await self._table.find(only=("user", "generation"), user=frozenset(users), held_until=0)
        return {str(one["user"]): number({**ACCOUNTS.added, **one}, "generation") for one in found}

    async def end_sessions(self, user: str, but: str = "") -> Sequence[str]:
        """Ends all sessions of a user except `but`, and returns their hashes."""
        found = await self._session_table.find(only=("user",), user=user)
        ended = [key for one in found if (key := str(one["_id"])) != but]
        if ended:
            await self._session_table.delete(_id=frozenset(ended))
        return ended

    async def end_session_of(self, user: str, token_hash: str) -> bool:
        """Ends this session of a user. False: they have no such session."""
        return await self._session_table.delete(_id=token_hash, user=user) > 0

    @abstractmethod
    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        """All chat lines of a user, oldest first."""

    @abstractmethod
    async def delete(self, account: Account, held_until: int) -> None:
        """Deletes the user and their sessions. The name stays reserved until `held_until`; their games get
        `DELETED_NAME`.

        Raises PasswordChanged, Unavailable. Repeating it after an unknown outcome completes it.
        """

    async def merges(self, user: str = "") -> Sequence[AccountMerge]:
        """The pending merges of one user, or ("") of all."""
        read = partial(account_merge_of, key="_id")
        return await (self._merge_table.read(read, _id=user) if user else self._merge_table.read(read))

    @abstractmethod
    async def end_merge(self, merge: AccountMerge) -> None:
        """Removes the note, since every game has changed, and the guest if they were one."""

    @abstractmethod
    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        """Deletes up to `limit` sessions last used before `idle_since` or opened before `begun`, their guests who have
        no game and no other session with everything of theirs, and expired reservations of names.

        Returns the number of deleted sessions: fewer than `limit` means that none are left.
        """
