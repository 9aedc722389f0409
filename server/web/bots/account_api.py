"""Accounts in the Bot API: who a token belongs to, who is a bot and here, and how an account becomes one."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import orjson
from aiohttp import web
from pydantic import Field

from server.games.people import Scope
from server.games.status import Status
from server.rules.variant.variant import Variant
from server.storage.protocols.ratings import Perf
from server.storage.tables.accounts import Account
from server.web.bots.answers import BotProfile, BotSummary, Done, PerfJson, PlayingJson, TestedToken
from server.web.bots.callers import (
    BotBody,
    Caller,
    by_token,
    caller_with,
    for_programs,
    ratings_of,
    readable_game,
    tournament_of,
)
from server.web.bots.challenge_api import STANDARD
from server.web.bots.shapes import game_event, person_id, status_name, variant_name
from server.web.budgets.limits import charge
from server.web.forms import read_body, validate_fields
from server.web.openapi.operation import NDJSON, TEXT, Media, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site, charge_address

MOST_TOKENS: Final = 50
"""Tokens that are tested at once."""
MOST_BOTS: Final = 200
MOST_PLAYING: Final = 50


class HowMany(BotBody):
    nb: Annotated[int, Field(ge=1)] = MOST_PLAYING


class HowManyBots(BotBody):
    nb: Annotated[int, Field(ge=1)] = 100


class Ids(BotBody):
    ids: Annotated[str, Field(max_length=1_000)] = ""


@described(answers={200: BotProfile}, refused=(401,))
@by_token()
async def account(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/account: whose token it is."""
    return as_json(await profile(request.app[SITE], caller.account))


@described(answers={200: BotProfile})
@for_programs
async def user(request: web.Request) -> web.Response:
    """GET /api/user/{name}: what everybody may read of an account."""
    site = request.app[SITE]
    found = await site.store.accounts.find(request.match_info["name"])
    if found is None:
        raise Problem(404, "no_player")
    return as_json(await profile(site, found))


@described(answers={200: list[BotSummary]}, query=Ids)
@for_programs
async def statuses(request: web.Request) -> web.Response:
    """GET /api/users/status: who of them is here, as far as that may be known."""
    site = request.app[SITE]
    names = validate_fields(request.query, Ids).ids.split(",")[:MOST_TOKENS]
    charge_for_people(request, len(names))
    accounts = [one for name in names if name and (one := await site.store.accounts.find(name)) is not None]
    hidden = site.live.services.sanctions.hidden(site.now())
    listed = await site.store.accounts.listed({one.user for one in accounts} - hidden)
    here = {one for one in listed if site.live.lobby.online.includes(one)}
    shown = [summary(one) for one in accounts]
    for one, told in zip(accounts, shown, strict=True):
        if one.user in here:
            told["online"] = True
    return web.Response(body=orjson.dumps(shown), content_type="application/json")


@described(answers={200: PlayingJson}, query=HowMany, refused=(401,))
@by_token()
async def playing(request: web.Request, caller: Caller) -> web.Response:
    """GET /api/account/playing: games in play, the most urgent first."""
    site, me = request.app[SITE], caller.account.user
    most = min(validate_fields(request.query, HowMany).nb, MOST_PLAYING)
    going_on = [one for one in await site.live.running_games.games_of(me) if one.status == Status.LIVE]
    shown = []
    for one in going_on[:most]:
        game = await readable_game(site, one.id)
        if game is not None and (color := game.color_of(me)) is not None:
            ratings, tournament = await ratings_of(site, game), await tournament_of(site, game)
            event = game_event(game, color, site.live.services.bots, ratings, site.now(), tournament)
            shown.append({**event, "status": status_name(game)})
    return as_json({"nowPlaying": shown, "nbMyTurn": sum(one.to_move is one.color for one in going_on)})


