"""Pictures of one game: its board at any half-move, an animated replay, and the card for pasted links.

They show what the game's page shows to everybody, and nothing else.
"""

from collections.abc import Callable

from aiohttp import web

from server.games.state import Game
from server.games.status import Status
from server.pictures.board import board_svg
from server.pictures.card import WIDTH, Card, card_svg
from server.pictures.gif import plan_gif
from server.pictures.layout import View
from server.pictures.png_plan import PngPlan
from server.pictures.replay import Pace, replay_svg
from server.pictures.scene import Scene, scenes
from server.pictures.theme import BOARDS
from server.rules.notation.fen import parse_fen
from server.web.budgets.buckets import RateLimit
from server.web.lookup import find_round
from server.web.pictures.answers import ASK_AGAIN, FOR_AN_HOUR, FOR_EVER, MOVING, answer
from server.web.pictures.captions import plates, terms_text, variant_name
from server.web.pictures.image_cache import IMAGES, Plan
from server.web.pictures.queries import Appearance, GamePicture, Nothing, Replay, SmallReplay, read_query
from server.web.rendering.problems import Problem
from server.web.site import SITE

LONGEST_GIF = 600
"""Half-moves; more would be a megabyte."""


async def board(request: web.Request) -> web.Response:
    """GET /{game}/board.svg"""
    drawings = request.app[IMAGES].drawings
    return await _board(request, lambda scene, view: board_svg(scene, view, drawings))


async def board_as_png(request: web.Request) -> web.Response:
    """GET /{game}/board.png"""
    drawings = request.app[IMAGES].drawings
    return await _board(request, lambda scene, view: PngPlan(board_svg(scene, view, drawings), view.size))


async def _board(request: web.Request, draw: Callable[[Scene, View], Plan]) -> web.Response:
    asked = read_query(request, GamePicture)
    game = (await find_round(request)).game
    ply = len(game.plies) if asked.ply is None else asked.ply
    if ply > len(game.plies):
        raise Problem(404, "no_ply", plies=len(game.plies))
    view = view_of(game, asked)
    moves = tuple(one.uci for one in game.plies[:ply])
    for_ever = game.status is Status.OVER and asked.ply is not None
    return await answer(
        request,
        ("board", request.path.rpartition(".")[2], game.terms.variant.id, game.terms.start_fen, moves, asked),
        lambda: draw(seen(game, moves)[-1], view),
        FOR_EVER if for_ever else ASK_AGAIN,
    )


async def replay(request: web.Request) -> web.Response:
    """GET /{game}/replay.svg"""
    drawings = request.app[IMAGES].drawings
    return await _replay(
        request, read_query(request, Replay), lambda shown, view, pace: replay_svg(shown, view, drawings, pace)
    )


async def replay_as_gif(request: web.Request) -> web.Response:
    """GET /{game}/replay.gif"""
    drawings = request.app[IMAGES].drawings
    return await _replay(
        request,
        read_query(request, SmallReplay),
        lambda shown, view, pace: plan_gif(shown, view, drawings, pace),
        LONGEST_GIF,
        request.app[SITE].limits.films,
    )


async def _replay(
    request: web.Request,
    asked: Replay,
    draw: Callable[[list[Scene], View, Pace], Plan],
    longest: int | None = None,
    beside: RateLimit | None = None,
) -> web.Response:
    game = (await find_round(request)).game
    if longest is not None and len(game.plies) > longest:
        raise Problem(422, "too_long", longest=longest)
    named = plates(game)
    view = View(
        game.terms.variant,
        flipped=asked.flip == "1",
        size=asked.size,
        coordinates=asked.coords == "1",
        plates=named,
        squares=BOARDS[asked.board],
        piece_set=asked.pieces,
        title=f"{named[0].name} - {named[1].name}, {variant_name(game)}",
    )
    moves = tuple(one.uci for one in game.plies)
    return await answer(
        request,
        ("replay", request.path.rpartition(".")[2], game.id, game.terms.start_fen, moves, named, asked),
        lambda: draw(seen(game, moves), view, Pace(step=asked.seconds)),
        FOR_AN_HOUR if game.status is Status.OVER else ASK_AGAIN,
        MOVING,
        beside,
    )


async def card(request: web.Request) -> web.Response:
    """GET /{game}/card.png: the picture beside a pasted link; a game in play is shown as it stands now."""
    read_query(request, Nothing)
    site, drawings = request.app[SITE], request.app[IMAGES].drawings
    game = (await find_round(request)).game
    text = Card(variant_name(game), terms_text(game), plates(game, site.now()))
    moves = tuple(one.uci for one in game.plies)
    return await answer(
        request,
        ("card", game.id, game.terms.start_fen, moves, text),
        lambda: PngPlan(card_svg(text, seen(game, moves)[-1], View(game.terms.variant), drawings), WIDTH),
        FOR_AN_HOUR if game.status is Status.OVER else ASK_AGAIN,
    )


def view_of(game: Game, asked: Appearance) -> View:
    return View(
        game.terms.variant,
        flipped=asked.flip == "1",
        size=asked.size,
        coordinates=asked.coords == "1",
        squares=BOARDS[asked.board],
        piece_set=asked.pieces,
        title=variant_name(game),
    )


def seen(game: Game, moves: tuple[str, ...]) -> list[Scene]:
    """The start and the scene after each of `moves`, the first moves of the game."""
    start = parse_fen(game.terms.variant, game.terms.start_fen, game.terms.chess960)
    return list(scenes(start, moves))
