"""One game, as the Bot API exports it: as PGN, unless a client asks for JSON."""

from aiohttp import web

from server.realtime.play.players.player_ratings import player_ratings
from server.web.api import PlyQuery, charge_by_length, read_pgn
from server.web.bots.callers import for_programs, people_of_site
from server.web.bots.shapes.answers import ExportedGame
from server.web.bots.shapes.games import game_full
from server.web.lookup import find_round
from server.web.openapi.operation import PGN, Media, described
from server.web.rendering.answers import as_json
from server.web.site import SITE


@described(query=PlyQuery, answers={200: (Media(PGN), ExportedGame)})
@for_programs
async def export_game(request: web.Request) -> web.Response:
    """GET /game/export/{game}: a game as PGN or, if Accept asks for that, as JSON."""
    if "application/json" not in request.headers.get("Accept", ""):
        return await read_pgn(request)
    site, game = request.app[SITE], (await find_round(request)).game
    charge_by_length(request, game)
    ratings = await player_ratings(site.store.ratings, game, site.now())
    full = game_full(game, people_of_site(site), ratings, site.now())
    del full["type"]
    state = full.pop("state")
    return as_json({**full, "moves": " ".join(ply.san for ply in game.plies), "status": state["status"]})
