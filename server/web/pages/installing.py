"""What makes the site an installable app: its manifest and its icons. What it shows offline is in `offline`."""

from aiohttp import web

from server.pictures.card import HEIGHT, WIDTH
from server.pictures.icon import icon_svg
from server.pictures.layout import View
from server.pictures.png_plan import PngPlan
from server.pictures.theme import ACCENT, PAPER
from server.rules.sliced_work import undivided
from server.web.board_data import featured_variant
from server.web.languages import language_of, names_for
from server.web.pictures.answers import FOR_AN_HOUR, answer
from server.web.rendering.page_cache import cached_for_all
from server.web.site import SITE

SIZES = (192, 512)
SHORTCUTS = ("watch", "games", "analysis", "rules")
BOARD = 720
"""Width of a board among the screenshots, px."""
PAWN = "#fffdf7"
"""As in the logo at the head of every page."""


@cached_for_all
async def manifest(request: web.Request) -> web.Response:
    """GET /app.webmanifest, in the language of the reader."""
    language = language_of(request)
    icons = [{"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES]
    return web.json_response(
        {
            "id": "/",
            "name": "Fairyhouse",
            "short_name": "Fairyhouse",
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
    variants, called = request.app[SITE].variants, names_for(request)
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
    return [{**wide, "label": language_of(request).plain("site.title")}, *narrow]


async def icon(request: web.Request) -> web.Response:
    """GET /icon-{size}.png: the logo, with room around it for any mask."""
    size = int(request.match_info["size"])
    svg = icon_svg(PAPER, ACCENT, PAWN)
    return await answer(request, (svg, size), undivided(lambda: PngPlan(svg, size)), FOR_AN_HOUR)


async def favicon(request: web.Request) -> web.Response:
    """GET /favicon.ico: where browsers look for an icon if there is no page to name one, as for a game as text."""
    raise web.HTTPMovedPermanently("/icon-180.png")
