"""Pictures of any position of a variant, and the cards of rules pages and of the site."""

from collections.abc import Iterable

from aiohttp import web

from server.language import FIRST
from server.pictures.card import WIDTH, Card, card_svg, site_card_svg
from server.pictures.layout import View
from server.pictures.png_plan import PngPlan
from server.pictures.scene import Scene
from server.rules.notation.fen import parse_fen, start_position
from server.rules.sliced_work import undivided
from server.rules.variant.variant import Variant
from server.web.languages import LANGUAGES
from server.web.lookup import find_variant
from server.web.openapi.operation import PNG, SVG, Media, described
from server.web.pictures.answers import FOR_AN_HOUR, answer, board_plan
from server.web.pictures.image_cache import IMAGES
from server.web.pictures.queries import PositionPicture, Where, read_query
from server.web.site import SITE


@described(query=PositionPicture, answers={200: Media(SVG)}, cached=True)
async def board_as_svg(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/board.svg: any position of a variant."""
    return await board(request)


@described(query=PositionPicture, answers={200: Media(PNG)}, cached=True)
async def board_as_png(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/board.png: the same for what cannot show SVG."""
    return await board(request)


async def board(request: web.Request) -> web.Response:
    """A position of the variant, in the format that the path ends with. Raises Problem."""
    asked = read_query(request, PositionPicture)
    variant = find_variant(request)
    scene = scene_of(variant, asked)
    view = asked.view(variant, variant.name)
    shown = ("position", request.path.rpartition(".")[2], variant.id, asked)
    return await answer(request, shown, undivided(lambda: board_plan(request, scene, view)), FOR_AN_HOUR)


def scene_of(variant: Variant, asked: Where) -> Scene:
    """The position asked for. Raises InvalidFen."""
    return Scene(parse_fen(variant, asked.fen or variant.start_fen, asked.chess960 == "1"))


@described(query=Where, answers={200: Media(PNG)}, cached=True)
async def card(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/card.png: the start position, or another one, and what the variant is about."""
    asked = read_query(request, Where)
    variant, drawings = find_variant(request), request.app[IMAGES].drawings
    text = Card(variant.name, variant.tagline)
    scene = scene_of(variant, asked)
    return await answer(
        request,
        ("variant", variant.id, text, asked),
        undivided(lambda: PngPlan(card_svg(text, scene, View(variant), drawings), WIDTH)),
        FOR_AN_HOUR,
    )


async def site_card(request: web.Request) -> web.Response:
    """GET /card.png: the site with a board of each size that is played here."""
    site, drawings = request.app[SITE], request.app[IMAGES].drawings
    shown = one_of_each_size(site.variants.values())
    boards = [(Scene(start_position(variant)), View(variant)) for variant in shown]
    # In one language for all: the person who pastes a link and those who see it may read different ones.
    sentence = request.app[LANGUAGES][FIRST].plain("pictures.site")
    return await answer(
        request,
        ("site", tuple(variant.id for variant in shown), sentence),
        undivided(lambda: PngPlan(site_card_svg(sentence, boards, drawings), WIDTH)),
        FOR_AN_HOUR,
    )


def one_of_each_size(variants: Iterable[Variant]) -> list[Variant]:
    """The first variant of each size of a square board, smallest first, three at most, without pockets."""
    fitting = [variant for variant in variants if variant.files == variant.ranks and variant.pocket is None]
    first = {variant.files: variant for variant in reversed(fitting)}
    return [first[files] for files in sorted(first)][:3]
