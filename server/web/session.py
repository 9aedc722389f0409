"""Who a browser is: the cookie, the person behind it, and when both expire. Knows no page and no game.

The cookie holds 256 random bits without meaning; the store keeps only their SHA-256, so that a stolen store opens no
session. The first real action, a POST, creates a session; loading pages leaves no trace.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_network
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.people import ANIMALS, MANNERS
from server.games.player import Player
from server.realtime.moderation import Sanctions
from server.realtime.runtime.ids import digest, new_id
from server.settings import Settings
from server.storage.errors import Duplicate
from server.storage.tables.accounts import Session, User, UserStore
from server.storage.tables.sanctions import SanctionStore
from server.web.budgets.callers import Address, address_key, caller_of
from server.web.budgets.limits import Limits, charge
from server.web.rendering.problems import Problem


def guest_name() -> str:
    """A random name such as QuietHeron27. Two guests may share one; ids tell people apart."""
    return f"{secrets.choice(MANNERS)}{secrets.choice(ANIMALS)}{10 + secrets.randbelow(90)}"


def network_mark(key: bytes, caller: Address | None) -> str:
    """The keyed hash of the network of a caller, a /24 or /48; "" if that is not known, or of this machine itself."""
    if caller is None or caller.is_loopback:
        return ""
    network = ip_network((caller, 24 if caller.version == 4 else 48), strict=False)
    return hmac.new(key, f"network {network}".encode(), sha256).hexdigest()[:32]


IDLE = 30 * DAY_MS
ABSOLUTE = 90 * DAY_MS
TOKEN_LENGTH = 43
BROWSERS: Final = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox")),
    *(("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")),
)
"""How browsers give themselves away in `User-Agent`, and their names; those that name others, too, come first."""
SYSTEMS: Final = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS"), ("Windows", "Windows")),
    *(("Macintosh", "macOS"), ("Linux", "Linux")),
)


def browser_of(request: web.Request) -> str:
    """The names of the browser and its system, as a session keeps them: of what browsers tell nothing more is kept."""
    told = request.headers.get("User-Agent", "")
    return "/".join(next((name for sign, name in known if sign in told), "") for known in (BROWSERS, SYSTEMS))


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person at a browser. `key` identifies the session in limits; `token` is set if the cookie must be sent."""

    user: User
    key: str
    token: str | None = None

    @property
    def player(self) -> Player:
        return Player(self.user.id, self.user.name)