@described(answers={200: Done}, refused=(400, 401))
@by_token(Scope.BOT_PLAY)
async def upgrade(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/bot/account/upgrade: make the account a bot, for good; only if it has played no game.

    Its seeks are withdrawn, and a rated game that begins at the same time is aborted.
    """
    site, account = request.app[SITE], caller.account
    if not account.bot:
        if await site.store.count_by_player(account.user):
            raise Problem(400, "bot_has_games")
        await site.store.accounts.set_choice(account, "bot", True)
    # Also when it is asked for again, as the store may have failed in between.
    await site.live.become_bot(caller.player)
    return as_json({"ok": True})


@described(answers={200: Media(NDJSON, BotProfile)}, query=HowManyBots)
@for_programs
async def online(request: web.Request) -> web.Response:
    """GET /api/bot/online: bots that are here, one a line."""
    site = request.app[SITE]
    most = min(validate_fields(request.query, HowManyBots).nb, MOST_BOTS)
    here = {one for one in site.live.services.bots.people if site.live.lobby.online.includes(one)}
    here -= site.live.services.sanctions.hidden(site.now())
    listed = sorted((await site.store.accounts.listed(here)).values(), key=str.lower)[:most]
    charge_for_people(request, len(listed))
    found = [await site.store.accounts.find(name) for name in listed]
    lines = [orjson.dumps(await profile(site, one)) + b"\n" for one in found if one is not None]
    return web.Response(body=b"".join(lines), content_type=NDJSON)


@described(body=Media(TEXT), answers={200: dict[str, TestedToken | None]})
@for_programs
async def test_tokens(request: web.Request) -> web.Response:
    """POST /api/token/test: whose tokens, with commas between them, these are, and what for; null: nobody's."""
    site = request.app[SITE]
    tokens = (await read_body(request)).decode(errors="replace").split(",")
    if len(tokens) > MOST_TOKENS:
        raise Problem(400, "bad_request", detail=f"At most {MOST_TOKENS} tokens at once.")
    answer: dict[str, TestedToken | None] = {}
    for token in map(str.strip, tokens):
        caller = await caller_with(site, token)
        if caller is None:
            charge_address(request, site.limits.wrong_tokens)
            answer[token] = None
        else:
            charge(site.limits.bots, caller.account.user, site.now())
            scopes = ",".join(sorted(caller.token.scopes))
            answer[token] = {"userId": person_id(caller.account.name), "scopes": scopes, "expires": None}
    return as_json(answer)


def charge_for_people(request: web.Request, people: int) -> None:
    """Charges whoever asks about several people like that many who ask about one. Raises Problem (429)."""
    if people > 1:
        charge_address(request, request.app[SITE].limits.bots, people - 1)


def summary(account: Account) -> BotSummary:
    """What lichess tells of a player beside a game or an event."""
    made = BotSummary(id=person_id(account.name), username=account.name, name=account.name)
    if account.bot:
        made["title"] = "BOT"
    return made


async def profile(site: Site, account: Account) -> BotProfile:
    """Raises Unavailable."""
    made: BotProfile = {
        "id": person_id(account.name),
        "username": account.name,
        "name": account.name,
        "perfs": perfs_shape(await site.store.ratings.perfs(account.user), site.variants),
        "createdAt": account.created,
        "url": f"{site.settings.address}/@/{account.name}",
    }
    if account.bot:
        made["title"] = "BOT"
    return made


def perfs_shape(perfs: Sequence[Perf], variants: Mapping[str, Variant]) -> dict[str, PerfJson]:
    """By speed for the standard variant, by variant for the others: of its speeds, that of most rated games."""
    shown: dict[str, PerfJson] = {}
    for perf in sorted(perfs, key=lambda one: one.rating.games):
        variant = variants.get(perf.category.variant)
        if variant is not None and perf.rating.games:
            key = variant_name(variant, chess960=perf.category.chess960).key
            rating = perf.rating
            shown[perf.category.speed.value if key == STANDARD else key] = PerfJson(
                games=rating.games, rating=rating.rounded, rd=round(rating.deviation), prog=0, prov=rating.provisional
            )
    return shown
