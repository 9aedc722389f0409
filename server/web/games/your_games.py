"""A person's running games: the strip on the front page, the page that lists all of them, and the same as JSON."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web
from typing_extensions import TypedDict

from server.games.clocks.time_control import for_color
from server.games.clocks.vacations import day_at
from server.games.player import level_named
from server.realtime.moderation import Bots
from server.realtime.protocol.wire import Side, clock_text, side
from server.realtime.your_games import SHOWN, your_game
from server.rules.errors import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from server.storage.running import RunningGame
from server.web.languages import variant_names
from server.web.openapi.operation import described
from server.web.people.online import following
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site

log = logging.getLogger(__name__)

MAX_AT_ONCE: Final = 200
"""Games of one person that are not over, the open ones that nobody has joined among them."""
BESIDE: Final = 4
"""Small boards beside a large one; a window of 900 px has room for no more."""
WITH_BOARD = 60
"""The games at the top of the page; a picture of each of hundreds would take longer than anybody looks."""


async def games_on_strip(site: Site, player_id: str) -> tuple[Sequence[RunningGame], int]:
    """What the front page shows of somebody's games, and how many more there are. Raises Unavailable."""
    games = await site.live.running_games.games_of(player_id)
    return games[:SHOWN], max(0, len(games) - SHOWN)


async def others_waiting(site: Site, reader: Visitor | None, here: str) -> Sequence[RunningGame]:
    """What stands beside the board of the game `here`: the reader's other games but those by the minute, if any of them
    waits for them. Nothing while the store is away: the board is there all the same.
    """
    try:
        games = [] if reader is None else await site.live.running_games.games_of(reader.user.id)
    except StoreError as error:
        log.info("nothing stands beside the game %s: %s", here, error)
        return []
    others = [one for one in games if one.id != here and not one.control.by_the_minute]
    return others[:BESIDE] if any(one.urgent for one in others) else []


def games_as_tiles(games: Sequence[RunningGame], now: int, bots: Bots) -> list[dict[str, Any]]:
    """The same as the lobby's line tells them, JSON-able. `now`: ms."""
    return [your_game(one, now, bots).model_dump(mode="json", exclude_none=True) for one in games]


async def require_room(site: Site, player_id: str, most: int = MAX_AT_ONCE) -> None:
    """Raises Problem (409) if that person has `most` games, and Unavailable. In the lobby it is called in a turn."""
    if len(await site.live.running_games.games_of(player_id)) >= most:
        raise Problem(409, "games_at_once", n=most)


@asynccontextmanager
async def room_for_game(site: Site, player_id: str, most: int = MAX_AT_ONCE) -> AsyncIterator[None]:
    """The context in which a game is begun for that person: one at a time, so that each counts those before it.

    Raises as `require_room` does. The lobby and other nodes do not wait for it, so each may begin one game too many,
    and others may take seeks made before. These are few, and harmless: the limit keeps lists short, and is far below
    `MAX_RUNNING`. A place in a quota for each game would cost every game two writes.
    """
    async with site.live.running_games.turn_of(player_id):
        await require_room(site, player_id, most)
        yield


async def own_games_page(request: web.Request, problem: Refusal | None = None) -> web.Response:
    """GET /games/mine: all of them; without a name there are none yet.

    `problem`: why the form for a vacation was refused.
    """
    games, site = await _own_games(request), request.app[SITE]
    visitor, member = await site.sessions.find(request), await site.sessions.member(request)
    page = await as_page(
        request,
        "your_games/your_games.html",
        problem=problem,
        following=await following(site, visitor),
        called=variant_names(request),
        vacation=await site.live.vacations.allowance_of(member.user.id)
        if member and site.settings.vacation_days
        else None,
        today=day_at(site.now()),
        waiting=[one for one in games if one.waits or one.by_the_minute],
        others=[one for one in games if not (one.waits or one.by_the_minute)],
        with_board={one.id for one in games[:WITH_BOARD]} if IMAGES in request.app else frozenset(),
        now=site.now(),
    )
    return with_status(page, problem)


class Away(TypedDict):
    """Until when each side is on vacation, ms; null: it is not."""

    white: int | None
    black: int | None


class RunningGameJson(TypedDict):
    """A game of the reader's that goes on. `clock`: as in the lobby, "" without one.

    `board`: its pieces as a FEN begins with them, without pockets; `last`: the last move, UCI; "" if there is none.
    `by_the_minute`: it is played now, at its board. `computer`: the opponent's level, 0 for a person. `explodes`: a
    capture there empties the squares around it.

    `left`: ms for whoever is to move; null in a game by the minute. `adjourned`: null, or who is ready to go on.
    """

    id: str
    variant: str
    chess960: bool
    rated: bool
    clock: str
    status: str
    adjourned: str | None
    claimable: bool
    color: Side
    opponent: str | None
    away: Away
    to_move: Side
    your_turn: bool
    left: int | None
    by_the_minute: bool
    computer: int
    board: str
    last: str
    explodes: bool


class RunningGames(TypedDict):
    games: list[RunningGameJson]


@described(answers={200: RunningGames})
async def read_own_games(request: web.Request) -> web.Response:
    """GET /api/me/games: one's running games, the most urgent first."""
    site = request.app[SITE]
    exploding = {one.id for one in site.variants.values() if one.explodes}
    games = await _own_games(request)
    return as_json({"games": [_as_json(one, site.now(), one.variant in exploding) for one in games]})


async def _own_games(request: web.Request) -> Sequence[RunningGame]:
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    return [] if visitor is None else await site.live.running_games.games_of(visitor.user.id)


def _as_json(game: RunningGame, now: int, explodes: bool) -> RunningGameJson:
    return {
        "id": game.id,
        "variant": game.variant,
        "chess960": game.chess960,
        "rated": game.rated,
        "clock": clock_text(game.control),
        "status": game.status,
        "adjourned": game.adjourned,
        "claimable": game.claimable,
        "color": side(game.color),
        "opponent": game.opponent,
        "away": {
            "white": for_color(game.away, Color.WHITE) or None,
            "black": for_color(game.away, Color.BLACK) or None,
        },
        "to_move": side(game.to_move),
        "your_turn": game.waits,
        "left": None if game.by_the_minute or game.deadline is None else max(0, game.deadline - now),
        "by_the_minute": game.by_the_minute,
        "computer": level_named(game.opponent or ""),
        "board": game.board,
        "last": game.last,
        "explodes": explodes,
    }
