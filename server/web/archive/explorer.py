"""The opening explorer over HTTP: what was played here from a position. What counts is decided where it is stored."""

from typing import Annotated

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.rules.errors import RulesError
from server.rules.movegen.legal import play
from server.rules.movegen.position import Position
from server.rules.notation.fen import LONGEST, format_fen, parse_fen, start_position
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant
from server.storage.protocols.explorer import DEPTH, MoveCount, position_key
from server.storage.record_kinds import GAMES
from server.web.fair_play import forbid_help
from server.web.openapi.operation import described
from server.web.pictures.handlers import Query, ZeroOrOne, read_query
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site, find_variant

LONGEST_MOVES = DEPTH * 9
"""As many moves as can be in the explorer, each with a comma."""


class ExploredPosition(Query):
    """`fen`: without it, the start position. `moves`: in UCI with commas between, played from there."""

    fen: Annotated[str, Field(min_length=1, max_length=LONGEST)] | None = None
    moves: Annotated[str, Field(max_length=LONGEST_MOVES)] = ""
    chess960: ZeroOrOne = "0"


class ExploredMove(TypedDict):
    """A move with the results of its games. `rating`: the average of their players, null if none is known.

    `last`: the latest of these games; `best`: the one with the highest rating, `best_rating`; null if it is gone.
    """

    uci: str
    san: str
    white: int
    draws: int
    black: int
    rating: int | None
    last: str | None
    ended: int
    best: str | None
    best_rating: int | None


class Explored(TypedDict):
    """The moves that were played here from a position, the most frequent first."""

    fen: str
    white: int
    draws: int
    black: int
    moves: list[ExploredMove]


@described(query=ExploredPosition, answers={200: Explored}, refused=(403,))
async def explore(request: web.Request) -> web.Response:
    """GET /api/explorer/{variant}: the moves that were played here from a position, and how those games ended.

    Games between people count, up to half-move 30, however the position came about. Nobody is told what was played from
    a position of a game that they are playing.
    """
    variant, asked = find_variant(request), read_query(request, ExploredPosition)
    way = way_asked(variant, asked)
    await forbid_help(request, variant, way)
    return as_json(await explored(request.app[SITE], way[-1]))


def way_asked(variant: Variant, asked: ExploredPosition) -> list[Position]:
    """The position asked about, behind those on the way to it.

    Raises Problem (400), InvalidFen, IllegalMove, InvalidMove.
    """
    chess960 = asked.chess960 == "1"
    if chess960 and not variant.chess960:
        raise Problem(400, "no_chess960")
    way = [start_position(variant, chess960) if asked.fen is None else parse_fen(variant, asked.fen, chess960)]
    for uci in filter(None, asked.moves.split(",")):
        way.append(play(way[-1], parse_uci(way[-1], uci)))
    return way


async def explored(site: Site, position: Position) -> Explored:
    """Raises Unavailable."""
    counts = sorted(await site.store.explorer.moves(position_key(position)), key=lambda one: (-one.games, one.move))
    named = {game for one in counts for game in (one.last, one.best) if game}
    there = await site.store.records.known(GAMES, named)
    moves = [move for one in counts if (move := _explored(position, one, there)) is not None]
    return {
        "fen": format_fen(position),
        "white": sum(one["white"] for one in moves),
        "draws": sum(one["draws"] for one in moves),
        "black": sum(one["black"] for one in moves),
        "moves": moves,
    }


def _explored(position: Position, one: MoveCount, there: set[str]) -> ExploredMove | None:
    """None for a move that is not legal: positions that count as repeated can differ in what may be gated."""
    try:
        san = format_san(position, parse_uci(position, one.move))
    except RulesError:
        return None
    return {
        "uci": one.move,
        "san": san,
        "white": one.white,
        "draws": one.draws,
        "black": one.black,
        "rating": one.rating,
        "last": one.last if one.last in there else None,
        "ended": one.ended,
        "best": one.best if one.best in there else None,
        "best_rating": one.best_rating if one.best in there else None,
    }
