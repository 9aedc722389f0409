"""Accounts and their sessions in MongoDB.

Not every server that speaks the protocol has transactions. So each operation is a series of writes in an order that
leaves a valid state if it stops between any two: first the write that decides, then those that follow from it, which
the next operation that needs them repeats.
"""

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any

from server.games.player import DELETED_NAME
from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.fields import flat
from server.storage.folding import account_keys, fold
from server.storage.mongo.driver_errors import checked, insert
from server.storage.mongo.people import session_document
from server.storage.protocols.accounts import (
    Account,
    AccountChoice,
    AccountMerge,
    NameTaken,
    PasswordChanged,
    UserChatLine,
    account_merge_of,
    account_of,
    user_chat_line_of,
)
from server.storage.protocols.people import Session, session_of
from server.storage.record_kinds import ACCOUNTS, USERS

ALIKE = "alike"
"""A field of an account: the folded form of its name. Its id may be that of an earlier release."""
OF_GUESTS = (
    *(("alerts", "owner"), ("calls", "_id"), ("devices", "owner"), ("ties", "owner"), ("ties", "other")),
    *(("reports", "owner"), ("reports", "about")),
    *(("standings", "player"), ("scores", "player"), ("counted", "player")),
)
"""Collections with what is deleted with a guest, and their field with the owner."""


