"""The language of a request's answer: the one chosen here, else the one the browser prefers, else English. The host
says which there are to choose from.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field

from server.games.clocks.vacations import last_day
from server.games.people import is_account_name
from server.language import FIRST, Language, preferred
from server.web.forms import Form, LocalAddress, local_address, local_path, read_fields
from server.web.preferences import preferences_of, store_preferences
from server.web.rendering.answers import TEMPLATE_CONTEXT
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.variant_words import Names

LANGUAGES = web.AppKey("LANGUAGES", Mapping[str, Language])
NAMES = web.AppKey("NAMES", Mapping[str, Mapping[str, Names]])
"""What variants and pieces are called, by language and variant id."""


class LanguageChoice(Form):
    """`next`: the page on which it was chosen, with its query."""

    language: Annotated[str, Field(max_length=20)]
    next: LocalAddress = ""


def offered_languages(app: web.Application) -> Mapping[str, Language]:
    """Those of the pages, by code, as the host has chosen; all, if none of these are there."""
    known = app[LANGUAGES]
    return {code: known[code] for code in app[SITE].live.settings.current.house.languages if code in known} or known


def language_of(request: web.Request) -> Language:
    """The language of this request's answer."""
    language: Language = request[TEMPLATE_CONTEXT]["language"]
    return language


def names_for(request: web.Request) -> Mapping[str, Names]:
    """The names of variants and pieces for this request's answer, by variant id."""
    names: Mapping[str, Names] = request[TEMPLATE_CONTEXT]["names"]
    return names


def variant_names(request: web.Request) -> dict[str, str]:
    """What every variant is called in this request's answer, by id."""
    return {variant: names.name for variant, names in names_for(request).items()}


def speak(request: web.Request, chosen: str | None = None) -> dict[str, Any]:
    """For every template: `t`, `day` for the last day (UTC) before an instant in ms, the `language` and all
    `languages`, the variants' `names`, `has_page` for who has a page of their own, the `page_path`, and `here`, which
    is the path with its query. `chosen`: the code of a language instead of what the sender prefers here.
    """
    language = _asked_for(request, preferences_of(request).language if chosen is None else chosen)
    return {
        "t": language.t,
        "day": lambda until: language.day(last_day(until)),
        "names": request.app[NAMES][language.code],
        "language": language,
        "has_page": is_account_name,
        "languages": offered_languages(request.app).values(),
        "page_path": local_path(request.path),
        "here": here(request),
    }


def _asked_for(request: web.Request, chosen: str) -> Language:
    languages = offered_languages(request.app)
    if chosen in languages:
        return languages[chosen]
    usual = FIRST if FIRST in languages else next(iter(languages))
    return languages[preferred(request.headers.get("Accept-Language", ""), tuple(languages)) or usual]


def here(request: web.Request) -> str:
    """The page to return to after choosing another language. The answer to a POST has no address that can be loaded
    again, so there it is the page named by the first part of the path.
    """
    if request.method not in ("GET", "HEAD"):
        return local_path(f"/{request.path.split('/')[1]}")
    return local_address(request.raw_path) or local_path(request.path)


async def choose(request: web.Request) -> web.Response:
    """POST /language: remember the choice and go back to the page. Raises Problem for an unknown language."""
    form = await read_fields(request, LanguageChoice)
    if form.language not in offered_languages(request.app):
        raise Problem(400, "unknown_language")
    answer = web.Response(status=303, headers={"Location": form.next or "/"})
    await request.app[SITE].sessions.find(request)
    await store_preferences(request, answer, lambda before: before.model_copy(update={"language": form.language}))
    return answer
