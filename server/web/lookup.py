"""Finds what an address names, within the caller's limits. Knows no page and no answer."""

from aiohttp import web

from server.realtime.play.round import Round
from server.rules.variant.variant import Variant
from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.rendering.problems import Problem, no_such_game, too_many
from server.web.site import SITE


async def find_round(request: web.Request) -> Round:
    """The game that the address names. Raises Problem; a caller who asks for many that do not exist is told to wait,
    but still finds those that do."""
    site = request.app[SITE]
    round_ = await site.rounds.get(request.match_info["game"])
    if round_ is None:
        charge(site.limits.misses, address_key(request, site.settings), site.now())
        raise no_such_game()
    return round_


def find_variant(request: web.Request) -> Variant:
    """The variant that the address names. Raises Problem."""
    variant = request.app[SITE].variants.get(request.match_info["variant"])
    if variant is None:
        raise Problem(404, "unknown_variant")
    return variant


def charge(limit: RateLimit, key: str, now: int, cost: int = 1) -> None:
    """Takes `cost` from `limit` at `now` (ms). Raises Problem (429) if `key` has used it up."""
    if wait := limit.take(key, now / 1000, cost):
        raise too_many(wait)