class MongoAccounts:
    """An `AccountStore`. Call `prepare` once before use."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._accounts = database["accounts"]
        self._users = database["users"]
        self._sessions = database["sessions"]
        self._games = database["games"]
        self._chat = database["chat"]
        self._merges = database["handovers"]
        self._of_guests = [(database[name], field) for name, field in OF_GUESTS]

    async def prepare(self) -> None:
        """Brings what earlier releases stored up to date. Raises PyMongoError, Unavailable."""
        await self._refold()
        for documents, kind in ((self._accounts, ACCOUNTS), (self._users, USERS)):
            for name, value in kind.added.items():
                # Those of earlier releases have none.
                await documents.update_many({name: {"$exists": False}}, {"$set": {name: value}})

    async def _refold(self) -> None:
        """Stores the folded form of each name as this release computes it."""
        async for one in self._accounts.find({}, {"name": 1, ALIKE: 1}):
            name = one.get("name")
            if isinstance(name, str) and one.get(ALIKE) != fold(name):
                await checked(self._accounts.update_one({"_id": one["_id"]}, {"$set": {ALIKE: fold(name)}}))

    async def find(self, name: str) -> Account | None:
        found = None
        for wanted in (*({"_id": key} for key in account_keys(name)), {ALIKE: fold(name)}):
            found = found or await checked(self._accounts.find_one({**wanted, "held_until": 0}))
        with self._damage.noted("accounts", name):
            return None if found is None else account_of(found, "_id")

    async def of_user(self, user: str) -> Account | None:
        found = await checked(self._accounts.find_one({"user": user, "held_until": 0}))
        with self._damage.noted("accounts", user):
            return None if found is None else account_of(found, "_id")

    async def register(self, account: Account, session: Session, instead_of: str) -> None:
        document = {**flat(account, key="folded"), ALIKE: fold(account.name), "held_until": 0}
        # The unique id lets in one of those who want a name now; accounts of earlier releases may have another id.
        alike = {ALIKE: fold(account.name), "_id": {"$ne": account.folded}}
        if await checked(self._accounts.find_one(alike)) is not None:
            raise NameTaken(f"The name {account.name} is taken.")
        try:
            await insert(self._accounts, document)
        except Duplicate:
            if await checked(self._accounts.find_one({"_id": account.folded}, {"_id": 1})) is None:
                raise
            raise NameTaken(f"The name {account.name} is taken.") from None
        await self._note(AccountMerge(account.user, account.user, account.name))
        await self._enter(account, session, instead_of)

    async def bots(self) -> Mapping[str, str]:
        found = await checked(self._accounts.find({"bot": 1, "held_until": 0}, {"user": 1, "name": 1}).to_list(None))
        return {str(one["user"]): str(one["name"]) for one in found}

    async def set_choice(self, account: Account, name: AccountChoice, value: bool) -> None:
        whose = {"_id": account.folded, "user": account.user, "held_until": 0}
        await checked(self._accounts.update_one(whose, {"$set": {name: int(value)}}))

    async def listed(self, users: Set[str]) -> Mapping[str, str]:
        wanted = {"user": {"$in": sorted(users)}, "unlisted": 0, "held_until": 0}
        found = await checked(self._accounts.find(wanted, {"user": 1, "name": 1}).to_list(None))
        return {str(one["user"]): str(one["name"]) for one in found}

    async def who_flags_by_hand(self, users: Set[str]) -> frozenset[str]:
        wanted = {"user": {"$in": sorted(users)}, "by_hand": 1, "held_until": 0}
        found = await checked(self._accounts.find(wanted, {"user": 1}).to_list(None))
        return frozenset(str(one["user"]) for one in found)

    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        now_valid = {"_id": account.folded, "user": account.user, "password": account.password, "held_until": 0}
        now = {"places": " ".join(account.places)} | ({"password": ""} if account.once_until else {})
        found = await checked(self._accounts.update_one(now_valid, {"$set": now}))
        if found.matched_count == 0:
            raise PasswordChanged("The password has changed meanwhile.")
        await self._enter(account, session, instead_of)

    async def _enter(self, account: Account, session: Session, instead_of: str) -> None:
        # At sign-in this completes a registration that stopped after its first write.
        await checked(self._users.update_one({"_id": account.user}, {"$set": {"name": account.name, "guest": 0}}))
        await insert(self._sessions, session_document(session))
        before = await checked(self._sessions.find_one({"_id": instead_of})) if instead_of else None
        if before is not None:
            guest = {"_id": before["user"], "guest": 1}
            if await checked(self._users.find_one(guest, {"_id": 1})) is not None:
                await self._note(AccountMerge(before["user"], account.user, account.name))
            await checked(self._sessions.delete_one({"_id": instead_of}))

    async def set_password(self, account: Account, password: str) -> None:
        now_valid = {"_id": account.folded, "user": account.user, "password": account.password, "held_until": 0}
        found = await checked(self._accounts.update_one(now_valid, {"$set": {"password": password, "once_until": 0}}))
        if found.matched_count == 0:
            raise PasswordChanged("The password has changed meanwhile.")

    async def reset_password(self, name: str, password: str, once_until: int) -> str | None:
        account = await self.find(name)
        if account is None:
            return None
        whose = {"_id": account.folded, "user": account.user, "held_until": 0}
        await checked(self._accounts.update_one(whose, {"$set": {"password": password, "once_until": once_until}}))
        await self.end_sessions(account.user)
        return account.name

    async def keep_preferences(self, user: str, preferences: str, instead_of: str | None = None) -> bool:
        # Earlier releases stored none.
        had = {} if instead_of is None else {"preferences": {"$in": [instead_of] if instead_of else ["", None]}}
        done = await checked(self._users.update_one({"_id": user, **had}, {"$set": {"preferences": preferences}}))
        return bool(done.matched_count)

    async def sessions(self, user: str) -> Sequence[Session]:
        found = await checked(self._sessions.find({"user": user}).sort("seen", -1).to_list(None))
        return self._damage.readable("sessions", found, partial(session_of, key="_id"))

    async def end_sessions(self, user: str, but: str = "") -> Sequence[str]:
        ended = [one.token_hash for one in await self.sessions(user) if one.token_hash != but]
        if ended:
            await checked(self._sessions.delete_many({"_id": {"$in": ended}}))
        return ended

    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        found = await checked(self._chat.find({"player": user}).sort("number", 1).to_list(None))
        return self._damage.readable("chat", found, user_chat_line_of)

    async def delete(self, account: Account, held_until: int) -> None:
        whose = {"_id": account.folded, "user": account.user, "password": account.password, "held_until": 0}
        found = await checked(
            self._accounts.update_one(whose, {"$set": {"password": "", "places": "", "held_until": held_until}})
        )
        if found.matched_count == 0:
            gone = {"_id": account.folded, "user": account.user, "held_until": {"$gt": 0}}
            if await checked(self._accounts.find_one(gone, {"_id": 1})) is None:
                raise PasswordChanged("The password has changed meanwhile.")
        await self._note(AccountMerge(account.user, account.user, DELETED_NAME, leaves=True))
        await self.end_sessions(account.user)
        await checked(self._users.delete_one({"_id": account.user}))

    async def merges(self, user: str = "") -> Sequence[AccountMerge]:
        found = await checked(self._merges.find({"_id": user} if user else {}).to_list(None))
        return self._damage.readable("handovers", found, partial(account_merge_of, key="_id"))

    async def end_merge(self, merge: AccountMerge) -> None:
        done = {"_id": merge.user, "heir": merge.heir, "name": merge.name}
        await checked(self._merges.delete_many(done))
        await self._forget_guest(merge.user)

    async def _note(self, merge: AccountMerge) -> None:
        # Of two merges of one user the later counts: they registered, and then left.
        fields = {"heir": merge.heir, "name": merge.name, "leaves": int(merge.leaves)}
        await checked(self._merges.update_one({"_id": merge.user}, {"$set": fields}, upsert=True))

    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        idle = await checked(self._sessions.find({"seen": {"$lt": idle_since}}).limit(limit).to_list(limit))
        aged = await checked(self._sessions.find({"created": {"$lt": begun}}).limit(limit).to_list(limit))
        old = dict(list({one["_id"]: one.get("user", "") for one in (*idle, *aged)}.items())[:limit])
        if old:
            await checked(self._sessions.delete_many({"_id": {"$in": list(old)}}))
        for user in set(old.values()):
            await self._forget_guest(user)
        await checked(self._accounts.delete_many({"held_until": {"$gt": 0, "$lt": now}}))
        return len(old)

    async def _forget_guest(self, user: str) -> None:
        """Deletes a guest who has no session and no game, with everything of theirs."""
        if await checked(self._sessions.find_one({"user": user}, {"_id": 1})) is not None:
            return
        if await checked(self._users.find_one({"_id": user, "guest": 1}, {"_id": 1})) is None:
            return
        for color in ("white", "black"):
            if await checked(self._games.find_one({color: user}, {"_id": 1})) is not None:
                return
        for collection, field in self._of_guests:
            await checked(collection.delete_many({field: user}))
        await checked(self._users.delete_one({"_id": user, "guest": 1}))
