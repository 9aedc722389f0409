"""What applies to every request, in this order: the language of its answer, answers to problems, the charge for it, the
refusal of other sites, and who sent it. Knows no page.

Each request is charged to the budget of its route before a byte of its body is read. Whatever a page of another site
makes a browser load (pictures, frames, sockets; browsers say so in Sec-Fetch-Site) is not charged to the person at that
browser, who did not ask for it. It has a limit of its own, and is refused unless the budget allows others to embed it.
The visitor is known before the handler runs, as error pages need them too.
"""

import errno
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from server.realtime.play.game_writer import StorageDown
from server.rules.errors import Refusal
from server.settings import Settings
from server.storage.errors import StoreError, Unreadable
from server.web.budgets.callers import PROBES, host_is_known, origin_is_ours
from server.web.budgets.limits import BUDGET, OF_ROUTES, UNKNOWN, Budget, charge
from server.web.edge import forget_where
from server.web.languages import language_of, speak
from server.web.preferences import is_kept_in_account, look_of, preferences_of
from server.web.rendering.answers import POLICY, TEMPLATE_CONTEXT
from server.web.rendering.page_cache import countdown_of
from server.web.rendering.problems import Problem, from_http, respond
from server.web.session import SHUT_OUT, VISITOR, Visitor
from server.web.site import SITE, charge_address, name_of

PICTURES: Final = (".svg", ".png", ".gif")
"""What caches may keep, and so must never carry a cookie."""

FRAMES: Final = ("/embed/", "/oembed", "/ws/embed")
"""What pages of other sites show, which must know nobody."""

ENGINE_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What the workers of Fairy-Stockfish may do, which have no page: run its WebAssembly. No page may."""

_ENGINE: Final = "/static/fairy-stockfish"

log = logging.getLogger(__name__)

READING = frozenset({"GET", "HEAD"})
ONE_YEAR = 31_536_000

SWITCHING = 101


@web.middleware
async def with_language(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives templates what `speak` returns, the `look` of the page, the host's `notice` or None, how long it is until
    the site is restarted, `restarts_in`, or None, what the host has `chosen`, the `site_name` and the `site_accent`,
    `is_bot` for names, and for now `visitor` as None, and as False, whether the host has `decided` something that they
    should read.
    """
    site = request.app[SITE]
    request[TEMPLATE_CONTEXT] = {
        **speak(request),
        "look": look_of(request, site.assets),
        "is_bot": site.live.services.bots.is_named,
        "notice": site.live.notice.current,
        "restarts_in": countdown_of(site.live.notice.restarts_in),
        "visitor": None,
        "chosen": site.live.settings.current,
        "site_name": name_of(site),
        "site_accent": site.live.settings.current.house.accent,
        "decided": False,
    }
    if (contact := site.live.settings.current.house.contact) and not site.settings.host_contact:
        request[TEMPLATE_CONTEXT]["host_contact"] = contact
    return await handler(request)


@web.middleware
async def answer_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turns errors into answers; an unexpected one is logged under a number that the person is told."""
    try:
        return await handler(request)
    except Exception as error:
        if isinstance(error, web.HTTPException) and error.status < 400:
            raise
        answer = _answer_to(error, request)
        forget_where(error)
        return answer


def _answer_to(error: Exception, request: web.Request) -> web.Response:
    """The answer to `error`; call it while the error is handled, so that it can be logged."""
    match error:
        case web.HTTPException():
            response = respond(request, from_http(error))
            if "Allow" in error.headers:
                response.headers["Allow"] = error.headers["Allow"]
            return response
        case Unreadable():
            return respond(request, Problem(500, "damaged"))
        case StorageDown() | StoreError():
            log.warning("the store did not serve %s %s", request.method, request.rel_url.raw_path, exc_info=True)
            return respond(request, Problem(503, "storage", retry_after=5))
        case Refusal():
            return respond(request, error)
        case OSError(errno=errno.ENAMETOOLONG):
            return respond(request, from_http(web.HTTPNotFound()))
        case ConnectionResetError() if _has_left(request):
            return web.Response()
    number = secrets.token_hex(4)
    log.exception("error %s at %s %s", number, request.method, request.rel_url.raw_path)
    return respond(request, Problem(500, "internal", number=number))


def _has_left(request: web.Request) -> bool:
    """Whether the download was cancelled or the page left, so that nobody reads the answer."""
    return request.transport is None or request.transport.is_closing()


@web.middleware
async def within_budget(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Charges the request and keeps its budget with it. Raises Problem (403, 429)."""
    budget = request.app[OF_ROUTES].get(request.match_info.route, UNKNOWN)
    request[BUDGET] = budget
    if from_another_site(request):
        charge_address(request, request.app[SITE].limits.cross_site)
        if not budget.embedded:
            raise Problem(403, "cross_site")
    else:
        await charge_caller(request, budget)
    known = request.get(VISITOR)
    try:
        return await handler(request)
    finally:
        if budget.session and known is None and (made := request.get(VISITOR)) is not None:
            # Who became a guest by this request made the first one of theirs.
            with suppress(Problem):
                charge_session(request, made, budget)


def from_another_site(request: web.Request) -> bool:
    """Whether a page of another site loads this, rather than somebody following a link."""
    headers = request.headers
    return headers.get("Sec-Fetch-Site") == "cross-site" and headers.get("Sec-Fetch-Dest") != "document"


