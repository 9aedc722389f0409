"""Accounts and their sessions in MongoDB.

Not every server that speaks the protocol has transactions. So each operation is a series of writes in an order that
leaves a valid state if it stops between any two: first the write that decides, then those that follow from it, which
the next operation that needs them repeats.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from server.games.player import DELETED_NAME
from server.storage.errors import Duplicate
from server.storage.fields import flat
from server.storage.mongo.client import checked, insert
from server.storage.mongo.people import session_document
from server.storage.record_kinds import ACCOUNTS, USERS
from server.storage.tables.accounts import (
    Account,
    AccountMerge,
    AccountStore,
    NameTaken,
    PasswordChanged,
    Session,
    UserChatLine,
    account_keys,
    account_of,
    fold,
    user_chat_line_of,
)
from server.storage.tables.table import Table

ALIKE = "alike"
"""A field of an account: the folded form of its name. Its id may be that of an earlier release."""
OF_GUESTS = (
    *(("alerts", "owner"), ("calls", "_id"), ("devices", "owner"), ("ties", "owner"), ("ties", "other")),
    *(("reports", "owner"), ("reports", "about"), ("notes", "owner")),
    *(("report_cases", "_id"), ("sanctions", "owner"), ("guest_networks", "_id")),
    *(("standings", "player"), ("scores", "player"), ("counted", "player")),
)
"""Collections with what is deleted with a guest, and their field with the owner."""
LEAVING: Final = "leaving"
"""A field of a deleted account: 1 while its merge may not be noted yet, or its sessions may be there."""
HEIR: Final = "heir"
"""A field of a guest: whose they become, by the first of all writes of it. Their own id: they register."""


class MongoAccounts(AccountStore):
    """Accounts in MongoDB. Call `prepare` once before use."""

    def __init__(self, database: Any, table: Table, users: Table, sessions: Table, merges: Table) -> None:
        super().__init__(table, users, sessions, merges)
        self._damage = table.damage
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

    async def is_free(self, name: str) -> bool:
        either = {"$or": [{"_id": fold(name)}, {ALIKE: fold(name)}]}
        return await checked(self._accounts.find_one(either, {"_id": 1})) is None

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
        # Who signs in to another account with this guest's session at the same time leaves them to this one, or has
        # claimed them before.
        if not await self._claim_guest(account.user, account.user):
            await checked(self._accounts.delete_one({"_id": account.folded, "user": account.user}))
            raise Duplicate("There is no such guest any more.")
        await self._enter(account, session, instead_of)

    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        now_valid = {"_id": account.folded, "user": account.user, "password": account.password, "held_until": 0}
        now = {"places": " ".join(account.places)} | ({"password": ""} if account.once_until else {})
        found = await checked(self._accounts.update_one(now_valid, {"$set": now}))
        if found.matched_count == 0:
            raise PasswordChanged("The password has changed meanwhile.")
        await self._enter(account, session, instead_of)

    async def _enter(self, account: Account, session: Session, instead_of: str) -> None:
        # At sign-in this completes a registration that stopped after its first write.
        registers = await self._is_guest(account.user)
        if registers:
            await self._note(AccountMerge(account.user, account.user, account.name))
        await insert(self._sessions, session_document(session))
        if account.generation:
            sessions = await self.sessions(account.user)
            await self._delete_sessions([one.token_hash for one in sessions if one.generation < account.generation])
        before = await checked(self._sessions.find_one({"_id": instead_of})) if instead_of else None
        if before is not None:
            # A guest who has an account was about to register when that was cut short: signing in to it completes it.
            has_account = await self._has_account(before["user"])
            if not has_account and await self._claim_guest(before["user"], account.user):
                await self._note(AccountMerge(before["user"], account.user, account.name))
            await checked(self._sessions.delete_one({"_id": instead_of}))
        if registers:
            # They may sign in from another browser than that in which their registration was cut short.
            await self.end_sessions(account.user, but=session.token_hash)
        # Last: else the guest's session, whose token may be planted, would be one of a member if this stopped before.
        member = {"$set": {"name": account.name, "guest": 0}, "$unset": {HEIR: ""}}
        await checked(self._users.update_one({"_id": account.user}, member))

    async def _delete_sessions(self, hashes: Sequence[str]) -> None:
        if hashes:
            await checked(self._sessions.delete_many({"_id": {"$in": list(hashes)}}))

    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        found = await checked(self._chat.find({"player": user}).sort("number", 1).to_list(None))
        return self._damage.readable("chat", found, user_chat_line_of)

    async def delete(self, account: Account, held_until: int) -> None:
        whose = {"_id": account.folded, "user": account.user, "password": account.password, "held_until": 0}
        changes = {"password": "", "places": "", "held_until": held_until, LEAVING: 1}
        found = await checked(self._accounts.update_one(whose, {"$set": changes}))
        if found.matched_count == 0:
            gone = {"_id": account.folded, "user": account.user, "held_until": {"$gt": 0}}
            if await checked(self._accounts.find_one(gone, {"_id": 1})) is None:
                raise PasswordChanged("The password has changed meanwhile.")
        await self._leave(account.folded, account.user)

    async def _leave(self, folded: str, user: str) -> None:
        """What follows from the write that deletes an account; repeating it completes it."""
        await self._note(AccountMerge(user, user, DELETED_NAME, leaves=True))
        await self.end_sessions(user)
        await checked(self._users.delete_one({"_id": user}))
        await checked(self._accounts.update_one({"_id": folded, "user": user}, {"$unset": {LEAVING: ""}}))

    async def merges(self, user: str = "") -> Sequence[AccountMerge]:
        if not user:
            for left in await checked(self._accounts.find({LEAVING: 1}, {"user": 1}).to_list(None)):
                await self._leave(left["_id"], left["user"])
        return await super().merges(user)

    async def end_merge(self, merge: AccountMerge) -> None:
        done = {"_id": merge.user, "heir": merge.heir, "name": merge.name}
        # Before the note goes: nothing else would look for the guest again.
        await self._forget_guest(merge.user)
        await checked(self._merges.delete_many(done))

    async def _note(self, merge: AccountMerge) -> None:
        # Of two merges of one user the later counts: they registered, and then left.
        fields = {"heir": merge.heir, "name": merge.name, "leaves": int(merge.leaves)}
        await checked(self._merges.update_one({"_id": merge.user}, {"$set": fields}, upsert=True))

    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        idle = await checked(self._sessions.find({"seen": {"$lt": idle_since}}).limit(limit).to_list(limit))
        aged = await checked(self._sessions.find({"created": {"$lt": begun}}).limit(limit).to_list(limit))
        old = dict(list({one["_id"]: one.get("user", "") for one in (*idle, *aged)}.items())[:limit])
        # The sessions last: by them the next look finds the guests whom a crash has left.
        for user in set(old.values()):
            await self._forget_guest(user, old)
        if old:
            await checked(self._sessions.delete_many({"_id": {"$in": list(old)}}))
        await checked(self._accounts.delete_many({"held_until": {"$gt": 0, "$lt": now}}))
        return len(old)

    async def _claim_guest(self, user: str, heir: str) -> bool:
        """Marks a guest as taken over by `heir`; returns False if `user` is no guest, or has become somebody else.

        Idempotent. If two accounts take over the same guest, the later one gets them.
        """
        others = {"$in": [None, user]} if user == heir else {"$ne": user}
        claimed = {"_id": user, "guest": 1, HEIR: others}
        return bool((await checked(self._users.update_one(claimed, {"$set": {HEIR: heir}}))).matched_count)

    async def _has_account(self, user: str) -> bool:
        return await checked(self._accounts.find_one({"user": user}, {"_id": 1})) is not None

    async def _is_guest(self, user: str) -> bool:
        return await checked(self._users.find_one({"_id": user, "guest": 1}, {"_id": 1})) is not None

    async def _forget_guest(self, user: str, ending: Collection[str] = ()) -> None:
        """Deletes a guest who has no game, and no session but those that are `ending`, with everything of theirs."""
        sessions = await checked(self._sessions.find({"user": user}, {"_id": 1}).to_list(None))
        if any(one["_id"] not in ending for one in sessions):
            return
        # Of a guest with an account the registration was cut short: it is completed when they sign in.
        if not await self._is_guest(user) or await self._has_account(user):
            return
        for color in ("white", "black"):
            if await checked(self._games.find_one({color: user}, {"_id": 1})) is not None:
                return
        for collection, field in self._of_guests:
            await checked(collection.delete_many({field: user}))
        await checked(self._users.delete_one({"_id": user, "guest": 1}))
