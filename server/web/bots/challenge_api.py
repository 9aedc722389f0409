"""Challenges and seeks in the Bot API: asking somebody by name for a game, answering a challenge, taking a seek."""

from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from server.games.changes.beginning import RefuseChallenge, challenged_player
from server.games.changes.ending import Abort
from server.games.people import Scope
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.state import DECLINE_REASONS, Game
from server.games.status import Status
from server.realtime.play.creation import create_open_game
from server.realtime.play.round import Round
from server.rules.errors import InvalidPgn
from server.rules.notation.pgn_tags import find_variant
from server.rules.variant.pieces import Color
from server.web.bots.answers import BotChallenge, ChallengesJson, Done, OpenChallenge
from server.web.bots.callers import BotBody, Caller, by_token, for_bots, read_sent, readable_game
from server.web.bots.game_api import PATIENCE_MS, submitted
from server.web.bots.shapes import ChallengeStatus, challenge_shape, open_challenge_shape, settled_challenge_shape
from server.web.budgets.limits import charge
from server.web.games.challenges import person_named
from server.web.games.new_games import Correspondence, NewGame, Realtime, Unlimited, color_of, terms_of
from server.web.games.your_games import MAX_AT_ONCE, require_room, room_for_game
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.seeks import GameBegun, rating_to_take
from server.web.site import SITE, Site, find_round

GAMES_OF_A_BOT = 50
"""At once; a bot that has as many can accept no other challenge."""
READING = (Scope.CHALLENGE_READ, Scope.CHALLENGE_WRITE, Scope.BOT_PLAY)
WRITING = (Scope.CHALLENGE_WRITE, Scope.BOT_PLAY)
STANDARD = "standard"


LichessOption = bool | int | str | list[str] | None


class Declined(BotBody):
    """`reason`: one of lichess' for declining; any other is none."""

    reason: Annotated[str, Field(max_length=40)] = ""


class Wanted(BotBody):
    """The game that somebody is challenged to. Seconds at the start and a move, or days a move, or no clock.

    `color`: the challenger's. `users`, `rules`, `expiresAt` and `keepAliveStream` are what lichess has beside these: a
    challenge that asks for one of them is refused, as nothing here would hold to it.
    """

    rated: bool = False
    limit: int | None = Field(None, alias="clock.limit", ge=0, le=10_800)
    increment: int | None = Field(None, alias="clock.increment", ge=0, le=180)
    days: Annotated[int, Field(ge=1, le=14)] | None = None
    color: Literal["white", "black", "random"] | None = None
    variant: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    fen: Annotated[str, Field(max_length=200)] | None = None
    users: LichessOption = None
    rules: LichessOption = None
    expires_at: LichessOption = Field(None, alias="expiresAt")
    keep_alive: LichessOption = Field(None, alias="keepAliveStream")


