"""Pictures of positions and games at addresses of their own: boards, replays, and the cards of pasted links.

A picture of a game shows what its page shows to everybody. What pictures look like is decided in `server.pictures`; how
long caches may keep one, and what it costs the caller, is decided here.
"""

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter
from typing import Annotated, Final, Literal, TypeVar

from aiohttp import ETag, web
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from server.games.state import Game
from server.games.status import Status
from server.language import FIRST
from server.pictures.board import board_svg
from server.pictures.card import WIDTH, Card, card_svg, site_card_svg
from server.pictures.markup import PngPlan
from server.pictures.rendering import Film
from server.pictures.replay import Pace
from server.pictures.scene import Plate, Scene, View, scenes
from server.pictures.theme import BOARDS, USUAL_BOARD, USUAL_SET, PieceSetName
from server.rules.notation.fen import LONGEST, parse_fen, start_position
from server.rules.sliced_work import SlicedWork, in_one_slice
from server.rules.variant.variant import Variant
from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.forms import validate_fields
from server.web.languages import LANGUAGES
from server.web.openapi.operation import PNG, SVG, Media, described
from server.web.pictures.captions import plates, terms_text, variant_name
from server.web.pictures.image_cache import IMAGES, MAILS, Drawable, ImageCache
from server.web.rendering.problems import Problem
from server.web.site import SITE, charge_address, find_round, find_variant, name_of

ZeroOrOne = Literal["0", "1"]


RENAMED = {"plain": "newsprint"}
"""Boards that had another name in an earlier release: links with it get around."""


def known_board(name: str) -> str:
    """The board of that name, or the one that has taken its place. Raises ValueError."""
    board = RENAMED.get(name, name)
    if board not in BOARDS:
        raise ValueError(f"choose one of {', '.join(BOARDS)}")
    return board


