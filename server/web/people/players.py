"""The page of all players: who is best at what, and where to find somebody by name."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from aiohttp import web
from pydantic import Field

from server.games.clocks.time_control import RATED_SPEEDS, Speed
from server.language import name_in_form
from server.rules.variant.variant import Variant
from server.storage.protocols.ratings import SHUFFLED, Category
from server.storage.tables.accounts import fold, folded_prefixes, has_prefix
from server.web.forms import Form, read_page_query
from server.web.languages import variant_names
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site

LEADERS = 50
FOUND = 20
LOOKED_AT = 500


class PlayersForm(Form):
    """The fields of the address. `kind`: a variant's id, with +960 for its shuffled form."""

    kind: Annotated[str, Field(max_length=60)] = ""
    speed: Annotated[str, Field(max_length=20)] = ""
    name: Annotated[str, Field(max_length=20)] = ""


async def players_page(request: web.Request) -> web.Response:
    """GET /players: the leaders of one variant at one speed; with `name`, also the people whose names begin with it."""
    site = request.app[SITE]
    form = read_page_query(request, PlayersForm)
    kinds = leaderboards(site.variants, variant_names(request))
    category = chosen_category(form, kinds, await site.store.ratings.latest_category())
    hidden = site.live.services.sanctions.hidden_names(site.now())
    best = await site.store.ratings.leaders(category, site.now(), LEADERS + len(hidden))
    leaders = [one for one in best if one.name not in hidden][:LEADERS]
    kind = category.key.partition("/")[0]
    name = form.name.strip()
    return await as_page(
        request,
        "people/players.html",
        category=category,
        kinds=kinds,
        kind=kind,
        speeds=RATED_SPEEDS,
        leaders=[(one.name, one.perf, one.perf.rating.aged(site.now())) for one in leaders],
        name=name,
        found=await names_like(site, name) if fold(name) else None,
    )


async def names_like(site: Site, beginning: str) -> Sequence[str]:
    """People whose names begin with it, or look as if they did; only some if there are many. Raises Unavailable."""
    pages = [await site.store.ratings.names_starting_with(one, LOOKED_AT) for one in folded_prefixes(beginning)]
    return [name for page in pages for name in page if has_prefix(name, beginning)][:FOUND]


def leaderboards(variants: Mapping[str, Variant], names: Mapping[str, str]) -> dict[str, str]:
    """Everything with a leaderboard of its own: its id in the form, and its name."""
    found = {}
    for variant in variants.values():
        found[variant.id] = names[variant.id]
        if variant.chess960:
            found[f"{variant.id}{SHUFFLED}"] = name_in_form(names[variant.id], True)
    return found


def chosen_category(form: PlayersForm, kinds: Mapping[str, str], liveliest: Category | None) -> Category:
    """The category asked for, or else the one most played lately. Raises Problem (404) if it does not exist."""
    kind, _, speed = liveliest.key.partition("/") if liveliest else ("", "", Speed.BLITZ)
    kind = form.kind or (kind if kind in kinds else next(iter(kinds)))
    speed = form.speed or speed
    if kind not in kinds or speed not in RATED_SPEEDS:
        raise Problem(404, "unknown_variant")
    return Category.from_key(f"{kind}/{speed}")
