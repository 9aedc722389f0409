"""The pages that show games in play, of all variants or one. Moves come over the TV socket."""

from aiohttp import web

from server.realtime.play.chat import LINE
from server.web.board_data import board_shape, emblems, script_safe, to_json
from server.web.languages import variant_names
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.site import SITE, find_variant


@cached_for_all
async def watch_all(request: web.Request) -> web.Response:
    """GET /watch: games of every variant."""
    return await watch_page(request, None)


@cached_for_all
async def watch_variant(request: web.Request) -> web.Response:
    """GET /watch/{variant}: the games of one variant, one of them large."""
    return await watch_page(request, find_variant(request).id)


async def watch_page(request: web.Request, chosen: str | None) -> web.Response:
    """`chosen`: the id of a variant, None for all."""
    variants = request.app[SITE].variants
    shown = {
        one: {**board_shape(variants[one], with_pockets=True), "name": name}
        for one, name in variant_names(request).items()
    }
    block = script_safe(to_json({"variants": shown, "variant": chosen}))
    shape = shown[chosen] if chosen else None
    return await as_page(
        request,
        "tv/watch.html",
        page=block,
        chosen=chosen,
        shape=shape,
        emblems=emblems(variants),
        longest_line=LINE.longest,
    )
