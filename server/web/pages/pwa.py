"""The site as an installable app (PWA): its manifest and icons, and what browsers keep for when they are offline.

That is a page that says so and, for games against the computer, all that these need. The games themselves are not part
of it: a browser keeps its own. These pages are rendered as for a stranger, since they may be read much later, by
anybody who uses the browser then.
"""

import asyncio
from collections.abc import Mapping
from functools import wraps
from hashlib import blake2b
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from server.games.changes.beginning import new_game
from server.games.clocks.time_control import TimeControl
from server.games.player import Player, computer_at
from server.games.terms import Terms
from server.language import Language
from server.pictures.card import HEIGHT, WIDTH, icon_svg
from server.pictures.markup import PngPlan
from server.pictures.scene import View
from server.pictures.theme import ACCENT, PAPER
from server.realtime.play.chat import form_of
from server.rules.sliced_work import in_one_slice
from server.rules.variant.rule_data import rule_data
from server.web.board_data import featured_variant, script_safe, to_json
from server.web.games.computer import FIRST_LEVEL, Opponent, show_choice
from server.web.games.game_page import computer_addresses
from server.web.languages import language_of, names_for
from server.web.pictures.handlers import FOR_AN_HOUR, answer_picture
from server.web.rendering.answers import TEMPLATE_CONTEXT, as_json, as_page, in_language
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem
from server.web.rules_pages.page import address_of, form_at
from server.web.site import SITE, Site, name_of
from server.web.variant_words import Names, described, told_goal

SIZES = (192, 512)
SHORTCUTS = ("watch", "games", "analysis", "rules")
BOARD = 720
"""Width of a board among the screenshots, px."""
PAWN = "#fffdf7"
"""As in the logo at the head of every page."""

CHOOSER: Final = "/computer/offline"
SOMEBODY: Final = Player("you", "")
"""Stands in the seat of whoever will play; their browser puts its own words there."""


def for_a_stranger(handler: Handler) -> Handler:
    """A handler whose page is the same for everybody."""

    @wraps(handler)
    async def kept(request: web.Request) -> web.StreamResponse:
        shown = request[TEMPLATE_CONTEXT]
        request[TEMPLATE_CONTEXT] = {**shown, "visitor": None, "notice": None, "restarts_in": None}
        return await handler(request)

    return kept


@cached_for_all
async def manifest(request: web.Request) -> web.Response:
    """GET /app.webmanifest, in the language of the reader."""
    language = language_of(request)
    icons = [{"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES]
    return web.json_response(
        {
            "id": "/",
            "name": name_of(request.app[SITE]),
            "short_name": name_of(request.app[SITE]),
            "description": language.plain("site.description"),
            "lang": language.code,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": [*icons, {**icons[-1], "purpose": "maskable"}],
            "shortcuts": [{"name": language.plain(f"nav.{area}"), "url": f"/{area}"} for area in SHORTCUTS],
            "screenshots": screenshots(request),
        },
        content_type="application/manifest+json",
        headers={"Vary": "Accept-Language, Cookie"},
    )


def screenshots(request: web.Request) -> list[dict[str, str]]:
    """What app stores show of the site: the card with boards of each size, and two boards as on a phone."""
    variants, called = request.app[SITE].offered, names_for(request)
    wide = {"src": "/card.png", "sizes": f"{WIDTH}x{HEIGHT}", "type": "image/png", "form_factor": "wide"}
    shown = dict.fromkeys((featured_variant(variants).id, next(iter(variants))))
    narrow = [
        {
            "src": f"/api/variants/{one}/board.png?size={BOARD}",
            "sizes": "{}x{}".format(*View(variants[one], size=BOARD).pixels),
            "type": "image/png",
            "form_factor": "narrow",
            "label": called[one].name,
        }
        for one in shown
    ]
    return [{**wide, "label": language_of(request).plain("site.title", site=name_of(request.app[SITE]))}, *narrow]


async def icon(request: web.Request) -> web.Response:
    """GET /icon-{size}.png: the logo, with room around it for any mask."""
    size = int(request.match_info["size"])
    svg = icon_svg(PAPER, ACCENT, PAWN)
    return await answer_picture(request, (svg, size), in_one_slice(lambda: PngPlan(svg, size)), FOR_AN_HOUR)


async def favicon(request: web.Request) -> web.Response:
    """GET /favicon.ico: where browsers look for an icon if there is no page to name one, as for a game as text."""
    raise web.HTTPMovedPermanently("/icon-180.png")


@cached_for_all
async def offline(request: web.Request) -> web.Response:
    """GET /offline: what the browser shows of any page while it is offline."""
    return await as_page(request, "offline/offline.html")


@for_a_stranger
@cached_for_all
async def chooser(request: web.Request) -> web.Response:
    """GET /computer/offline: the page on which a game is chosen, which is shown at /computer while offline."""
    return await show_choice(request, Opponent(), offline=True)


@for_a_stranger
@cached_for_all
async def board(request: web.Request) -> web.Response:
    """GET /computer/offline/{variant}: the board for games of that variant, which the browser plays and keeps."""
    site = request.app[SITE]
    found = form_at(request.match_info["variant"], site.variants)
    if found is None:
        raise Problem(404, "unknown_variant")
    variant, shuffled = found
    called = names_for(request)[variant.id]
    terms = Terms(variant, shuffled, variant.start_fen, TimeControl.unlimited(), rated=False)
    address = address_of(variant.id, shuffled)
    facts = {
        "game": "",
        "variant": described(variant, called) | told_goal(variant, called, language_of(request).plain),
        "chess960": shuffled,
        "me": None,
        "computer": computer_addresses(site.assets, language_of(request)),
        "offline": site.assets.url("offline_game.js"),
        "you": language_of(request).plain("round.you"),
    }
    return await as_page(
        request,
        "round/round.html",
        page=script_safe(to_json(facts)),
        game=new_game("offline", terms, 0, white=SOMEBODY, black=computer_at(FIRST_LEVEL)),
        offline=True,
        seated=True,
        against_computer=True,
        computer_plays=True,
        opponent=None,
        variant=variant,
        rules_page=f"/rules/{address}",
        beside=None,
        offers_lesson=False,
        headline=called.of_form(shuffled).name,
        sheet=None,
        players_chat=form_of(terms.control, "players"),
        watchers_chat=form_of(terms.control, "watchers"),
    )


@cached_for_all
async def kept_list(request: web.Request) -> web.Response:
    """GET /computer/offline.json: what a game offline needs, besides the files that its pages name.

    `version`: changes when any of it does, with a release or a variant of the host's.
    """
    variants = request.app[SITE].offered.values()
    forms = [address_of(one.id, form) for one in variants for form in (False, True)[: 1 + one.chess960]]
    answer = {
        "version": await asyncio.to_thread(version_of, request.app[SITE], language_of(request), names_for(request)),
        "pages": [CHOOSER, *(f"{CHOOSER}/{form}" for form in forms)],
        "rules": [f"/api/variants/{one.id}" for one in variants],
    }
    return in_language(request, as_json(answer))


def version_of(site: Site, language: Language, names: Mapping[str, Names]) -> str:
    """A short text that stands for everything that the kept pages of that language are made of. Reads the templates."""
    parts: list[object] = [
        language.code,
        name_of(site),
        sorted(language.texts.items()),
        sorted(site.assets.names.items()),
    ]
    parts += [template.read_text(encoding="utf-8") for template in sorted(site.assets.templates.rglob("*.html"))]
    parts += [to_json([rule_data(one), described(one, names[one.id])]) for one in site.offered.values()]
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()
