"""Challenges in the Bot API: somebody is asked by name for a game, as by the site's own forms."""

from aiohttp import web

from server.games.changes.beginning import RefuseChallenge, challenged_player
from server.games.changes.ending import Abort
from server.games.errors import WrongInvitation
from server.games.people.api_tokens import Scope
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.creation import create_open_game
from server.realtime.play.round import Round
from server.rules.errors import InvalidPgn
from server.rules.notation.pgn_tags import find_variant
from server.web.bots.bodies import Wanted, read_sent
from server.web.bots.callers import Caller, by_token, people_of_site
from server.web.bots.game_commands import PATIENCE_MS, submitted
from server.web.bots.shapes.answers import BotChallenge, ChallengesJson, Done
from server.web.bots.shapes.challenges import ChallengeStatus, challenge_shape
from server.web.budgets.limits import charge
from server.web.forms.forms import Correspondence, NewGame, Realtime, Unlimited
from server.web.forms.new_games import color_of, terms_of
from server.web.lobby.challenges import person_named
from server.web.lobby.your_games import require_room
from server.web.lookup import find_round
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site

GAMES_OF_A_BOT = 50
"""At once; a bot that has as many can accept no other challenge."""
READING = (Scope.CHALLENGE_READ, Scope.CHALLENGE_WRITE, Scope.BOT_PLAY)
WRITING = (Scope.CHALLENGE_WRITE, Scope.BOT_PLAY)
STANDARD = "standard"


@described(body=Wanted, answers={200: BotChallenge}, refused=(401, 409))
@by_token(*WRITING)
async def challenge(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{name}: ask somebody for a game."""
    site = request.app[SITE]
    form = new_game(site, await read_sent(request, Wanted))
    terms, color = terms_of(form, site.variants), color_of(form)
    asked = await person_named(site, request.match_info["name"], caller.account.user)
    await require_room_of(site, caller)
    charge(site.limits.challenges, caller.account.user, site.now())
    made = await create_open_game(site.rounds.services, terms, caller.player, color, asked)
    return as_json({**shape(site, made.game, asked, "created"), "direction": "out"})


def new_game(site: Site, wanted: Wanted) -> NewGame:
    """The same as the site's own form. Raises Problem (400)."""
    try:
        variant, chess960 = find_variant(wanted.variant or STANDARD, site.variants)
    except InvalidPgn:
        raise Problem(400, "unknown_variant") from None
    return NewGame(
        variant=variant.id,
        chess960=chess960,
        color=wanted.color or "random",
        clock=clock_of(wanted),
        rated=wanted.rated,
        fen=wanted.fen or None,
    )


def clock_of(wanted: Wanted) -> Realtime | Correspondence | Unlimited:
    """The clock as lichess writes it: seconds, or days a move."""
    if wanted.limit is not None or wanted.increment is not None:
        return Realtime(kind="realtime", initial=wanted.limit or 0, increment=wanted.increment or 0)
    if wanted.days is not None:
        return Correspondence(kind="correspondence", days=wanted.days)
    return Unlimited(kind="unlimited")


@described(answers={200: ChallengesJson}, refused=(401,))
@by_token(*READING)
async def challenges(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/challenge: those to the caller, and those of the caller that wait for an answer."""
    site, me = request.app[SITE], caller.account.user
    asking = [await open_game(site, game) for game in await site.store.challenges.of(me)]
    running = await site.live.running_games.of(me)
    asked = [await open_game(site, one.id) for one in running if one.status == Status.OPEN]
    return as_json(
        {
            "in": [shape(site, *one, "created") for one in asking if one is not None and one[1].id == me],
            "out": [shape(site, *one, "created") for one in asked if one is not None and one[1].id != me],
        }
    )


async def open_game(site: Site, game_id: str) -> tuple[Game, Player] | None:
    """The game and whom it waits for; None: it waits for nobody by name. Raises Unreadable, Unavailable."""
    game = await site.game(game_id)
    asked = None if game is None or game.status is not Status.OPEN else challenged_player(game)
    return None if game is None or asked is None else (game, asked)


@described(answers={200: BotChallenge}, refused=(401,))
@by_token(*READING)
async def show(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/challenge/{game}/show: one of these."""
    found, asked = await asked_in(request, caller)
    return as_json(shape(request.app[SITE], found.game, asked, "created"))


@described(answers={200: Done}, refused=(400, 401, 409, 410))
@by_token(*WRITING)
async def accept(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{game}/accept: play it."""
    site = request.app[SITE]
    found, asked = await asked_in(request, caller)
    if asked.id != caller.account.user:
        raise WrongInvitation("challenge_of_another")
    await require_room_of(site, caller)
    await site.rounds.join(found.game.id, "", caller.player)
    return as_json({"ok": True})


@described(answers={200: Done}, refused=(400, 401))
@by_token(*WRITING)
async def decline(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{game}/decline: refuse it. A reason is not asked for, and not passed on."""
    site, now = request.app[SITE], request.app[SITE].now()
    found, _asked = await asked_in(request, caller)
    answer = await submitted(found, RefuseChallenge(caller.player), now)
    await site.store.challenges.drop(found.game.id)
    return answer


@described(answers={200: Done}, refused=(400, 401))
@by_token(*WRITING)
async def cancel(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{game}/cancel: the caller's own; a game that came of it is aborted, if it may be."""
    site, now = request.app[SITE], request.app[SITE].now()
    found = await find_round(request)
    color = found.game.color_of(caller.account.user)
    if color is None:
        raise Problem(404, "no_challenge")
    await found.submit(Abort(color), now, patience_ms=PATIENCE_MS)
    await site.store.challenges.drop(found.game.id)
    return as_json({"ok": True})


async def asked_in(request: web.Request, caller: Caller) -> tuple[Round, Player]:
    """The open game that the address names, and whom it asks. Raises Problem (404) if the caller is neither side."""
    found = await find_round(request)
    asked = challenged_player(found.game) if found.game.status is Status.OPEN else None
    if asked is None or caller.account.user not in (asked.id, *(one.id for one in found.game.players)):
        raise Problem(404, "no_challenge")
    return found, asked


async def require_room_of(site: Site, caller: Caller) -> None:
    """Raises Problem (409) if the caller has as many games as they may have, and Unavailable."""
    me = caller.account.user
    await require_room(site, me)
    if caller.account.bot and len(await site.live.running_games.of(me)) >= GAMES_OF_A_BOT:
        raise Problem(409, "games_at_once", n=GAMES_OF_A_BOT)


def shape(site: Site, game: Game, asked: Player, status: ChallengeStatus) -> BotChallenge:
    """The challenge to `asked` as lichess writes it."""
    return challenge_shape(game, asked, people_of_site(site), site.settings.address, status)