class Query(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Appearance(Query):
    """`flip`: Black at the bottom. `size`: width of the board in px. `board`, `pieces`: as on the settings page."""

    flip: ZeroOrOne = "0"
    size: Annotated[int, Field(ge=96, le=1200)] = 480
    coords: ZeroOrOne = "1"
    board: Annotated[str, AfterValidator(known_board)] = USUAL_BOARD
    pieces: PieceSetName = USUAL_SET

    def view(self, variant: Variant, title: str, plates: tuple[Plate, Plate] | None = None) -> View:
        """A board of the variant that looks like this."""
        return View(
            variant,
            flipped=self.flip == "1",
            size=self.size,
            coordinates=self.coords == "1",
            plates=plates,
            squares=BOARDS[self.board],
            piece_set=self.pieces,
            title=title,
        )


class GamePicture(Appearance):
    """`ply`: after how many half-moves; without it, the game as it stands."""

    ply: Annotated[int, Field(ge=0, le=10_000)] | None = None


class Where(Query):
    """`fen`: without it, the start position. `chess960`: how castling in it is read."""

    fen: Annotated[str, Field(min_length=1, max_length=LONGEST)] | None = None
    chess960: ZeroOrOne = "0"


class PositionPicture(Appearance, Where):
    """Any position, in any appearance."""


class Replay(Appearance):
    """`seconds` for each move."""

    seconds: Annotated[float, Field(ge=0.2, le=5, allow_inf_nan=False)] = 0.8


class SmallReplay(Replay):
    """For a GIF, which is smaller because it contains every pixel."""

    size: Annotated[int, Field(ge=160, le=600)] = 480


QueryType = TypeVar("QueryType", bound=Query)


def read_query(request: web.Request, query: type[QueryType]) -> QueryType:
    """The query as `query`. Raises Problem (400) for a parameter that is repeated, invalid or, under /api, unknown.

    Links to pictures get around like links to pages, and others add parameters of their own to them.
    """
    strict = request.path.startswith("/api/")
    asked = [(name, value) for name, value in request.rel_url.query.items() if strict or name in query.model_fields]
    if len(asked) != len(dict(asked)):
        raise Problem(400, "bad_request", detail="Each part of the address behind the ? may stand there once.")
    return validate_fields(dict(asked), query)


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


async def answer_picture(
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
    picture = await images.picture(tag, plan, address_key(request, request.app[SITE].settings))
    response = web.Response(body=picture.body, content_type=picture.content_type, headers=headers)
    if picture.content_type == SVG:
        response.charset = "utf-8"
        response.enable_compression()
    return response


MAILED_PX = 320
LONGEST_GIF = 600
"""Half-moves; more would be a megabyte."""


async def game_board(request: web.Request) -> web.Response:
    """GET /{game}/board.svg, /{game}/board.png"""
    asked = read_query(request, GamePicture)
    game = (await find_round(request)).game
    ply = len(game.plies) if asked.ply is None else asked.ply
    if ply > len(game.plies):
        raise Problem(404, "no_ply", plies=len(game.plies))
    view = asked.view(game.terms.variant, variant_name(game))
    moves = first_moves(game, ply)
    for_ever = game.status is Status.OVER and asked.ply is not None
    return await answer_picture(
        request,
        ("board", request.path.rpartition(".")[2], game.terms.variant.id, game.terms.start_fen, moves, asked),
        _drawn_after(game, moves, lambda scene: board_plan(request, scene, view)),
        FOR_EVER if for_ever else ASK_AGAIN,
    )


async def replay(request: web.Request) -> web.Response:
    """GET /{game}/replay.svg"""
    return await _replay(request, read_query(request, Replay), "svg")


async def replay_as_gif(request: web.Request) -> web.Response:
    """GET /{game}/replay.gif"""
    return await _replay(request, read_query(request, SmallReplay), "gif")


async def _replay(request: web.Request, asked: Replay, form: Literal["svg", "gif"]) -> web.Response:
    game = (await find_round(request)).game
    long = len(game.plies) > LONGEST_GIF
    if long and form == "gif":
        raise Problem(422, "too_long", longest=LONGEST_GIF)
    named = plates(game)
    title = f"{named[0].name} - {named[1].name}, {variant_name(game)}"
    view = asked.view(game.terms.variant, title, named)
    moves, drawings = first_moves(game, len(game.plies)), request.app[IMAGES].drawings
    film = Film(form, game.terms.start_fen, game.terms.chess960, moves, view, drawings, Pace(step=asked.seconds))
    return await answer_picture(
        request,
        ("replay", form, game.id, game.terms.start_fen, moves, named, asked),
        in_one_slice(lambda: film),
        FOR_AN_HOUR if game.status is Status.OVER else ASK_AGAIN,
        MOVING,
        request.app[SITE].limits.films if long or form == "gif" else None,
    )


async def game_card(request: web.Request) -> web.Response:
    """GET /{game}/card.png: the picture beside a pasted link; a game in play is shown as it stands now."""
    site, drawings = request.app[SITE], request.app[IMAGES].drawings
    game = (await find_round(request)).game
    text = Card(name_of(site), variant_name(game), terms_text(game), plates(game, site.now()))
    moves, view = first_moves(game, len(game.plies)), View(game.terms.variant)
    return await answer_picture(
        request,
        ("card", game.id, game.terms.start_fen, moves, text),
        _drawn_after(game, moves, lambda scene: PngPlan(card_svg(text, scene, view, drawings), WIDTH)),
        FOR_AN_HOUR if game.status is Status.OVER else ASK_AGAIN,
    )


async def board_png(images: ImageCache, game: Game, *, flipped: bool) -> bytes:
    """The board of the game as it stands, MAILED_PX wide, with Black at the bottom if it is `flipped`.

    Raises Problem (503).
    """
    moves = first_moves(game, len(game.plies))
    look = Appearance(flip="1" if flipped else "0", size=MAILED_PX)
    view = look.view(game.terms.variant, variant_name(game))

    def drawn(scene: Scene) -> PngPlan:
        return PngPlan(board_svg(scene, view, images.drawings), view.size)

    tag = images.tag(("mailed", game.terms.variant.id, game.terms.start_fen, moves, look))
    return (await images.picture(tag, _drawn_after(game, moves, drawn), MAILS)).body


def first_moves(game: Game, plies: int) -> str:
    """So many moves of the game in UCI, with spaces between them."""
    return " ".join(map(attrgetter("uci"), game.plies[:plies]))


def _drawn_after(game: Game, moves: str, draw: Callable[[Scene], Drawable]) -> SlicedWork[Drawable]:
    """The scene after the first `moves` of the game, drawn."""
    start = parse_fen(game.terms.variant, game.terms.start_fen, game.terms.chess960)
    for scene in scenes(start, moves.split()):
        shown = scene
        yield
    return draw(shown)


@described(query=PositionPicture, answers={200: Media(SVG)}, cached=True)
async def board_as_svg(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/board.svg: any position of a variant."""
    return await _position_board(request)


@described(query=PositionPicture, answers={200: Media(PNG)}, cached=True)
async def board_as_png(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/board.png: the same for what cannot show SVG."""
    return await _position_board(request)


async def _position_board(request: web.Request) -> web.Response:
    """A position of the variant, in the format that the path ends with. Raises Problem."""
    asked = read_query(request, PositionPicture)
    variant = find_variant(request)
    scene = _scene_of(variant, asked)
    view = asked.view(variant, variant.name)
    shown = ("position", request.path.rpartition(".")[2], variant.id, asked)
    return await answer_picture(request, shown, in_one_slice(lambda: board_plan(request, scene, view)), FOR_AN_HOUR)


def _scene_of(variant: Variant, asked: Where) -> Scene:
    """The position asked for. Raises InvalidFen."""
    return Scene(parse_fen(variant, asked.fen or variant.start_fen, asked.chess960 == "1"))


@described(query=Where, answers={200: Media(PNG)}, cached=True)
async def variant_card(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}/card.png: the start position, or another one, and what the variant is about."""
    asked = read_query(request, Where)
    variant, drawings = find_variant(request), request.app[IMAGES].drawings
    text = Card(name_of(request.app[SITE]), variant.name, variant.tagline)
    scene = _scene_of(variant, asked)
    return await answer_picture(
        request,
        ("variant", variant.id, text, asked),
        in_one_slice(lambda: PngPlan(card_svg(text, scene, View(variant), drawings), WIDTH)),
        FOR_AN_HOUR,
    )


async def site_card(request: web.Request) -> web.Response:
    """GET /card.png: the site with a board of each size that is played here."""
    site, drawings = request.app[SITE], request.app[IMAGES].drawings
    name, shown = name_of(site), one_of_each_size(site.offered.values())
    boards = [(Scene(start_position(variant)), View(variant)) for variant in shown]
    # In one language for all: the person who pastes a link and those who see it may read different ones.
    sentence = request.app[LANGUAGES][FIRST].plain("pictures.site")
    return await answer_picture(
        request,
        ("site", name, tuple(variant.id for variant in shown), sentence),
        in_one_slice(lambda: PngPlan(site_card_svg(name, sentence, boards, drawings), WIDTH)),
        FOR_AN_HOUR,
    )


def one_of_each_size(variants: Iterable[Variant]) -> list[Variant]:
    """The first variant of each size of a square board, smallest first, three at most, without pockets."""
    fitting = [variant for variant in variants if variant.files == variant.ranks and variant.pocket is None]
    first = {variant.files: variant for variant in reversed(fitting)}
    return [first[files] for files in sorted(first)][:3]
