"""Fair play while a game goes on: those who play it get no help with it here, from no engine, explorer or study.

What the server answers, it refuses; the engine thinks in the browser, which keeps to the same rule
(static/js/explain/fair_play.js). It is about games with another person. Nobody is kept from reading their own game, and
nobody else learns what somebody has asked for.
"""

from collections.abc import Sequence
from typing import Final

from aiohttp import web

from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_placement, start_position
from server.rules.notation.pgn import PgnGame
from server.rules.notation.pgn_line import PgnLine
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.storage.running import RunningGame
from server.storage.time_slices import run_sliced
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem
from server.web.site import SITE

OPENING: Final = 10
"""Half-moves that many games have in common. A position after fewer is somebody's game only for a while."""
SOON: Final = 8
"""Half-moves that what follows from such a position still helps with."""


@cached_for_all
async def fair_play_page(request: web.Request) -> web.Response:
    """GET /fair-play: what nobody may do in a game, and what this site does about it."""
    return await as_page(request, "about/fair_play.html")


async def games_in_play(request: web.Request) -> Sequence[RunningGame]:
    """The games that the asker is playing against other people. Raises Unavailable."""
    visitor = await request.app[SITE].sessions.find(request)
    return [] if visitor is None else await _games_of(request, visitor.user.id)


async def _games_of(request: web.Request, person: str) -> Sequence[RunningGame]:
    return [one for one in await request.app[SITE].live.running_games.games_of(person) if one.has_opponent]


async def forbid_own_game(request: web.Request, game: str) -> None:
    """Raises Problem (403) if the asker plays the game of that id, and Unavailable."""
    if any(one.id == game for one in await games_in_play(request)):
        raise Problem(403, "in_play")


async def forbid_help(request: web.Request, variant: Variant, way: Sequence[Position]) -> None:
    """Raises Problem (403) if the last position of `way` has to do with a game of the asker, and Unavailable.

    `way`: the positions in order, at least one. A game by the minute leaves no time for anything else: nothing of its
    variant is looked up meanwhile.
    """
    for game in await games_in_play(request):
        if game.variant == variant.id and (game.by_the_minute or _leads_from(game, way)):
            raise Problem(403, "in_play")


async def forbid_keeping(request: web.Request, study: str, owner: str, line: PgnGame) -> None:
    """Raises Problem (403) if that line goes through a game of the asker, or of whoever belongs to that study, and
    Unavailable. Openings are everybody's.
    """
    if await _is_in_play(request, await games_in_play(request), line):
        raise Problem(403, "in_play")
    members = [one.person.id for one in await request.app[SITE].store.studies.members_of(study)]
    # One walk through the line for all of them: it may be long, and they many.
    games = [game for person in (owner, *members) for game in await _games_of(request, person)]
    if await _is_in_play(request, games, line):
        raise Problem(403, "in_play_of_member")


async def _is_in_play(request: web.Request, playing: Sequence[RunningGame], line: PgnGame) -> bool:
    """Does the line say that it is one of these games, or go through one behind the opening?"""
    games = [one for one in playing if one.variant == line.variant.id]
    address = request.app[SITE].settings.address
    if any(line.tags.get("Site") == f"{address}/{game.id}" for game in games):
        return True
    if not games:
        return False
    through: bool = await run_sliced(_goes_through(games, line.start, line.line, _opening(line.start)))
    return through


def _leads_from(game: RunningGame, way: Sequence[Position]) -> bool:
    """Is the last position of `way` that of the game, or does it follow from it?

    What comes long after a position of the opening is another game.
    """
    last, opening = len(way) - 1, _opening(way[0])
    return any(_stands_at(game, one) and (at >= opening or last - at <= SOON) for at, one in enumerate(way))


def _goes_through(games: Sequence[RunningGame], position: Position, line: PgnLine, opening: int) -> SlicedWork[bool]:
    """Has the line from `position`, or one of its variations, a position of one of these games? In the first `opening`
    half-moves it does not matter.
    """
    if opening <= 0 and _is_of_one(games, position):
        return True
    for move in line:
        for variation in move.variations:
            if (yield from _goes_through(games, position, variation, opening)):
                return True
        position, opening = play_trusted(position, parse_uci(position, move.uci)), opening - 1
        if opening <= 0 and _is_of_one(games, position):
            return True
        yield
    return False


def _opening(start: Position) -> int:
    """How many of the half-moves from `start` are of the opening: none of those from a position that was set up."""
    return (
        OPENING if start.chess960 or format_placement(start) == format_placement(start_position(start.variant)) else 0
    )


def _is_of_one(games: Sequence[RunningGame], position: Position) -> bool:
    """Does one of the games stand at that position?"""
    boards = [game.board for game in games if game.last and position.turn is game.to_move]
    return bool(boards) and format_placement(position) in boards


def _stands_at(game: RunningGame, position: Position) -> bool:
    """The same pieces, and the same side to move. A game in which nobody has moved gives nothing away."""
    return _is_of_one([game], position)
