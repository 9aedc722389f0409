"""Why a request was not done, said once for programs and for people. Knows no handler.

Under /api, and for everything but reading, a problem is JSON, {code, message}; elsewhere it is a page that also says
what to do next. Its words are in the language of whoever asked: those of the very sentence if the catalogue has them
(`refusals`), else those of the code (`problems.<code>`, `problems.<code>_next`). What only programs meet stays English;
of what was sent in a wrong shape, JSON has the particulars for programs as `detail`.
"""

from aiohttp import web

from server.web.i18n.words import Language, sentence_key
from server.web.rendering.answers import FRAME, as_small_page, in_language
from server.web.rendering.kept_pages import kept_problem


class Problem(Exception):  # noqa: N818 - the request's problem, not the program's
    """A request that is refused. `code` is stable, `message` a sentence, `next_step` what the person can do.

    `values` stand for the {names} in the sentence of the catalogue.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        next_step: str = "",
        retry_after: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.next_step = next_step
        self.retry_after = retry_after
        self.values = values

    def said(self, language: Language) -> str:
        """What happened, in words."""
        sentence = f"refusals.{sentence_key(self.message)}"
        return self._words(language, sentence if sentence in language.texts else f"problems.{self.code}", self.message)

    def advice(self, language: Language) -> str:
        """What to do next, "" if there is nothing to say."""
        return self._words(language, f"problems.{self.code}_next", self.next_step)

    def _words(self, language: Language, key: str, english: str) -> str:
        return language.plain(key, **self.values) if key in language.texts else english


FOR_PROGRAMS = ("bad_request", "bad_search")
"""Codes whose own sentence names fields and types: programs are told it as `detail`, people never."""
HTTP_PROBLEMS = {
    404: ("not_found", "There is nothing at this address.", "Check the link, or start from the front page."),
    405: ("method_not_allowed", "This address cannot be used in that way.", "Start from the front page."),
}
"""What aiohttp finds by itself: status -> code, message, next step."""


def no_such_game() -> Problem:
    return Problem(
        404,
        "no_game",
        "There is no game with this address.",
        next_step="Check that the link was copied whole, or start a new game from the front page.",
    )


def too_many(seconds: int) -> Problem:
    return Problem(
        429,
        "rate",
        f"That was too often. Try again in {seconds} s.",
        next_step="Wait a little, then load the page again.",
        retry_after=seconds,
        n=seconds,
    )


def storage_is_away() -> Problem:
    return Problem(
        503,
        "storage",
        "The server cannot reach its storage at the moment. Nothing was stored.",
        next_step="Running games are kept. Try again in some seconds.",
        retry_after=5,
    )


def damaged() -> Problem:
    return Problem(
        500,
        "damaged",
        "This is stored here, but damaged, and cannot be shown.",
        next_step="Tell whoever runs this site, so that they run `fairyhouse check`.",
    )


def from_http(error: web.HTTPException) -> Problem:
    """A refusal by aiohttp itself, in our words."""
    code, message, next_step = HTTP_PROBLEMS.get(
        error.status, ("bad_request", f"The request cannot be answered: {error.reason}.", "")
    )
    return Problem(error.status, code, message, next_step=next_step)


def respond(request: web.Request, problem: Problem) -> web.Response:
    """The problem as this caller reads it best."""
    by_page = request.method in ("GET", "HEAD") or request.content_type == "application/x-www-form-urlencoded"
    if request.path.startswith("/api/") or request.path == "/ws" or not by_page:
        content = {"code": problem.code, "message": problem.said(request[FRAME]["language"])}
        if problem.code in FOR_PROGRAMS:
            content["detail"] = problem.message
        response = in_language(request, web.json_response(content, status=problem.status))
    else:
        language = request[FRAME]["language"]
        said = f"{problem.status} {problem.said(language)} {problem.advice(language)}"
        response = kept_problem(request, said, lambda: as_small_page(request, "error.html", problem=problem))
        response.set_status(problem.status)
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    if problem.status == 408:
        response.force_close()
    return response
