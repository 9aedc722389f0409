"""Where somebody's preferences are kept: in their account; until they have one, in this browser.

A browser has them in two cookies, one of them for the language. What the account has stored takes precedence; its
owner's browser has a copy, which is used while nobody is signed in or the store is away.
"""

from collections.abc import Callable
from typing import Final

from aiohttp import web
from markupsafe import Markup

from server.pictures.theme import USUAL_SET
from server.storage.stores import Store
from server.web.assets import Assets
from server.web.middlewares import ONE_YEAR
from server.web.preferences.preferences import DRAWN_SETS, USUAL, Preferences, attributes, read, written
from server.web.rendering.look import Look
from server.web.session import VISITOR, Visitor
from server.web.site import SITE

COOKIE: Final = "prefs"
LANGUAGE_COOKIE: Final = "lang"
TRIES: Final = 20
"""After this many tries that other requests interrupted, the choice is stored in any case."""


def preferences_of(request: web.Request) -> Preferences:
    """What the sender of this request has chosen, as far as that is known already."""
    visitor = request.get(VISITOR)
    if visitor is not None and is_kept_in_account(visitor):
        return read(visitor.user.preferences)
    return in_browser(request)


def in_browser(request: web.Request) -> Preferences:
    """What the cookies say, and the defaults for the rest."""
    language = f"|language:{request.cookies.get(LANGUAGE_COOKIE, '')}"
    return read(request.cookies.get(COOKIE, "") + language)


def is_kept_in_account(visitor: Visitor) -> bool:
    """Guests have none, and an account has some once something was chosen there."""
    return not visitor.user.guest and visitor.user.preferences != ""


def look_of(request: web.Request, assets: Assets) -> Look:
    """How the page for this request is to look from its first picture on."""
    preferences = preferences_of(request)
    sheet = Markup("")
    if preferences.pieces in other_sets():
        address = assets.url(f"pieces-{preferences.pieces}.css")
        sheet = Markup('<link rel="stylesheet" href="{}">').format(address)
    return Look(attributes(preferences), sheet)


def other_sets() -> tuple[str, ...]:
    """The sets of pieces with a style sheet of their own; the usual one is in that of all pages."""
    return tuple(name for name in DRAWN_SETS if name != USUAL_SET)


async def keep(request: web.Request, answer: web.Response, choose: Callable[[Preferences], Preferences]) -> None:
    """Stores what somebody has chosen, which `choose` says by what they had: in their account if they have one, and
    with `answer` in their browser. Requests at the same time never undo what another has stored.
    """
    site = request.app[SITE]
    for instead_of_any in (*(False,) * TRIES, True):
        visitor = await site.sessions.member(request)
        preferences = choose(preferences_of(request))
        if visitor is None:
            break
        had = None if instead_of_any else visitor.user.preferences
        if await site.store.accounts.keep_preferences(visitor.user.id, written(preferences), had):
            break
        request[VISITOR] = await site.sessions.look_up(request)
    _set(request, answer, COOKIE, written(preferences.model_copy(update={"language": ""})))
    if preferences.language:
        _set(request, answer, LANGUAGE_COOKIE, preferences.language)
    else:
        answer.del_cookie(LANGUAGE_COOKIE, path="/", secure=site.settings.secure, httponly=True, samesite="Lax")


async def bring_along(request: web.Request, store: Store, registered: Visitor) -> None:
    """What a guest chose in this browser is what their new account begins with."""
    chosen = in_browser(request)
    if chosen != USUAL:
        await store.accounts.keep_preferences(registered.user.id, written(chosen))


def _set(request: web.Request, answer: web.Response, name: str, value: str) -> None:
    secure = request.app[SITE].settings.secure
    answer.set_cookie(name, value, max_age=ONE_YEAR, path="/", secure=secure, httponly=True, samesite="Lax")
