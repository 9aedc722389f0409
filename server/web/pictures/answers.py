"""Answers with a picture: its ETag, how long caches may keep it, and 304 if the browser has it already."""

from collections.abc import Hashable
from typing import Final

from aiohttp import ETag, web

from server.pictures.board import board_svg
from server.pictures.layout import View
from server.pictures.png_plan import PngPlan
from server.pictures.scene import Scene
from server.rules.sliced_work import SlicedWork
from server.web.budgets.buckets import RateLimit
from server.web.charging import charge_address
from server.web.pictures.image_cache import IMAGES, SVG, Drawable
from server.web.site import SITE

FOR_EVER: Final = "public, max-age=31536000, immutable"
"""For positions of finished games, which never change."""
FOR_AN_HOUR: Final = "public, max-age=3600"
"""For pictures with names on them: people may delete their accounts."""
ASK_AGAIN: Final = "public, no-cache"
"""For a game in play: caches ask whether the picture is still current."""

STILL: Final = 1
MOVING: Final = 6
"""What each kind of picture costs."""


def board_plan(request: web.Request, scene: Scene, view: View) -> Drawable:
    """A board as SVG or, if the address ends in .png, as PNG."""
    svg = board_svg(scene, view, request.app[IMAGES].drawings)
    return PngPlan(svg, view.size) if request.path.endswith(".png") else svg


async def answer(
    request: web.Request,
    shown: Hashable,
    plan: SlicedWork[Drawable],
    keep: str,
    cost: int = STILL,
    beside: RateLimit | None = None,
) -> web.Response:
    """The picture of `shown`, which is all that `plan` depends on. `beside`: one more limit that it is charged to.

    Raises Problem.
    """
    images = request.app[IMAGES]
    tag = images.tag(shown)
    headers = {"ETag": f'"{tag}"', "Cache-Control": keep, "Cross-Origin-Resource-Policy": "cross-origin"}
    if ETag(tag) in (request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    if beside is not None and not images.has(tag):
        charge_address(request, beside)
    charge_address(request, request.app[SITE].limits.pictures, cost)
    picture = await images.picture(tag, plan)
    response = web.Response(body=picture.body, content_type=picture.content_type, headers=headers)
    if picture.content_type == SVG:
        response.charset = "utf-8"
        response.enable_compression()
    return response
