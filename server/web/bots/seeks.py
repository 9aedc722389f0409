"""Taking a seek by token, so that a bot can play whoever waits. lichess has nothing like it."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from server.games.seeks.seek import Seeker
from server.web.bots.bodies import BotBody, read_sent
from server.web.bots.callers import Caller, for_bots
from server.web.bots.challenge_api import require_room_of
from server.web.lobby.seeks import GameBegun
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.site import SITE


class Takes(BotBody):
    """`variants`: those of the seek's that the bot would play, with commas between them; none: any."""

    variants: Annotated[str, Field(max_length=1_000)] = ""


@described(body=Takes, answers={200: GameBegun}, refused=(400, 401, 409, 410))
@for_bots
async def take_seek(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/seek/{seek}/take: play whoever waits."""
    site = request.app[SITE]
    wanted = await read_sent(request, Takes)
    await require_room_of(site, caller)
    variants = [one for one in wanted.variants.split(",") if one]
    taker = Seeker(caller.player, registered=True)
    return as_json({"game": await site.live.lobby.accept(request.match_info["seek"], taker, variants)})
