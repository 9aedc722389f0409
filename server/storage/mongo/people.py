"""Users and sessions in MongoDB."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from server.storage.damage import WRONG, Damage, reason
from server.storage.errors import Duplicate
from server.storage.mongo.client import checked, insert
from server.storage.record_kinds import USERS
from server.storage.tables.accounts import Session, User, session_of, user_of


class MongoPeople:
    """A `UserStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._users = database["users"]
        self._sessions = database["sessions"]
        self._accounts = database["accounts"]

    async def add_guest(self, user: User, session: Session) -> None:
        # A session without its user is none, so until the second write there is neither.
        await insert(self._sessions, session_document(session))
        fields = asdict(user)
        person = {"_id": fields.pop("id"), **fields, "guest": int(user.guest)}
        try:
            await insert(self._users, person)
        except Duplicate:
            await self.end_session(session.token_hash)
            raise

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        session = await checked(self._sessions.find_one({"_id": token_hash}))
        if session is None:
            return None
        user = await checked(self._users.find_one({"_id": session.get("user")}))
        if user is None:
            return None
        try:
            # A node of an earlier release may have written it while this one was started.
            found = user_of({**USERS.added, **user}, "_id"), session_of(session, "_id")
        except WRONG as error:
            self._damage.note("sessions", token_hash, reason(error))
            return None
        return found if await self._is_good(*found) else None

    async def _is_good(self, user: User, session: Session) -> bool:
        """Has the account, if there is one, the password by which the session was opened?"""
        if user.guest:
            return True
        account = await checked(self._accounts.find_one({"user": user.id, "held_until": 0}, {"generation": 1}))
        return account is not None and account.get("generation", 0) == session.generation

    async def touch_session(self, token_hash: str, seen: int) -> None:
        await checked(self._sessions.update_one({"_id": token_hash}, {"$max": {"seen": seen}}))

    async def end_session(self, token_hash: str) -> None:
        await checked(self._sessions.delete_one({"_id": token_hash}))


def session_document(session: Session) -> Mapping[str, Any]:
    """The session as MongoDB keeps it, by the hash of its token."""
    fields = asdict(session)
    return {"_id": fields.pop("token_hash"), **fields}
