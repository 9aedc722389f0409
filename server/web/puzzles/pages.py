"""The pages of puzzles: which there are, and the board on which those of one form are solved."""

from dataclasses import dataclass

from aiohttp import web

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.variant import Variant
from server.web.board_data import script_safe, to_json
from server.web.lookup import find_variant
from server.web.rendering.answers import as_page
from server.web.rules_pages.addresses import address_of, form_at
from server.web.rules_pages.drawing import draw
from server.web.rules_pages.handlers import to_try
from server.web.rules_pages.rules_pages import RULES_PAGES
from server.web.rules_pages.wording import Wording, wording_for
from server.web.site import SITE

SENTENCES = (
    *("wrong", "failed", "gave_up", "streak", "rating", "gained", "all_solved", "unrated"),
    *("board", "rated"),
)
"""What the script says; it fills in the places."""


@dataclass(frozen=True, slots=True)
class FormPuzzles:
    """A form that has puzzles: its address and name, and how many."""

    address: str
    name: str
    number: int
    variant: Variant


async def index(request: web.Request) -> web.Response:
    """GET /puzzles: the forms that have puzzles."""
    site, wording = request.app[SITE], wording_for(request)
    forms = []
    for variant in site.variants.values():
        for chess960 in (False, True) if variant.chess960 else (False,):
            if number := await site.store.puzzles.count(variant.id, chess960):
                name = wording.called[variant.id].of_form(chess960).name
                forms.append(FormPuzzles(address_of(variant.id, chess960), name, number, variant))
    rules_pages = request.app[RULES_PAGES]
    return await as_page(
        request,
        "puzzles/puzzles.html",
        forms=forms,
        diagrams={one.address: Diagram(one.variant, one.variant.start_fen) for one in forms},
        shapes=rules_pages.shapes_for({one.variant.id: one.variant for one in forms}),
        draw=draw,
    )


async def puzzles_of_form(request: web.Request) -> web.Response:
    """GET /puzzles/{variant}: the board; which puzzle is on it, the script asks for."""
    variants = request.app[SITE].variants
    variant, chess960 = form_at(request.match_info["variant"], variants) or (find_variant(request), False)
    wording = wording_for(request)
    called = wording.called[variant.id].of_form(chess960)
    address = address_of(variant.id, chess960)
    facts = {
        "form": address,
        "chess960": chess960,
        "variant": to_try(variant, called, chess960),
        "words": words(wording, called.name),
    }
    number = await request.app[SITE].store.puzzles.count(variant.id, chess960)
    return await as_page(
        request,
        "puzzles/puzzle.html",
        page=script_safe(to_json(facts)),
        variant=variant,
        address=address,
        name=called.name,
        number=number,
    )


def words(wording: Wording, name: str) -> dict[str, str]:
    """By the end of their key; {places} are filled in by the script."""
    places = {place: f"{{{place}}}" for place in ("n", "best", "gained", "themes", "rating")}
    return {one: wording.say(f"puzzles.{one}", **places | {"name": name}) for one in SENTENCES}
