"""What people do with their accounts: register, sign in and out, change the password, leave. Knows no page.

Every new session gets a new token and ends the one that the browser had, so that a token planted before is worthless.
A wrong name and a wrong password get the same answer after the same amount of work.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.realtime.account_merges import AccountMerges
from server.storage.errors import Duplicate
from server.storage.folding import fold
from server.storage.protocols.accounts import Account, AccountStore, NameTaken, PasswordChanged
from server.storage.protocols.people import Session, User
from server.storage.tables.tokens import TokenStore
from server.web.accounts.account_names import check_name
from server.web.accounts.hashing import Hashing
from server.web.accounts.known_networks import mark_of, with_network
from server.web.accounts.passwords import check_password
from server.web.budgets.callers import address_key
from server.web.budgets.limits import Limits, charge
from server.web.rendering.problems import Problem
from server.web.session import Sessions, Visitor
from server.web.websocket.open_sockets import SERVICE_RESTART, SESSION_ENDED, OpenSockets

NAME_HELD = 180 * DAY_MS
"""For half a year nobody can take the name of a deleted account and pass for its owner."""
FOLLOW_S = 2.0
ONCE = DAY_MS
"""A password set by the host is good for one sign-in within a day."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts of one site. `now` gives ms since the epoch."""

    store: AccountStore
    tokens: TokenStore
    sessions: Sessions
    hashing: Hashing
    limits: Limits
    open_sockets: OpenSockets
    merges: AccountMerges
    now: Callable[[], int]

    async def register(self, request: web.Request, name: str, password: str) -> Visitor:
        """Gives the guest of this browser, or a new one, a name and a password. They keep their id, and so their games.

        Raises BadName, BadPassword, Problem: 409 taken, 429, 503.
        """
        folded = check_name(name)
        check_password(password, name)
        guest = await self.sessions.find(request)
        if guest is not None and not guest.user.guest:
            raise Problem(409, "registered_already")
        address = address_key(request, self.sessions.settings)
        charge(self.limits.registrations, address, self.now())
        if await self.store.find(folded) is not None:
            raise Problem(409, "name_taken")
        hashed = await self.hashing.hash(password)
        guest = guest or await self.sessions.new_guest(request)
        token, session = self.sessions.fresh(guest.user.id)
        try:
            await self.store.register(
                Account(folded, guest.user.id, name, hashed, self.now(), places=(mark_of(guest.user.id, address),)),
                session,
                instead_of=guest.key,
            )
        except NameTaken:
            raise Problem(409, "name_taken") from None
        except Duplicate:
            raise Problem(409, "registered_already") from None
        await self.follow(guest.user.id)
        self.open_sockets.end_sessions({guest.key}, SERVICE_RESTART)
        return Visitor(replace(guest.user, name=name, guest=False), session.token_hash, token)

    async def sign_in(self, request: web.Request, name: str, password: str) -> Visitor:
        """Signs this browser in. Raises Problem: 403, 429, 503."""
        folded, address = fold(name), address_key(request, self.sessions.settings)
        charge(self.limits.sign_ins, f"{folded} {address}", self.now())
        found = await self.store.find(name)
        if found is None or mark_of(found.user, address) not in found.places:
            charge(self.limits.sign_ins_of_strangers, folded, self.now())
        refusal = Problem(403, "wrong_password")
        account = await self.verified(found, password, refusal)
        account = replace(account, places=with_network(account.places, mark_of(account.user, address)))
        before = await self.sessions.find(request)
        try:
            visitor = await self._start_session(account, before.key if before else "")
        except PasswordChanged:
            raise refusal from None
        if before is not None and before.user.guest:
            await self.follow(before.user.id)
            self.open_sockets.end_sessions({before.key}, SERVICE_RESTART)
        return visitor

    async def sign_out(self, visitor: Visitor) -> None:
        """Signs this browser out, but not a guest, who could never come back."""
        if not visitor.user.guest:
            await self.sessions.store.end_session(visitor.key)
            self.open_sockets.end_sessions({visitor.key}, SESSION_ENDED)

    async def sign_out_everywhere(self, visitor: Visitor) -> None:
        """Signs this person out of all browsers, including this one. Raises Problem (403)."""
        account = await self.of(visitor)
        self.open_sockets.end_sessions(await self.store.end_sessions(account.user), SESSION_ENDED)

    async def change_password(self, visitor: Visitor, old: str, new: str) -> Visitor:
        """Changes the password, if `old` is right, signs out all their other browsers and ends their tokens.

        After a reset by the host there is no old password, and none is needed. Raises Problem.
        """
        account = await self.of(visitor)
        if account.password:
            account = await self.confirmed(visitor, account, old)
        check_password(new, account.name)
        try:
            hashed = await self.hashing.hash(new)
            await self.store.set_password(account, hashed)
            changed = await self._start_session(replace(account, password=hashed, once_until=0), visitor.key)
        except PasswordChanged:
            raise await self.changed_meanwhile(account) from None
        ended = await self.store.end_sessions(account.user, but=changed.key)
        self.open_sockets.end_sessions(ended, SESSION_ENDED)
        await self.tokens.forget(account.user)
        return changed

    async def choose_listing(self, visitor: Visitor, *, unlisted: bool) -> None:
        """Whether they are left out among those who are on the site. Raises Problem, Unavailable."""
        await self.store.set_choice(await self.of(visitor), "unlisted", unlisted)

    async def choose_flagging(self, visitor: Visitor, *, by_hand: bool) -> None:
        """Stores how they flag in new correspondence games. Raises Problem (403), Unavailable."""
        await self.store.set_choice(await self.of(visitor), "by_hand", by_hand)

    async def recover(self, account: Account, new: str) -> None:
        """Gives `account`, as it was read, a new password, signs its owner out everywhere and ends their tokens:
        whoever has been in the account may have made one.

        Raises BadPassword, PasswordChanged, Problem (503).
        """
        check_password(new, account.name)
        await self.store.set_password(account, await self.hashing.hash(new))
        self.open_sockets.end_sessions(await self.store.end_sessions(account.user), SESSION_ENDED)
        await self.tokens.forget(account.user)

    async def delete(self, visitor: Visitor, password: str) -> None:
        """Deletes the account. The name stays reserved for half a year. Raises Problem."""
        account = await self.confirmed(visitor, await self.of(visitor), password)
        open_now = {session.token_hash for session in await self.store.sessions(account.user)}
        try:
            await self.store.delete(account, self.now() + NAME_HELD)
        except PasswordChanged:
            raise await self.changed_meanwhile(account) from None
        self.open_sockets.end_sessions(open_now, SESSION_ENDED)
        await self.follow(account.user)

    async def follow(self, user: str) -> None:
        """Moves their games to them; they need not wait for the last of a great many."""
        await asyncio.wait({self.merges.start(user)}, timeout=FOLLOW_S)

    async def sessions_of(self, visitor: Visitor) -> Sequence[Session]:
        """The sessions of this person that have not expired, last used first."""
        sessions = await self.store.sessions(visitor.user.id)
        return [session for session in sessions if not self.sessions.expired(session)]

    async def of(self, visitor: Visitor) -> Account:
        """The account of a visitor. Raises Problem (403) if they have none."""
        account = None if visitor.user.guest else await self.store.find(visitor.user.name)
        if account is None or account.user != visitor.user.id:
            raise Problem(403, "not_registered" if visitor.user.guest else "account_deleted")
        return account

    async def changed_meanwhile(self, account: Account) -> Problem:
        """Why an account is not what it was: its password has changed, or it is gone."""
        found = await self.store.find(account.name)
        there = found is not None and found.user == account.user
        return Problem(403, "not_your_password" if there else "account_deleted")

    async def _start_session(self, account: Account, instead_of: str) -> Visitor:
        """A new session for the account, in place of the one with the hash `instead_of`. Raises PasswordChanged."""
        token, session = self.sessions.fresh(account.user)
        await self.store.sign_in(account, session, instead_of)
        self.open_sockets.end_sessions({instead_of}, SERVICE_RESTART)
        user = User(account.user, account.name, guest=False, created=account.created)
        return Visitor(user, session.token_hash, token)

    async def confirmed(self, visitor: Visitor, account: Account, password: str) -> Account:
        """The account, if its signed-in owner knows the password. Raises Problem."""
        charge(self.limits.passwords, visitor.key, self.now())
        return await self.verified(account, password, Problem(403, "not_your_password"))

    async def verified(self, account: Account | None, password: str, refusal: Problem) -> Account:
        """The account, if the password is right, with an up-to-date hash. Raises Problem (`refusal`, 503)."""
        same = await self.hashing.matches(password, account.password if account else "")
        if account is None or not same or 0 < account.once_until < self.now():
            raise refusal
        if account.once_until or not self.hashing.outdated(account.password):
            return account
        hashed = await self.hashing.hash(password)
        try:
            await self.store.set_password(account, hashed)
        except PasswordChanged:
            raise refusal from None
        return replace(account, password=hashed)


ACCOUNTS = web.AppKey("ACCOUNTS", Accounts)
