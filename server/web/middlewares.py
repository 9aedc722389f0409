"""What applies to every request: refusing those of other sites, answering problems, setting headers. Knows no page."""

import errno
import logging
import secrets
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from server.realtime.play.game_writer import StorageDown
from server.refusal import Refusal
from server.settings import Settings
from server.storage.errors import StoreError, Unreadable
from server.web.budgets.callers import host_is_known, origin_is_ours
from server.web.budgets.limits import BUDGET
from server.web.edge.tracebacks import forget_where
from server.web.rendering.isolation import ENGINE_POLICY, POLICY, runs_webassembly
from server.web.rendering.problems import Problem, from_http, respond

log = logging.getLogger(__name__)

READING = frozenset({"GET", "HEAD"})
ONE_YEAR = 31_536_000


def guard(settings: Settings) -> Middleware:
    """Refuses requests to another host name, and requests that change something unless they come from our own pages."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not host_is_known(request, settings):
            raise Problem(421, "wrong_host", address=settings.address)
        sent_by_us = request[BUDGET].from_anywhere or origin_is_ours(request, settings)
        if request.method not in READING and not sent_by_us:
            raise Problem(403, "wrong_origin")
        if "Content-Encoding" in request.headers:
            raise Problem(415, "encoded")
        return await handler(request)

    return check


SWITCHING = 101


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
        response.headers["Content-Security-Policy"] = policy
        if request.path.startswith("/static/") and response.status in (200, 206, 304):
            # For those that run as workers; it means nothing to others.
            response.headers.update(POLICY)
            response.headers["Cache-Control"] = f"public, max-age={ONE_YEAR}, immutable"
        else:
            response.headers.setdefault("Cache-Control", "no-store")

    return add


def content_policy(host: str, secure: bool) -> str:
    """What a page may load and run: the site's own files, nothing inline. `host` has passed `guard`, or gets a 421.

    The socket's address is spelled out because older browsers do not include it in 'self'.
    """
    socket = f" {'wss' if secure else 'ws'}://{host}" if host.isprintable() and not set(host) & set("; ,'\"") else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"media-src 'self'; connect-src 'self'{socket}; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
        "require-trusted-types-for 'script'; trusted-types worker engine 'allow-duplicates'"
    )
    return f"{policy}; upgrade-insecure-requests" if secure else policy
