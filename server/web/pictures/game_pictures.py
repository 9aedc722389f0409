"""Pictures of one game: its board at any half-move, an animated replay, and the card for pasted links.

They show what the game's page shows to everybody, and nothing else.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Literal

from aiohttp import web

from server.games.state import Game
from server.games.status import Status
from server.pictures.board import board_svg
from server.pictures.card import WIDTH, Card, card_svg
from server.pictures.film import Film
from server.pictures.layout import View
from server.pictures.png_plan import PngPlan
from server.pictures.replay import Pace
from server.pictures.scene import Scene, scenes
from server.rules.notation.fen import parse_fen
from server.rules.sliced_work import SlicedWork, undivided
from server.web.lookup import find_round
from server.web.pictures.answers import ASK_AGAIN, FOR_AN_HOUR, FOR_EVER, MOVING, answer, board_plan
from server.web.pictures.captions import plates, terms_text, variant_name
from server.web.pictures.image_cache import IMAGES, Drawable, ImageCache
from server.web.pictures.queries import Appearance, GamePicture, Replay, SmallReplay, read_query
from server.web.rendering.problems import Problem
from server.web.site import SITE

MAILED_PX = 320
LONGEST_GIF = 600
"""Half-moves; more would be a megabyte."""


async def board(request: web.Request) -> web.Response:
    """GET /{game}/board.svg, /{game}/board.png"""
    asked = read_query(request, GamePicture)
    game = (await find_round(request)).game
    ply = len(game.plies) if asked.ply is None else asked.ply
    if ply > len(game.plies):
        raise Problem(404, "no_ply", plies=len(game.plies))
    view = asked.view(game.terms.variant, variant_name(game))
    moves = first_moves(game, ply)
    for_ever = game.status is Status.OVER and asked.ply is not None
    return await answer(
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
    return await answer(
        request,
        ("replay", form, game.id, game.terms.start_fen, moves, named, asked),
        undivided(lambda: film),
        FOR_AN_HOUR if game.status is Status.OVER else ASK_AGAIN,
        MOVING,
        request.app[SITE].limits.films if long or form == "gif" else None,
    )


async def card(request: web.Request) -> web.Response:
    """GET /{game}/card.png: the picture beside a pasted link; a game in play is shown as it stands now."""
    site, drawings = request.app[SITE], request.app[IMAGES].drawings
    game = (await find_round(request)).game
    text = Card(variant_name(game), terms_text(game), plates(game, site.now()))
    moves, view = first_moves(game, len(game.plies)), View(game.terms.variant)
    return await answer(
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
    return (await images.picture(tag, _drawn_after(game, moves, drawn))).body


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
