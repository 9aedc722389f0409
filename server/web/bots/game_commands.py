"""What a bot does in a game of its own: moves, offers, chat, and ways to end it.

Each is the command that an open page would give, to the same round, which judges it by the time of receipt. Only the
seat is found out here.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from aiohttp import web
from pydantic import Field

from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.command import Command
from server.games.errors import Refused
from server.games.state import OfferKind
from server.realtime.play.chat.limiter import SaidTooMuch, SaidTwice
from server.realtime.play.post_chat import post_message
from server.realtime.play.round import Round
from server.realtime.process.ids import new_id
from server.realtime.protocol.wire import Room
from server.rules.variant.pieces import Color
from server.web.bots.bodies import BotBody, Written, read_sent
from server.web.bots.callers import Caller, for_bots
from server.web.bots.shapes.answers import Done, Unsaid
from server.web.forms.forms import validated
from server.web.languages import language_of
from server.web.lookup import find_round
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE

PATIENCE_MS: Final = 5_000
"""How long a command waits for the store; a program asks again."""
ROOMS: Final[dict[str, Room]] = {"player": "players", "spectator": "watchers"}
YES_OR_NO: Final = {"yes": True, "true": True, "no": False, "false": False}
LONGEST_MOVE: Final = 12
REFUSED: Final = (400, 401, 404)


class Playing(BotBody):
    """`offeringDraw`: a draw is offered with the move."""

    offering_draw: bool = Field(False, alias="offeringDraw")


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
    playing, uci = validated(request.query, Playing), request.match_info["uci"]
    if not 2 <= len(uci) <= LONGEST_MOVE:
        raise Problem(400, "bad_request", detail="The move is UCI, such as e2e4.")
    found, color = await seat_of(request, caller)
    if not site.live.services.alone and not found.game.has_the_move(color):
        # Another process may have shown the bot a move of which this one has not heard yet.
        await found.refresh()
    if playing.offering_draw:
        # First, so that it stands when the opponent is told of the move. Too early for it is no reason not to move.
        with suppress(Refused):
            await found.submit(MakeOffer(color, OfferKind.DRAW, new_id()), now, patience_ms=PATIENCE_MS)
    played = PlayMove(color, uci, len(found.game.plies))
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
        await post_message(site.rounds, found, caller.player, ROOMS[written.room], written.text, now)
    except (SaidTooMuch, SaidTwice) as refusal:
        # As on lichess: a client that greets before its move would give the move up for anything but 200.
        return as_json({"ok": False, "error": language_of(request).said(refusal)})
    return as_json({"ok": True})
