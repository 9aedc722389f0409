"""The pages of the analysis board. What the board asks of the rules is in `judging`."""

import re
from collections.abc import Mapping

from aiohttp import web

from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.rules.variant.variant import Variant
from server.web.board_data import board_data, script_safe, to_json
from server.web.languages import names_for
from server.web.lookup import find_variant
from server.web.pictures.sharing import card_of_position
from server.web.rendering.answers import as_page
from server.web.rendering.isolation import isolated
from server.web.rendering.page_cache import cached_for_all
from server.web.rules_pages.drawing import draw
from server.web.rules_pages.rules_pages import RULES_PAGES
from server.web.rules_pages.traits import groups
from server.web.rules_pages.wording import wording_for

GAME_ID = re.compile("[0-9A-Za-z]{10}")


@cached_for_all
async def chooser(request: web.Request) -> web.Response:
    """GET /analysis: every variant, to choose one."""
    rules_pages, wording = request.app[RULES_PAGES], wording_for(request)
    found = groups(rules_pages.variants, wording.called, wording.say)
    return await as_page(
        request, "analysis/index.html", groups=found, shapes=rules_pages.shapes_for(rules_pages.variants), draw=draw
    )


async def analysis_page(request: web.Request) -> web.StreamResponse:
    """GET /analysis/{id}: the board; what stands on it comes from the address, which the script reads."""
    return await (show_board(request) if request.query else empty_board(request))


@cached_for_all
async def empty_board(request: web.Request) -> web.Response:
    """The board of a variant without a query: the same for everybody."""
    return await show_board(request)


async def show_board(request: web.Request) -> web.Response:
    """The board of a variant; its card for previews shows the position of the query."""
    variant = find_variant(request)
    return await board_page(request, variant, card_of_position(variant, request.query.get("fen")))


async def board_page(
    request: web.Request, variant: Variant, picture: str, kept: Mapping[str, object] | None = None, **shown: object
) -> web.Response:
    """The board of a variant. `picture`: its card. `kept`: its study, for the script; `shown`: for the template."""
    called = names_for(request)[variant.id]
    facts = {"variant": board_data(variant, called), "pgnTags": [variant.pgn_tag, variant.pgn_tag_960], "study": kept}
    game = request.query.get("game", "")
    page = await as_page(
        request,
        "analysis/analysis.html",
        page=script_safe(to_json(facts)),
        variant=variant,
        name=called.name,
        game=game if GAME_ID.fullmatch(game) else "",
        picture=picture,
        days_per_move=DAYS,
        banks=BANK_DAYS,
        **shown,
    )
    return isolated(page)
