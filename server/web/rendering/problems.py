"""Why a request was refused, for programs and for people. Knows no handler.

Under /api, and for everything but reading, a refusal is JSON, {code, refusal, params, message}; elsewhere it is a page
that also says what to do next, if there is a sentence `<id>_next`. The words are in the caller's language. For input of
the wrong shape, JSON also has `detail`, in English, for programmers.
"""

from typing import Any

from aiohttp import web

from server.games.errors import BadTerms, Gone, Playbanned, Refused
from server.language import Language
from server.realtime.play.command_queue import Busy
from server.rules.errors import Refusal
from server.web.rendering.answers import TEMPLATE_CONTEXT, as_small_page, in_language
from server.web.rendering.page_cache import cached_problem


class Problem(Refusal):
    """A request is refused with this HTTP status, possibly until `retry_after` seconds have passed."""

    area = "problems"

    def __init__(
        self,
        status: int,
        id: str,
        /,
        *,
        code: str = "",
        detail: str = "",
        retry_after: int | None = None,
        **params: str | int,
    ) -> None:
        self.code = code
        super().__init__(id, **params)
        self.status = status
        self.detail = detail
        self.retry_after = retry_after


def too_many(seconds: int) -> Problem:
    """429: try again in so many seconds."""
    return Problem(429, "rate", retry_after=seconds, n=seconds)


def from_http(error: web.HTTPException) -> Problem:
    """An error of aiohttp itself, in our words."""
    if error.status in (404, 405):
        return Problem(error.status, "not_found" if error.status == 404 else "method_not_allowed")
    return Problem(error.status, "bad_request", detail=f"{error.reason}.")


def status_of(refusal: Refusal) -> tuple[int, int | None]:
    """The HTTP status of a refusal from any layer, and how many seconds to wait before asking again."""
    match refusal:
        case Problem():
            return refusal.status, refusal.retry_after
        case Playbanned():
            return 429, int(refusal.params["n"]) * 60
        case Busy():
            return 503, 1
        case Gone():
            return 410, None
        case Refused() if not isinstance(refusal, BadTerms):
            return 403, None
    return 400, None


def problem_fields(language: Language, refusal: Refusal) -> dict[str, Any]:
    """The refusal for programs, JSON-able. `error` is the message once more, where clients of lichess look for it."""
    said = language.said(refusal)
    fields: dict[str, Any] = {"error": said, "code": refusal.code, "message": said, "refusal": refusal.id}
    if refusal.params:
        fields["params"] = refusal.params
    return fields


def respond(request: web.Request, refusal: Refusal) -> web.Response:
    """The refusal as JSON or as a page, whichever suits the caller."""
    language = request[TEMPLATE_CONTEXT]["language"]
    by_page = request.method in ("GET", "HEAD") or request.content_type == "application/x-www-form-urlencoded"
    if request.path == "/ws" or request.path.startswith(("/api/", "/game/export/", "/ws/")) or not by_page:
        fields = problem_fields(language, refusal)
        if refusal.detail:
            fields["detail"] = refusal.detail
        response = in_language(request, web.json_response(fields))
    else:
        said, advice, status = language.said(refusal), language.advice(refusal), status_of(refusal)[0]
        shown = {"said": said, "advice": advice, "status": status}
        key = f"{status} {said} {advice}"
        response = cached_problem(request, key, lambda: as_small_page(request, "error.html", **shown))
    return with_status(response, refusal)


def with_status(response: web.Response, refusal: Refusal | None) -> web.Response:
    """The answer with the HTTP status of the refusal that it shows, if it shows one."""
    if refusal is None:
        return response
    status, retry_after = status_of(refusal)
    response.set_status(status)
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    if status == 408:
        response.force_close()
    return response
