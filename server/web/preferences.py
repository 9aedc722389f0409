"""Preferences: what somebody can choose, each with its default; how that is written, and where it is kept.

They are one short text in the account or in a cookie, and attributes of the page. Which boards and pieces there are
follows from what the server can draw, so that a new one can be chosen as soon as it can be drawn. The client reads the
attributes by the names of these fields (static/js/ui/preferences.js).

A browser has them in two cookies, one of them for the language. What the account has stored takes precedence; its
owner's browser has a copy, which is used while nobody is signed in or the store is away. Which notifications somebody
wants is asked in `web.accounts`.
"""

import contextlib
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Final, Literal, get_args

from aiohttp import web
from markupsafe import Markup
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from server.pictures.theme import BOARDS, USUAL_BOARD, USUAL_SET, PieceSetName
from server.storage.errors import Unavailable
from server.storage.stores import Store
from server.web.assets import Assets
from server.web.rendering.page_cache import Look
from server.web.session import VISITOR, Visitor
from server.web.site import SITE

Switch = Literal["on", "off"]
LETTERS: Final = "letters"
"""The set that needs no drawings."""
DRAWN_SETS: Final[tuple[str, ...]] = get_args(PieceSetName)
PIECE_SETS: Final = (*DRAWN_SETS, LETTERS)

WRITTEN: Final = "1"
"""What each text begins with, so that somebody who has chosen the defaults has chosen."""
LONGEST: Final = 1_000

COOKIE: Final = "prefs"
KEPT_S: Final = 31_536_000
"""For how long a browser keeps its cookies: a year."""
LANGUAGE_COOKIE: Final = "lang"
TRIES: Final = 20
"""After this many tries that other requests interrupted, the choice is stored in any case."""


def one_of(names: Collection[str]) -> AfterValidator:
    """Lets a field have one of these names only."""

    def known(name: str) -> str:
        if name not in names:
            raise ValueError(f"choose one of {', '.join(names)}")
        return name

    return AfterValidator(known)


