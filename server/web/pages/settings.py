"""The page on which visitors choose their preferences. A script sends each change at once; without one, the whole page
is a form with a button.
"""

from typing import Final

from aiohttp import web
from pydantic import ValidationError

from server.web.board_data import SPACES, board_data, featured_variant, script_safe, to_json
from server.web.forms import FIELDS, first_error, parse_pairs, read_body
from server.web.languages import language_of, names_for, offered_languages
from server.web.preferences import (
    CHOICES,
    SOUNDS,
    SWITCHES,
    Preferences,
    preferences_of,
    store_preferences,
    with_changes,
)
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem
from server.web.site import SITE

PATH: Final = "/settings"
MAX_FIELDS: Final = 60
WHOLE: Final = "whole"
"""A field of the whole form: a switch that it does not name is off, as browsers send none."""

PREVIEWED: Final = 8
"""Pieces in the small picture of a board or a set."""


async def settings_page(request: web.Request) -> web.Response:
    """GET /settings. `?saved`: after the form was sent."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    variant = featured_variant(site.variants)
    called = names_for(request)[variant.id]
    label = language_of(request).t("settings.preview_board", name=called.name)
    return await as_page(
        request,
        "preferences/settings.html",
        page=script_safe(to_json({"variant": board_data(variant, called), "board": label})),
        variant=variant,
        kinds=[(SPACES.sub("-", role.name.lower()), role.id.upper()) for role in variant.roles[:PREVIEWED]],
        preferences=preferences_of(request),
        choices=CHOICES,
        sounds=SOUNDS,
        in_account=visitor is not None and not visitor.user.guest,
        saved="saved" in request.query,
    )


async def change(request: web.Request) -> web.Response:
    """POST /settings: any of the fields of Preferences; with `whole`, all of them. Raises Problem (400).

    A script, which asks for JSON, gets an empty answer.
    """
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    given = parse_pairs(await read_body(request), MAX_FIELDS)
    if (language := given.get("language")) and language not in offered_languages(request.app):
        raise Problem(400, "unknown_language")
    by_script = request.headers.get("Accept") == "application/json"
    answer = web.Response(status=204) if by_script else web.Response(status=303, headers={"Location": f"{PATH}?saved"})
    await store_preferences(request, answer, lambda before: chosen_now(before, given))
    return answer


def chosen_now(before: Preferences, given: dict[str, str]) -> Preferences:
    """`before` with what a form gives. Raises Problem (400)."""
    fields = {name: value for name, value in given.items() if name != WHOLE}
    off = dict.fromkeys(SWITCHES, "off") if WHOLE in given else {}
    try:
        return with_changes(before, {**off, **fields})
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=first_error(error)) from None
