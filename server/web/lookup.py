"""Finds what an address names, within the caller's limits. Knows no page and no answer."""

from aiohttp import web

from server.realtime.play.round import Round
from server.rules.variant.variant import Variant
from server.web.charging import charge_address
from server.web.rendering.problems import Problem
from server.web.site import SITE


async def find_round(request: web.Request) -> Round:
    """The game that the address names. Raises Problem; a caller who asks for many that do not exist has to wait,
    but still finds those that do."""
    return await round_of(request, request.match_info["game"])


async def round_of(request: web.Request, game_id: str) -> Round:
    """The same for a game that a form names."""
    site = request.app[SITE]
    round_ = await site.rounds.get(game_id)
    if round_ is None:
        charge_address(request, site.limits.misses)
        raise Problem(404, "no_game")
    return round_


def find_variant(request: web.Request) -> Variant:
    """The variant that the address names. Raises Problem."""
    variant = request.app[SITE].variants.get(request.match_info["variant"])
    if variant is None:
        raise Problem(404, "unknown_variant")
    return variant
