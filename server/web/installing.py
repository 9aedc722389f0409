"""What makes the site an app that can be installed: its manifest, its icons, and the page that is shown without a line.

Nothing of a game is ever kept for later: offline there is one page, which says so.
"""

from aiohttp import web

from server.pictures.sheet import Sheet
from server.pictures.sign import icon_svg
from server.web.answers import as_page
from server.web.kept_pages import the_same_for_all
from server.web.languages import language_of
from server.web.pictures.answers import FOR_AN_HOUR, answer

SIZES = (192, 512)
TOUCH_SIZE = 180
"""The size that phones without manifests ask for."""
PAPER, ROOF, MAN = "#f6f4ee", "#1d6b5c", "#fffdf7"


@the_same_for_all
async def manifest(request: web.Request) -> web.Response:
    """GET /app.webmanifest, in the language of the browser."""
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
        },
        content_type="application/manifest+json",
        headers={"Vary": "Accept-Language, Cookie"},
    )


async def icon(request: web.Request) -> web.Response:
    """GET /icon-{size}.png: the house, with room around it for any mask."""
    size = int(request.match_info["size"])

    svg = icon_svg(PAPER, ROOF, MAN)
    return await answer(request, (svg, size), lambda: Sheet(svg, size), FOR_AN_HOUR)


@the_same_for_all
async def offline(request: web.Request) -> web.Response:
    """GET /offline: what the browser shows of this site while it has no line."""
    return as_page(request, "offline.html")
