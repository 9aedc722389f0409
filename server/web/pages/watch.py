"""The pages that show games in play, of all variants or one. Moves come over the TV socket."""

from typing import Any

from aiohttp import web

from server.rules.variant.variant import Variant
from server.web.archive.pages import to_draw
from server.web.board_data import script_safe, to_json
from server.web.lookup import find_variant
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.rules_pages.wording import wording_for
from server.web.site import SITE, Site


@cached_for_all
async def watch_all(request: web.Request) -> web.Response:
    """GET /watch: games of every variant."""
    return await watch_page(request, None)


@cached_for_all
async def watch_variant(request: web.Request) -> web.Response:
    """GET /watch/{variant}: the games of one variant, one of them large."""
    return await watch_page(request, find_variant(request).id)


async def watch_page(request: web.Request, chosen: str | None) -> web.Response:
    site = request.app[SITE]
    called = wording_for(request).called
    variants = {variant.id: to_watch(site, variant, called[variant.id].name) for variant in site.variants.values()}
    block = script_safe(to_json({"variants": variants, "variant": chosen}))
    names = [(variant, called[variant].name) for variant in site.variants]
    return await as_page(request, "watch.html", page=block, names=names, chosen=chosen)


def to_watch(site: Site, variant: Variant, name: str) -> dict[str, Any]:
    """What the script needs to draw a game of that variant with its pockets."""
    return {**to_draw(site, variant.id), "pocketRoles": variant.pocket.order if variant.pocket else (), "name": name}
