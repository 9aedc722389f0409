"""Games in the Bot API: a bot's moves, offers and chat, ways to end a game, and the export of any game.

A bot gives the same commands as an open page, to the same round, which judges them by the time of receipt. Only the
seat is looked up here.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Final, Literal

import orjson
from aiohttp import web
from pydantic import Field

from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.command import Command
from server.games.state import OfferKind
from server.realtime.play.chat import SaidTooMuch, SaidTwice
from server.realtime.play.round import Round
from server.realtime.protocol.wire import Room
from server.realtime.runtime.ids import new_id
from server.rules.variant.pieces import Color
from server.web.bots.answers import Done, ExportedGame, SaidLine, Unsaid
from server.web.bots.callers import BotBody, Caller, for_bots, for_programs, ratings_of, read_sent, tournament_of
from server.web.bots.shapes import exported
from server.web.forms import validate_fields
from server.web.games.api import PlyQuery, charge_by_length, read_pgn
from server.web.languages import language_of
from server.web.openapi.operation import PGN, Media, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, find_round

PATIENCE_MS: Final = 5_000
"""How long a command waits for the store; a program asks again."""
ROOMS: Final[dict[str, Room]] = {"player": "players", "spectator": "watchers"}
YES_OR_NO: Final = {"yes": True, "true": True, "no": False, "false": False}
LONGEST_MOVE: Final = 12
REFUSED: Final = (400, 401, 404)


class Playing(BotBody):
    """`offeringDraw`: a draw is offered with the move or, if the opponent has offered one, accepted with it.

    If no draw may be offered yet, or again, the move counts alone.
    """

    offering_draw: bool = Field(False, alias="offeringDraw")


class Written(BotBody):
    """A line of chat."""

    room: Literal["player", "spectator"] = "player"
    text: Annotated[str, Field(min_length=1, max_length=4_000)]


async def seat_of(request: web.Request, caller: Caller) -> tuple[Round, Color]:
    """The game that the address names and the caller's side in it. Raises Problem (404)."""
    found = await find_round(request)
    color = found.game.color_of(caller.account.user)
    if color is None:
        raise Problem(404, "not_your_game")
    return found, color


@described(answers={200: Done}, query=Playing, refused=REFUSED)
@for_bots
async def move(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/move/{uci}: play a move."""
    site, now = request.app[SITE], request.app[SITE].now()
    playing, uci = validate_fields(request.query, Playing), request.match_info["uci"]
    if not 2 <= len(uci) <= LONGEST_MOVE:
        raise Problem(400, "bad_request", detail="The move is UCI, such as e2e4.")
    found, color = await seat_of(request, caller)
    if not site.live.services.alone and not found.game.has_the_move(color):
        # Another process may have shown the bot a move of which this one has not heard yet.
        await found.refresh()
    played = PlayMove(color, uci, len(found.game.plies), offers_draw=playing.offering_draw)
    return await submitted(found, played, now)


async def submitted(found: Round, command: Command, now: int) -> web.Response:
    """Raises Refused, Busy, StorageDown."""
    await found.submit(command, now, patience_ms=PATIENCE_MS)
    return as_json({"ok": True})


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def abort(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/abort: call off a game that has not begun."""
    return await ended(request, caller, Abort)


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def resign(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/resign: give up."""
    return await ended(request, caller, Resign)


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def claim_victory(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/claim-victory: win, as the opponent has left."""
    return await ended(request, caller, Claim)


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def claim_draw(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/claim-draw: make it a draw, as the opponent has left."""
    return await ended(request, caller, partial(Claim, as_draw=True))


async def ended(request: web.Request, caller: Caller, how: Callable[[Color], Command]) -> web.Response:
    """Raises Problem, Refused, Busy, StorageDown."""
    now = request.app[SITE].now()
    found, color = await seat_of(request, caller)
    return await submitted(found, how(color), now)


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def draw(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/draw/{answer}: yes offers or accepts a draw, no declines it, if there is any."""
    return await answered(request, caller, OfferKind.DRAW)


@described(answers={200: Done}, refused=REFUSED)
@for_bots
async def takeback(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/takeback/{answer}: yes offers or accepts one, no declines it, if there is any."""
    return await answered(request, caller, OfferKind.TAKEBACK)


async def answered(request: web.Request, caller: Caller, kind: OfferKind) -> web.Response:
    """Raises Problem, Refused, Busy, StorageDown."""
    now, accepts = request.app[SITE].now(), YES_OR_NO.get(request.match_info["answer"])
    if accepts is None:
        raise Problem(400, "bad_request", detail="The answer is yes or no.")
    found, color = await seat_of(request, caller)
    asked = next((one for one in found.game.offers_to(color) if one.kind is kind), None)
    if accepts:
        made = MakeOffer(color, kind, new_id())
        return await submitted(found, made if asked is None else AcceptOffer(color, asked.id), now)
    if asked is None:
        return as_json({"ok": True})
    return await submitted(found, DeclineOffer(color, asked.id), now)


@described(body=Written, answers={200: Done | Unsaid}, refused=REFUSED)
@for_bots
async def chat(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/game/{game}/chat: say something to the opponent, or to the spectators."""
    site, now = request.app[SITE], request.app[SITE].now()
    found, _color = await seat_of(request, caller)
    written = await read_sent(request, Written)
    try:
        await site.rounds.post_message(found, caller.player, ROOMS[written.room], written.text, now)
    except (SaidTooMuch, SaidTwice) as refusal:
        # As on lichess: a client that greets before its move would give the move up for anything but 200.
        return as_json({"ok": False, "error": language_of(request).said(refusal)})
    return as_json({"ok": True})


@described(answers={200: list[SaidLine]}, refused=REFUSED)
@for_bots
async def read_chat(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/bot/game/{game}/chat: what the players have said to each other."""
    site = request.app[SITE]
    found, _color = await seat_of(request, caller)
    unheard = site.live.services.blocks.unheard_by(caller.account.user)
    lines = [
        {"text": line.text, "user": line.name}
        for line in found.feed.chat.lines
        if line.room == "players" and line.player not in unheard
    ]
    return web.Response(body=orjson.dumps(lines), content_type="application/json")


@described(query=PlyQuery, answers={200: (Media(PGN), ExportedGame)})
@for_programs
async def export_game(request: web.Request) -> web.Response:
    """GET /game/export/{game}: a game as PGN or, if Accept asks for that, as JSON."""
    if "application/json" not in request.headers.get("Accept", ""):
        return await read_pgn(request)
    site, game = request.app[SITE], (await find_round(request)).game
    charge_by_length(request, game)
    ratings, tournament = await ratings_of(site, game), await tournament_of(site, game)
    return as_json(exported(game, site.live.services.bots, ratings, tournament))