async def charge_caller(request: web.Request, budget: Budget) -> None:
    """Charges the address, and the session if there is one. Raises Problem (429)."""
    site = request.app[SITE]
    try:
        charge_address(request, getattr(site.limits, budget.address), budget.cost)
    except Problem:
        if not (budget.game and await site.seats.let_in(request)):
            raise
    if budget.session and (visitor := await recognised(request)) is not None:
        charge_session(request, visitor, budget)


def charge_session(request: web.Request, visitor: Visitor, budget: Budget) -> None:
    """Takes what the request costs from what its budget leaves to the session. Raises Problem (429)."""
    site = request.app[SITE]
    site.seats.recognised(visitor.key, visitor.user.id)
    charge(getattr(site.limits, budget.session), visitor.key, site.now(), budget.cost)


def guard(settings: Settings) -> Middleware:
    """Refuses requests to another host name, and requests that change something unless they come from our own pages."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not host_is_known(request, settings):
            raise Problem(421, "wrong_host", address=settings.address)
        sent_by_us = request[BUDGET].from_anywhere or origin_is_ours(request, settings)
        # No page of another site can make a browser send that.
        by_program = request.headers.get("Authorization", "").startswith("Bearer ")
        if request.method not in READING and not (sent_by_us or by_program):
            raise Problem(403, "wrong_origin")
        if "Content-Encoding" in request.headers:
            raise Problem(415, "encoded")
        return await handler(request)

    return check


@web.middleware
async def with_visitor(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives templates the `visitor`, if there is one, and what they have chosen in their account.

    The first request of a day renews the cookie for another month.
    """
    if not for_all(request.path):
        visitor = await recognised(request)
        context = request[TEMPLATE_CONTEXT]
        context["visitor"] = visitor
        context["decided"] = has_to_read(request, visitor)
        if visitor is not None and is_kept_in_account(visitor):
            context["look"] = look_of(request, request.app[SITE].assets)
            if preferences_of(request).language not in ("", language_of(request).code):
                context |= speak(request)
    response = await handler(request)
    if not (response.prepared or for_all(request.path) or others_may_keep(response)):
        request.app[SITE].sessions.renew(request, response)
    return response


def has_to_read(request: web.Request, visitor: Visitor | None) -> bool:
    """Has the host decided something about this person that they have not confirmed to have read?"""
    site, known = request.app[SITE], visitor or request.get(SHUT_OUT)
    if known is None:
        return False
    if visitor is None:
        # However often they have read it: nothing else says why they are nobody here.
        return True
    return any(not one.seen for one in site.live.services.sanctions.of(known.user.id, site.now()))


def others_may_keep(response: web.StreamResponse) -> bool:
    """Whether a shared cache may give this answer to others, who would then get a cookie on it too."""
    return response.headers.get("Cache-Control", "").startswith("public")


def for_all(path: str) -> bool:
    """Is what has that path the same for everybody, so that nobody need be recognised?"""
    return path.startswith(("/static/", *FRAMES)) or path in PROBES or path.endswith(PICTURES)


async def recognised(request: web.Request) -> Visitor | None:
    """The visitor, or None. If the store is away, readers become strangers rather than get an error."""
    try:
        return await request.app[SITE].sessions.find(request)
    except StoreError as error:
        log.info("nobody can be recognised: %s", error)
        return None


def headers(settings: Settings) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Sets the headers of every answer just before it is sent, unless a handler has set them."""
    fixed = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if settings.secure:
        fixed["Strict-Transport-Security"] = f"max-age={ONE_YEAR}"

    async def add(request: web.Request, response: web.StreamResponse) -> None:
        response.headers.popall("Server", None)
        if response.status == SWITCHING:
            # Browsers ignore the others there.
            return
        for name, value in fixed.items():
            response.headers.setdefault(name, value)
        engine = runs_webassembly(request.path)
        policy = ENGINE_POLICY if engine else content_policy(request.host, settings.secure)
        response.headers.setdefault("Content-Security-Policy", policy)
        if request.path.startswith("/static/") and response.status in (200, 206, 304):
            # For those that run as workers; it means nothing to others.
            response.headers.update(POLICY)
            response.headers["Cache-Control"] = f"public, max-age={ONE_YEAR}, immutable"
        else:
            response.headers.setdefault("Cache-Control", "no-store")

    return add


def content_policy(host: str, secure: bool) -> str:
    """What a page may load and run: the site's own files, nothing inline. `host` has passed `guard`, or gets a 421."""
    sockets = socket_source(host, secure)
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"media-src 'self'; connect-src 'self'{sockets}; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
        "require-trusted-types-for 'script'; trusted-types worker engine 'allow-duplicates'"
    )
    return f"{policy}; upgrade-insecure-requests" if secure else policy


def socket_source(host: str, secure: bool) -> str:
    """The address of sockets, for a policy, as older browsers do not include it in 'self'."""
    return f" {'wss' if secure else 'ws'}://{host}" if host.isprintable() and not set(host) & set("; ,'\"") else ""


def runs_webassembly(path: str) -> bool:
    """Whether this is a script of Fairy-Stockfish's workers."""
    return path.startswith(_ENGINE) and path.endswith(".js")