@described(body=Wanted, answers={200: BotChallenge}, refused=(401, 404))
@by_token(*WRITING)
async def challenge(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{name}: ask somebody for a game."""
    site = request.app[SITE]
    form = new_game(site, await read_sent(request, Wanted))
    terms, color = terms_of(form, site.offered), color_of(form)
    asked = await person_named(site, request.match_info["name"], caller.account.user)
    async with room_for(site, caller):
        charge(site.limits.challenges, caller.account.user, site.now())
        made = await create_open_game(site.rounds.services, terms, caller.player, color, asked)
    return as_json({**_challenge(site, made.game, asked, "created"), "direction": "out"})


@described(body=Wanted, answers={200: OpenChallenge}, refused=(401,))
@by_token(*WRITING)
async def open_challenge(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/open: a game for any two people, with a link for each. Only who has a link may play."""
    site = request.app[SITE]
    form = new_game(site, await read_sent(request, Wanted))
    terms = terms_of(form, site.offered)
    async with room_for(site, caller):
        charge(site.limits.challenges, caller.account.user, site.now())
        made = await create_open_game(site.rounds.services, terms, None, Color.WHITE)
    return as_json(open_challenge_shape(made.game, made.secrets, site.settings.address))


@described(answers={}, refused=(400, 401))
@by_token(*WRITING)
async def computer_challenge(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/ai: refused. The computer thinks in the page of whoever plays it, and a program has none."""
    raise Problem(400, "computer_by_page")


def new_game(site: Site, wanted: Wanted) -> NewGame:
    """The same as the site's own form. Raises Problem (400)."""
    for name, field in Wanted.model_fields.items():
        if field.annotation == LichessOption and getattr(wanted, name) not in (None, "", "false", False, []):
            raise Problem(400, "not_for_challenges", name=field.alias or name)
    try:
        variant, chess960 = find_variant(wanted.variant or STANDARD, site.offered)
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
    running = await site.live.running_games.games_of(me)
    asked = [await open_game(site, one.id) for one in running if one.status == Status.OPEN]
    return as_json(
        {
            "in": [_challenge(site, *one, "created") for one in asking if one is not None and one[1].id == me],
            "out": [_challenge(site, *one, "created") for one in asked if one is not None and one[1].id != me],
        }
    )


async def open_game(site: Site, game_id: str) -> tuple[Game, Player] | None:
    """The game and whom it waits for; None: it waits for nobody by name. Raises Unavailable."""
    game = await readable_game(site, game_id)
    asked = None if game is None or game.status is not Status.OPEN else challenged_player(game)
    return None if game is None or asked is None else (game, asked)


@described(answers={200: BotChallenge}, refused=(401,))
@by_token(*READING)
async def show(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/challenge/{game}/show: one of these, or the caller's of which a game came, or one that the caller made
    and that was declined or cancelled. Whom that one had asked is no longer known.
    """
    site, game = request.app[SITE], (await find_round(request)).game
    color = game.color_of(caller.account.user)
    if game.challenger is not None and color is not None:
        accepted = game.player(game.challenger.other)
        assert accepted is not None
        return as_json(_challenge(site, game, accepted, "accepted"))
    if game.outcome is None or color is None or game.player(color.other) is not None:
        found, asked = await asked_in(request, caller)
        return as_json(_challenge(site, found.game, asked, "created"))
    bots, address = site.live.services.bots, site.settings.address
    return as_json(settled_challenge_shape(game, color, bots, address))


@described(answers={200: Done}, refused=(400, 401))
@by_token(*WRITING)
async def accept(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{game}/accept: play it."""
    site = request.app[SITE]
    found = await challenge_to(request, caller)
    async with room_for(site, caller):
        await site.rounds.join(found.game.id, "", caller.player)
    return as_json({"ok": True})


@described(body=Declined, answers={200: Done}, refused=(400, 401))
@by_token(*WRITING)
async def decline(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/challenge/{game}/decline: refuse it. The reason is passed on, if it is one of lichess'."""
    site, now = request.app[SITE], request.app[SITE].now()
    reason = (await read_sent(request, Declined)).reason.lower()
    found = await challenge_to(request, caller)
    refusal = RefuseChallenge(caller.player, reason if reason in DECLINE_REASONS else "")
    answer = await submitted(found, refusal, now)
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


class Takes(BotBody):
    """`variants`: those of the seek's that the bot would play, with commas between them; none: any."""

    variants: Annotated[str, Field(max_length=1_000)] = ""


@described(body=Takes, answers={200: GameBegun}, refused=(400, 401))
@for_bots
async def take_seek(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/seek/{seek}/take: play whoever waits."""
    site = request.app[SITE]
    wanted = await read_sent(request, Takes)
    variants = [one for one in wanted.variants.split(",") if one]
    taker = Seeker(caller.player, registered=True)
    check_games = partial(require_room, site, caller.account.user, most_games(caller))
    seek = request.match_info["seek"]
    rating = await rating_to_take(site, caller.account.user, seek, variants)
    game = await site.live.lobby.accept_seek(seek, taker, variants, check_games, rating=rating)
    return as_json({"game": game})


async def challenge_to(request: web.Request, caller: Caller) -> Round:
    """The open game that the address names and that asks the caller. Raises Problem (404)."""
    found, asked = await asked_in(request, caller)
    if asked.id != caller.account.user:
        raise Problem(404, "no_challenge")
    return found


async def asked_in(request: web.Request, caller: Caller) -> tuple[Round, Player]:
    """The open game that the address names, and whom it asks. Raises Problem (404) if the caller is neither side."""
    found = await find_round(request)
    asked = challenged_player(found.game) if found.game.status is Status.OPEN else None
    if asked is None:
        # Whoever answered it may have been stopped before the note of it was removed.
        await request.app[SITE].store.challenges.drop(found.game.id)
    if asked is None or caller.account.user not in (asked.id, *(one.id for one in found.game.players)):
        raise Problem(404, "no_challenge")
    return found, asked


def room_for(site: Site, caller: Caller) -> AbstractAsyncContextManager[None]:
    """As `room_for_game`, for as many games as the caller may have."""
    return room_for_game(site, caller.account.user, most_games(caller))


def most_games(caller: Caller) -> int:
    """How many games the caller may have at once."""
    return GAMES_OF_A_BOT if caller.account.bot else MAX_AT_ONCE


def _challenge(site: Site, game: Game, asked: Player, status: ChallengeStatus) -> BotChallenge:
    """The challenge to `asked` as lichess writes it."""
    return challenge_shape(game, asked, site.live.services.bots, site.settings.address, status)
