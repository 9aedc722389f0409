"""What people do with their accounts: register, sign in and out, change the password, leave. Knows no page.

Every new session gets a new token and ends the one that the browser had, so that a token planted before is worthless.
A wrong name and a wrong password get the same answer after the same amount of work.

Strangers who try passwords never lock the owner out, not even after a restart: the networks and browsers are known from
which the owner has signed in. A network is kept with the account as 16 bits of a hash of person and network. Somebody
who steals the store learns next to nothing from it, as one network in 65,536 has the same mark; and a stranger who has
it by chance gets only the usual attempts. A browser keeps a signed cookie that names the account, and so is known in
every network. It is no session: all it does is to be heard before strangers, at that account only, and a password is
asked for as ever.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.joining import Answer, JoinRequest, NotWelcome, SignUp, check_invitation
from server.games.people import GUEST_MARK
from server.games.player import Player
from server.mail.tokens import BadToken, read_token, sign_token
from server.realtime.services.account_merges import AccountMerges
from server.realtime.services.desk import delete_account
from server.realtime.services.joining import Stores, ask_to_join, end_request, take_place
from server.settings import reader_of
from server.storage.errors import Duplicate, StoreError, Unavailable
from server.storage.tables.accounts import Account, AccountStore, NameTaken, PasswordChanged, Session, User, fold
from server.storage.tables.tokens import TokenStore
from server.web.accounts.credentials import Hashing, check_name, check_password
from server.web.budgets.callers import address_key
from server.web.budgets.limits import Limits, charge
from server.web.rendering.problems import Problem
from server.web.session import Sessions, Visitor, browser_of, guest_name
from server.web.websocket.open_sockets import SERVICE_RESTART, SESSION_ENDED, OpenSockets

MOST_NETWORKS: Final = 8
BROWSER: Final = "known-browser"
"""The cookie, and the purpose for which its content is signed."""
BROWSER_KEPT_MS: Final = 180 * DAY_MS

NAME_HELD = 180 * DAY_MS
"""For half a year nobody can take the name of a deleted account and pass for its owner."""
FOLLOW_S = 2.0
ONCE = DAY_MS
"""A password set by the host is good for one sign-in within a day."""


@dataclass(frozen=True, slots=True)
class Joins:
    """How somebody joins: by which `invitation` (a code, "" for none), or what they say (`words`) to be let in, and
    where and in which language they read the answer.
    """

    invitation: str = ""
    words: str = ""
    mailbox: str = ""
    language: str = "en"


NO_JOINS: Final = Joins()


class SignInAgain(Exception):
    """The new password is in force, but the store failed before there was a session by it."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts of one site. `now` gives ms since the epoch."""

    stores: Stores
    store: AccountStore
    tokens: TokenStore
    sessions: Sessions
    hashing: Hashing
    limits: Limits
    open_sockets: OpenSockets
    merges: AccountMerges
    now: Callable[[], int]

    async def register(self, request: web.Request, name: str, password: str, joins: Joins = NO_JOINS) -> Visitor | None:
        """Gives the guest of this browser, or a new one, a name and a password. They keep their id, and so their games.

        None: they have asked to join, now or before, and nobody has answered yet.

        Raises BadName, BadPassword, NotWelcome: not everybody may join; Problem: 403 refused, 409 taken, 429, 503.
        """
        folded = check_name(name)
        check_password(password, name)
        self.sessions.sanctions.check_text(name)
        guest = await self.sessions.find(request)
        if guest is not None and not guest.user.guest:
            raise Problem(409, "registered_already")
        address = address_key(request, self.sessions.settings)
        charge(self.limits.registrations, address, self.now())
        if (found := await self.store.find(folded)) is not None:
            if guest is None or found.user != guest.user.id:
                raise Problem(409, "name_taken")
            # Their registration was cut short; signing in completes it.
            visitor, _ = await self.sign_in(request, name, password)
            return visitor
        if not await self.store.is_free(name):
            # It was somebody's until recently.
            raise Problem(409, "name_taken")
        held = await self.stores.joining.request(folded)
        if held is not None:
            # Whoever knows the password of a request comes in by it: it is guessed as slowly as that of an account.
            charge(self.limits.sign_ins_of_strangers, folded, self.now())
        if held is not None and not await self.hashing.matches(password, held.password, address, known=False):
            raise Problem(409, "name_taken")
        if held is None or held.answer is not Answer.ACCEPTED:
            if held is not None and held.answer is Answer.REFUSED:
                raise refused(held)
            asks = await self._way_in(joins, address)
            if asks and held is not None:
                return None
            if asks:
                await self._ask_to_join(request, name, password, joins)
                return None
        hashed = held.password if held else await self.hashing.hash(password, address, known=False)
        guest = guest or await self.sessions.new_guest(request)
        if joins.invitation and (held is None or held.answer is not Answer.ACCEPTED):
            await take_place(self.stores, joins.invitation, guest.user.id, folded, self.now())
        return await self._enter(request, guest, name, hashed, held)

    async def _way_in(self, joins: Joins, address: str) -> bool:
        """Whether they have to ask first. Raises NotWelcome, Problem (429)."""
        sign_up = (await self.stores.site_settings.read()).joining.sign_up
        if sign_up is SignUp.CLOSED:
            raise NotWelcome("sign_up_closed")
        if joins.invitation:
            # The same on a site that is open: what is over must not pass for an invitation.
            charge(self.limits.misses, address, self.now())
            check_invitation(await self.stores.joining.invitation(joins.invitation), self.now())
        elif sign_up is SignUp.INVITED:
            raise NotWelcome("sign_up_invited")
        return sign_up is SignUp.ASKED and not joins.invitation

    async def _ask_to_join(self, request: web.Request, name: str, password: str, joins: Joins) -> None:
        folded, address = fold(name), address_key(request, self.sessions.settings)
        charge(self.limits.join_requests_in_all, address, self.now())
        hashed = await self.hashing.hash(password, address, known=False)
        network = await self.sessions.network_of(request)
        if joins.mailbox:
            charge(self.limits.join_answers, reader_of(joins.mailbox), self.now())
        asked = JoinRequest(
            *(folded, name, hashed, joins.words, self.now(), joins.mailbox, joins.language), network=network
        )
        if not await ask_to_join(self.stores, asked):
            raise Problem(409, "name_taken")

    async def _enter(
        self, request: web.Request, guest: Visitor, name: str, hashed: str, held: JoinRequest | None
    ) -> Visitor:
        """Makes the account of a guest with that password, who had asked to join or not. Raises Problem (409)."""
        address = address_key(request, self.sessions.settings)
        token, session = self.sessions.fresh(guest.user.id, browser=browser_of(request))
        places = (network_mark(guest.user.id, address),)
        account = Account(fold(name), guest.user.id, name, hashed, self.now(), places=places)
        with self.open_sockets.replacing(guest.key):
            try:
                await self.store.register(account, session, instead_of=guest.key)
            except NameTaken:
                raise Problem(409, "name_taken") from None
            except Duplicate:
                raise Problem(409, "registered_already") from None
            if held is not None:
                await end_request(self.stores, held)
            await self.follow(guest.user.id)
            self.open_sockets.end_sessions({guest.key}, SERVICE_RESTART)
        return Visitor(replace(guest.user, name=name, guest=False), session.token_hash, token)

    async def choose_guest_name(self, request: web.Request, name: str) -> Visitor:
        """Gives the guest of this browser, or a new one, that name behind `GUEST_MARK`; "": one that is made up.

        It counts for the games that they will play. Raises BadName, Problem: 409, 429, 503.
        """
        if name:
            check_name(name)
            if await self.store.find(name) is not None:
                raise Problem(409, "name_taken")
        visitor = await self.sessions.require(request)
        charge(self.limits.ties, visitor.user.id, self.now())
        self.sessions.sanctions.check_speech(visitor.user.id, "", self.now())
        self.sessions.sanctions.check_text(name)
        chosen = f"{GUEST_MARK}{name}" if name else guest_name()
        if not await self.store.rename_guest(visitor.user.id, chosen):
            raise Problem(409, "registered_already")
        # Their open pages come back by the new name.
        self.open_sockets.end_sessions({visitor.key}, SERVICE_RESTART)
        return replace(visitor, user=replace(visitor.user, name=chosen))

    async def sign_in(self, request: web.Request, name: str, password: str, browser: str = "") -> tuple[Visitor, bool]:
        """Signs this browser in; returns who that is, and whether they still have a password, not one that was good
        once. `browser`: who has signed in there before, "" if nobody has. Raises Problem: 403, 429, 503.
        """
        folded, address = fold(name), address_key(request, self.sessions.settings)
        found = await self.store.find(name)
        at_home = found is not None and found.user == browser
        # Whoever else is in the owner's network uses up nothing of what their browser may try.
        charge(self.limits.sign_ins, f"{folded} at home" if at_home else f"{folded} {address}", self.now())
        known = at_home or (found is not None and network_mark(found.user, address) in found.places)
        if not known:
            charge(self.limits.sign_ins_of_strangers, folded, self.now())
        refusal = Problem(403, "wrong_password")
        if found is None and (held := await self.stores.joining.request(folded)) is not None:
            try:
                return await self._come_in(request, held, password, refusal), True
            except Problem as problem:
                if problem.id not in ("name_taken", "registered_already"):
                    raise
        # Their own second press may have made an account of the request since the first look.
        found = found or await self.store.find(name)
        account = await self.verified(found, password, refusal, address, known=known)
        account = replace(account, places=with_network(account.places, network_mark(account.user, address)))
        before = await self.sessions.find(request)
        try:
            visitor = await self._start_session(request, account, before.key if before else "")
        except PasswordChanged:
            raise refusal from None
        if before is not None and before.user.guest:
            await self.follow(before.user.id)
            self.open_sockets.end_sessions({before.key}, SERVICE_RESTART)
        return visitor, not account.once_until

    async def _come_in(self, request: web.Request, held: JoinRequest, password: str, refusal: Problem) -> Visitor:
        """Who has asked to join reads the answer; whose request was accepted has an account from now on.

        Raises Problem: 403 (`refusal`: it is not their password), 409, 429, 503.
        """
        address = address_key(request, self.sessions.settings)
        if not await self.hashing.matches(password, held.password, address, known=False):
            raise refusal
        if held.answer is Answer.REFUSED:
            raise refused(held)
        if held.answer is Answer.WAITING:
            raise Problem(403, "join_waiting")
        guest = await self.sessions.find(request)
        if guest is None or not guest.user.guest:
            guest = await self.sessions.new_guest(request)
        return await self._enter(request, guest, held.name, held.password, held)

    async def sign_out(self, visitor: Visitor) -> None:
        """Signs this browser out, but not a guest, who could never come back."""
        if not visitor.user.guest:
            await self.sessions.store.end_session(visitor.key)
            self.open_sockets.end_sessions({visitor.key}, SESSION_ENDED)

    async def end_session(self, visitor: Visitor, session: str) -> None:
        """Signs this person out of one of their browsers, by the hash of its token; nothing if that is over already."""
        if await self.store.end_session_of(visitor.user.id, session):
            self.open_sockets.end_sessions({session}, SESSION_ENDED)

    async def sign_out_everywhere(self, visitor: Visitor) -> None:
        """Signs this person out of all browsers, including this one. Raises Problem (403)."""
        account = await self.of(visitor)
        self.open_sockets.end_sessions(await self.store.end_sessions(account.user), SESSION_ENDED)

    async def change_password(self, request: web.Request, visitor: Visitor, old: str, new: str) -> Visitor:
        """Changes the password, if `old` is right, signs out all their other browsers and ends their tokens.

        After a reset by the host there is no old password, and none is needed. Raises Problem, SignInAgain.
        """
        account = await self.of(visitor)
        if account.password:
            account = await self.confirmed(visitor, account, old)
        check_password(new, account.name)
        with self.open_sockets.replacing(visitor.key):
            try:
                after = await self._set_password(account, await self.hashing.hash(new), but=visitor.key)
            except PasswordChanged:
                raise await self.changed_meanwhile(account) from None
            try:
                return await self._start_session(request, after, visitor.key)
            except PasswordChanged:
                raise await self.changed_meanwhile(account) from None
            except StoreError:
                # It is changed: whoever is told that nothing was saved would try their old one in vain.
                raise SignInAgain from None

    async def _set_password(self, account: Account, hashed: str, but: str = "") -> Account:
        """The one write by which a new password is in force, and no session and no token of an old one is any more.

        What is left of these is deleted when their owner signs in. Closes the sockets of all sessions except `but`.
        Raises PasswordChanged, Unavailable.
        """
        before = await self._opened(account)
        try:
            after = await self.store.set_password(account, hashed)
        except Unavailable:
            # It may have arrived, and only the answer was lost.
            found = await self.store.of_user(account.user)
            if found is None or found.password != hashed:
                raise
            after = found
        # Somebody may have signed in between the first look and the write: theirs is over, too.
        opened = before | await self._opened_until(after)
        self.open_sockets.end_sessions(opened - {but}, SESSION_ENDED)
        return after

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
        await self._set_password(account, await self.hashing.hash(new))

    async def delete(self, visitor: Visitor, password: str) -> None:
        """Deletes the account. The name stays reserved for half a year. Raises Problem; NotAllowed: the last host."""
        account = await self.confirmed(visitor, await self.of(visitor), password)
        await self.delete_for_owner(account, Player(account.user, account.name))

    async def delete_for_owner(self, account: Account, by: Player) -> None:
        """Deletes the account, as it was read, as `by` has decided, its owner or a host. Raises as above."""
        open_now = await self._opened(account)
        try:
            now = self.now()
            await delete_account(self.stores.desk, self.store, account, now + NAME_HELD, now, by)
        except PasswordChanged:
            raise await self.changed_meanwhile(account) from None
        self.open_sockets.end_sessions(open_now, SESSION_ENDED)
        await self.follow(account.user)

    async def _opened_until(self, account: Account) -> set[str]:
        """The hashes of what was opened by earlier passwords; nothing if the store is away just then."""
        try:
            return {
                session.token_hash
                for session in await self.store.sessions(account.user)
                if session.generation < account.generation
            }
        except Unavailable:
            return set()

    async def _opened(self, account: Account) -> set[str]:
        """The hashes of its sessions and tokens. Raises Unavailable."""
        sessions = {session.token_hash for session in await self.store.sessions(account.user)}
        return sessions | {token.hashed for token in await self.tokens.of(account.user)}

    async def follow(self, user: str) -> None:
        """Moves their games to them; they need not wait for the last of a great many."""
        await asyncio.wait({self.merges.start(user)}, timeout=FOLLOW_S)

    async def sessions_of(self, visitor: Visitor) -> Sequence[Session]:
        """The sessions of this person that are good, last used first. Raises Problem (403)."""
        account = await self.of(visitor)
        sessions = [one for one in await self.store.sessions(account.user) if one.generation == account.generation]
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

    async def _start_session(self, request: web.Request, account: Account, instead_of: str) -> Visitor:
        """A new session for the account, in place of the one with the hash `instead_of`. Raises PasswordChanged."""
        token, session = self.sessions.fresh(account.user, account.generation, browser_of(request))
        await self.store.sign_in(account, session, instead_of)
        if account.generation:
            # They are good no more; a session that could not be told of would be lost.
            with contextlib.suppress(Unavailable):
                await self.tokens.end_before(account.user, account.generation)
        self.open_sockets.end_sessions({instead_of}, SERVICE_RESTART)
        user = User(account.user, account.name, guest=False, created=account.created)
        return Visitor(user, session.token_hash, token)

    async def confirmed(self, visitor: Visitor, account: Account, password: str) -> Account:
        """The account, if its signed-in owner knows the password. Raises Problem."""
        charge(self.limits.passwords, visitor.key, self.now())
        return await self.verified(account, password, Problem(403, "not_your_password"))

    async def verified(
        self, account: Account | None, password: str, refusal: Problem, caller: str = "", *, known: bool = True
    ) -> Account:
        """The account, if the password is right, with an up-to-date hash. Raises Problem (`refusal`, 503).

        `caller`: the address that asks, `known` as one of the owner's.
        """
        same = await self.hashing.matches(password, account.password if account else "", caller, known=known)
        if account is None or not same or 0 < account.once_until < self.now():
            raise refusal
        if account.once_until or not self.hashing.outdated(account.password):
            return account
        try:
            return await self.store.set_password(account, await self.hashing.hash(password), same=True)
        except PasswordChanged:
            raise refusal from None


ACCOUNTS = web.AppKey("ACCOUNTS", Accounts)


def refused(request: JoinRequest) -> Problem:
    """What somebody reads who may not join."""
    if request.reason:
        return Problem(403, "join_refused_why", reason=request.reason)
    return Problem(403, "join_refused")


def network_mark(user: str, network: str) -> str:
    """The mark of `network` for that person."""
    return blake2b(f"{user} {network}".encode(), digest_size=2).hexdigest()


def with_network(places: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The places, of which `mark` is the latest."""
    return (*(each for each in places if each != mark), mark)[-MOST_NETWORKS:]


def browser_token(key: bytes, user: str, now: int) -> str:
    """What a browser keeps in which that person has signed in at `now` (ms). `key`: that which the site signs with."""
    return sign_token(key, BROWSER, (user,), now + BROWSER_KEPT_MS)


def owner_of_browser(key: bytes, token: str, now: int) -> str:
    """Who has signed in in the browser that keeps `token`; "" if nobody has, or it was too long before `now` (ms)."""
    try:
        (user,) = read_token(key, BROWSER, token, now)
    except BadToken:
        return ""
    return user