VISITOR: web.RequestKey[Visitor | None] = web.RequestKey("visitor")
"""Where a request keeps its visitor once that is known; None: nobody."""
SHUT_OUT: web.RequestKey[Visitor] = web.RequestKey("shut_out")
"""Where it keeps somebody whom the host has shut out: nobody, but for the page that tells them why."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """Finds and creates sessions. `now` gives ms since the epoch. `sanctions`: what the host has decided, for
    `networks`, from which no guests may come, and people who are shut out.
    """

    settings: Settings
    store: UserStore
    limits: Limits
    now: Callable[[], int]
    sanctions: Sanctions
    networks: SanctionStore
    signing_key: Callable[[], Awaitable[bytes]]

    @property
    def cookie(self) -> str:
        """The name of the cookie. Browsers send a __Host- cookie only to this very host, and only over https."""
        return "__Host-sid" if self.settings.secure else "sid"

    async def find(self, request: web.Request) -> Visitor | None:
        """Who the cookie says it is, or None if it is missing, forged or expired. Looked up once per request.

        Stores nothing except, once a day, that the session is in use. The cookie is then sent again too, or people who
        only read pages and play over the socket would lose it after a month.
        """
        if VISITOR not in request:
            request[VISITOR] = await self.look_up(request)
        return request[VISITOR]

    async def find_even_shut_out(self, request: web.Request) -> Visitor | None:
        """The same, also for somebody whom the host has shut out: they may read why, and answer."""
        return await self.find(request) or request.get(SHUT_OUT)

    async def member(self, request: web.Request) -> Visitor | None:
        """The same, but None for a guest."""
        visitor = await self.find(request)
        return None if visitor is None or visitor.user.guest else visitor

    def key_of(self, request: web.Request) -> str:
        """The key of the session that the cookie claims to be, "" without a cookie. It need not exist."""
        token = request.cookies.get(self.cookie, "")
        return digest(token) if len(token) == TOKEN_LENGTH and token.isascii() else ""

    async def look_up(self, request: web.Request) -> Visitor | None:
        """The visitor from the store. Raises Unavailable."""
        key, token = self.key_of(request), request.cookies.get(self.cookie, "")
        if key == "":
            return None
        found = await self.store.session(key)
        if found is None or self.expired(found[1]):
            return None
        user, session = found
        if self.sanctions.shut_out(user.id, self.now()) is not None:
            request[SHUT_OUT] = Visitor(user, session.token_hash)
            return None
        if self.now() - session.seen < DAY_MS:
            return Visitor(user, session.token_hash)
        await self.store.touch_session(session.token_hash, self.now())
        return Visitor(user, session.token_hash, token)

    async def require(self, request: web.Request) -> Visitor:
        """The visitor, or a new guest if there is none. Raises Problem if too many guests are created."""
        visitor = await self.find(request)
        if visitor is None:
            return await self.new_guest(request)
        await self.store.touch_session(visitor.key, self.now())
        return Visitor(visitor.user, visitor.key, request.cookies[self.cookie])

    async def new_guest(self, request: web.Request) -> Visitor:
        """Stores a guest with a new name and session. Raises Problem (429, 503), Unavailable."""
        if SHUT_OUT in request:
            raise Problem(403, "shut_out")
        now = self.now()
        address = address_key(request, self.settings)
        charge(self.limits.guests, address, now)
        charge(self.limits.guests_in_all, address, now)
        network = await self.network_of(request)
        if network and await self.networks.is_blocked(network, now):
            raise Problem(403, "no_new_guests")
        for _ in range(5):
            user = User(new_id(), guest_name(), guest=True, created=now)
            token, session = self.fresh(user.id)
            try:
                await self.store.add_guest(user, session)
            except Duplicate:
                continue
            if network:
                await self.networks.note_network(user.id, network, now)
            made = request[VISITOR] = Visitor(user, session.token_hash, token)
            return made
        raise Problem(503, "no_guest_name", code="busy", retry_after=1)

    async def network_of(self, request: web.Request) -> str:
        """The mark of the network that a request comes from, as `network_mark` says. Raises Unavailable."""
        return network_mark(await self.signing_key(), caller_of(request, self.settings))

    def fresh(self, user: str, generation: int = 0, browser: str = "") -> tuple[str, Session]:
        """A new token and its session for a user, not stored yet. `generation`: that of their password."""
        token, now = secrets.token_urlsafe(32), self.now()
        return token, Session(digest(token), user, created=now, seen=now, generation=generation, browser=browser)

    def remember(self, response: web.StreamResponse, visitor: Visitor) -> None:
        """Sends the cookie for another 30 days. Lax, so that a link opened from a chat program keeps the seat."""
        if visitor.token is None:
            return
        response.set_cookie(
            self.cookie,
            visitor.token,
            max_age=IDLE // 1000,
            path="/",
            secure=self.settings.secure,
            httponly=True,
            samesite="Lax",
        )

    def renew(self, request: web.Request, response: web.StreamResponse) -> None:
        """Sends the cookie again if the session was marked as in use, unless the answer sets it already."""
        visitor = request.get(VISITOR)
        if visitor is not None and self.cookie not in response.cookies:
            self.remember(response, visitor)

    def forget(self, response: web.StreamResponse) -> None:
        """Deletes the browser's cookie."""
        response.del_cookie(self.cookie, path="/", secure=self.settings.secure, httponly=True, samesite="Lax")

    def expired(self, session: Session) -> bool:
        """Has it not been used for IDLE, or is it older than ABSOLUTE?"""
        now = self.now()
        return now - session.seen > IDLE or now - session.created > ABSOLUTE