class Preferences(BaseModel):
    """`size`: the board's, in per cent of what fits. `volume`: in per cent. `language`: "" for the browser's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Literal["system", "light", "dark"] = "system"
    contrast: Literal["usual", "more"] = "usual"
    board: Annotated[str, one_of(BOARDS)] = USUAL_BOARD
    pieces: Annotated[str, one_of(PIECE_SETS)] = USUAL_SET
    letters: Switch = "off"
    size: Annotated[int, Field(ge=50, le=100, multiple_of=5)] = 100
    coordinates: Literal["inside", "beside", "off"] = "inside"
    animation: Literal["off", "quick", "slow"] = "quick"
    targets: Switch = "on"
    confirm: Literal["days", "always", "never"] = "days"
    premove: Switch = "on"
    zen: Switch = "off"
    sound: Switch = "on"
    volume: Annotated[int, Field(ge=10, le=100, multiple_of=10)] = 100
    sound_move: Switch = "on"
    sound_capture: Switch = "on"
    sound_check: Switch = "on"
    sound_join: Switch = "on"
    sound_start: Switch = "on"
    sound_low: Switch = "on"
    sound_end: Switch = "on"
    sound_chat: Switch = "on"
    sound_offer: Switch = "on"
    sound_pairing: Switch = "on"
    sound_turn: Switch = "on"
    language: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{0,20}$")] = ""


USUAL: Final = Preferences()

SWITCHES: Final = tuple(
    name for name, field in Preferences.model_fields.items() if get_args(field.annotation) == get_args(Switch)
)

SOUNDS: Final = tuple(name for name in SWITCHES if name.startswith("sound_"))

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "board": tuple(BOARDS),
    "pieces": PIECE_SETS,
    **{
        name: get_args(field.annotation)
        for name, field in Preferences.model_fields.items()
        if name not in SWITCHES and get_args(field.annotation)
    },
}
"""What each field that has several values can be."""


def preferences_of(request: web.Request) -> Preferences:
    """What the sender of this request has chosen, as far as that is known already."""
    visitor = request.get(VISITOR)
    if visitor is not None and is_kept_in_account(visitor):
        return parse_preferences(visitor.user.preferences)
    return preferences_in_browser(request)


def preferences_in_browser(request: web.Request) -> Preferences:
    """What the cookies say, and the defaults for the rest."""
    language = f"|language:{request.cookies.get(LANGUAGE_COOKIE, '')}"
    return parse_preferences(request.cookies.get(COOKIE, "") + language)


def is_kept_in_account(visitor: Visitor) -> bool:
    """Guests have none, and an account has some once something was chosen there."""
    return not visitor.user.guest and visitor.user.preferences != ""


async def store_preferences(
    request: web.Request, answer: web.Response, choose: Callable[[Preferences], Preferences]
) -> None:
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
        if await site.store.accounts.keep_preferences(visitor.user.id, format_preferences(preferences), had):
            break
        request[VISITOR] = await site.sessions.look_up(request)
    _set_cookie(request, answer, COOKIE, format_preferences(preferences.model_copy(update={"language": ""})))
    if preferences.language:
        _set_cookie(request, answer, LANGUAGE_COOKIE, preferences.language)
    else:
        answer.del_cookie(LANGUAGE_COOKIE, path="/", secure=site.settings.secure, httponly=True, samesite="Lax")


async def carry_over_preferences(request: web.Request, store: Store, registered: Visitor) -> None:
    """Stores what a guest chose in this browser in their new account, unless the store fails just then."""
    chosen = preferences_in_browser(request)
    if chosen != USUAL:
        with contextlib.suppress(Unavailable):
            await store.accounts.keep_preferences(registered.user.id, format_preferences(chosen))


def with_changes(before: Preferences, given: Mapping[str, str]) -> Preferences:
    """`before` with the given fields as texts. Raises ValidationError for an unknown field or value."""
    return Preferences.model_validate({**before.model_dump(), **given})


def format_preferences(preferences: Preferences) -> str:
    """What differs from the defaults, as one text of letters, digits and `:|_-`."""
    return "|".join((WRITTEN, *(f"{name}:{value}" for name, value in _non_defaults(preferences).items())))


def parse_preferences(text: str) -> Preferences:
    """The preferences of a text. What this release does not know, or cannot be, is as if it had not been chosen."""
    pairs = (pair.partition(":") for pair in text[:LONGEST].split("|"))
    chosen: dict[str, Any] = {name: value for name, _, value in pairs if name in Preferences.model_fields}
    try:
        return Preferences.model_validate(chosen)
    except ValidationError as error:
        wrong = {problem["loc"][0] for problem in error.errors(include_url=False)}
        return Preferences.model_validate({name: value for name, value in chosen.items() if name not in wrong})


def _non_defaults(preferences: Preferences) -> Mapping[str, str | int]:
    return preferences.model_dump(exclude_defaults=True)


def look_of(request: web.Request, assets: Assets) -> Look:
    """How the page for this request is to look from its first picture on."""
    preferences = preferences_of(request)
    sheet = Markup("")
    if preferences.pieces in other_sets():
        address = assets.url(f"pieces-{preferences.pieces}.css")
        sheet = Markup('<link rel="stylesheet" href="{}">').format(address)
    return Look(page_attributes(preferences), sheet)


def page_attributes(preferences: Preferences) -> Markup:
    """What is written into the page's first tag, so that its first picture is right: ` data-board="slate"` …"""
    shown = {name: value for name, value in _non_defaults(preferences).items() if name != "language"}
    return Markup("").join(Markup(' data-{}="{}"').format(name, value) for name, value in shown.items())


def other_sets() -> tuple[str, ...]:
    """The sets of pieces with a style sheet of their own; the usual one is in that of all pages."""
    return tuple(name for name in DRAWN_SETS if name != USUAL_SET)


def _set_cookie(request: web.Request, answer: web.Response, name: str, value: str) -> None:
    secure = request.app[SITE].settings.secure
    answer.set_cookie(name, value, max_age=KEPT_S, path="/", secure=secure, httponly=True, samesite="Lax")
