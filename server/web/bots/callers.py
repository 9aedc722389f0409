"""Requests to the Bot API: the account behind the token, whether that token allows the request, and the body sent.

A cookie counts for nothing here: a page of another site could make a browser send it, but no page knows a token. A body
is JSON or the fields of a form, as clients of lichess send; fields that are not asked for are passed over, because
clients send whatever lichess understands.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Final, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import BaseModel, ConfigDict, ValidationError

from server.games.errors import Gone, Playbanned, Refused
from server.games.people import ApiToken, Scope
from server.games.player import Player
from server.games.rating import Rating
from server.games.state import Game
from server.games.tournaments.tournament import Tournament
from server.realtime.play.player_ratings import player_ratings
from server.realtime.protocol.wire import PlayerRating
from server.realtime.runtime.ids import digest
from server.rules.errors import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import Unreadable
from server.storage.protocols.ratings import Category
from server.storage.tables.accounts import Account, User
from server.web.bots.shapes import Ratings
from server.web.budgets.limits import charge
from server.web.forms import FIELDS, first_error, parse_pairs, read_body
from server.web.openapi.operation import takes_tokens
from server.web.rendering.answers import TEMPLATE_CONTEXT
from server.web.rendering.problems import Problem, problem_fields, status_of
from server.web.session import Visitor
from server.web.site import SITE, Site, charge_address

BEARER: Final = re.compile(r"Bearer (fh_[0-9A-Za-z_-]{43})", re.ASCII)
NOTE_EVERY_MS: Final = 3_600_000
"""How exactly the last use of a token is known."""


@dataclass(frozen=True, slots=True)
class Caller:
    account: Account
    token: ApiToken

    @property
    def player(self) -> Player:
        return Player(self.account.user, self.account.name)

    @property
    def visitor(self) -> Visitor:
        """The same person as if they had a session, which they do not get."""
        user = User(self.account.user, self.account.name, False, self.account.created)
        return Visitor(user, self.token.hashed)


Answering = Callable[[web.Request, Caller], Awaitable[web.StreamResponse]]


def for_bots(handler: Answering) -> Handler:
    """A handler for bots alone, whose token must allow playing."""

    @wraps(handler)
    async def of_a_bot(request: web.Request, caller: Caller) -> web.StreamResponse:
        if not caller.account.bot:
            raise Problem(400, "not_a_bot")
        return await handler(request, caller)

    return by_token(Scope.BOT_PLAY)(of_a_bot)


def by_token(*scopes: Scope) -> Callable[[Answering], Handler]:
    """For handlers that take a token which allows one of `scopes`; none: any token."""

    def guarded(handler: Answering) -> Handler:
        @wraps(handler)
        async def answer(request: web.Request) -> web.StreamResponse:
            caller = await caller_of(request)
            if scopes and caller.token.scopes.isdisjoint(scopes):
                raise Problem(403, "token_not_for_that", scopes=", ".join(scopes))
            return await handler(request, caller)

        return takes_tokens(for_programs(answer), scopes)

    return guarded


def for_programs(handler: Handler) -> Handler:
    """A handler whose refusals have the status that lichess gives them."""

    @wraps(handler)
    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refusal as refusal:
            if refusal.code == "storage":
                raise
            return refused(request, refusal)

    return answer


def refused(request: web.Request, refusal: Refusal) -> web.Response:
    """The answer for a refusal, with the status that lichess has for it."""
    status, retry_after = status_of(refusal)
    if isinstance(refusal, Gone):
        status = 404
    elif status == 409 or (isinstance(refusal, Refused) and not isinstance(refusal, Playbanned)):
        # What a game does not allow, and a game too many, are bad requests to lichess.
        status = 400
    fields = problem_fields(request[TEMPLATE_CONTEXT]["language"], refusal)
    detail = {"detail": refusal.detail} if refusal.detail else {}
    response = web.json_response({**fields, **detail}, status=status)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


async def caller_of(request: web.Request) -> Caller:
    """Raises Problem (401: no token, or none that is good; 403: the host has shut them out; 429), Unavailable."""
    site = request.app[SITE]
    sent = request.headers.get("Authorization", "")
    found = BEARER.fullmatch(sent)
    caller = None if found is None else await caller_with(site, found[1])
    if caller is None:
        charge_address(request, site.limits.wrong_tokens)
        raise Problem(401, "wrong_token" if sent else "no_token")
    now = site.now()
    if site.live.services.sanctions.shut_out(caller.account.user, now):
        raise Problem(403, "shut_out")
    charge(site.limits.bots, caller.account.user, now)
    if not caller.token.used or now - caller.token.used >= NOTE_EVERY_MS:
        await site.store.tokens.note_use(caller.token.hashed, now)
    return caller


async def caller_with(site: Site, secret: str) -> Caller | None:
    """Whose token it is, until it is revoked or its account has a new password or is gone; None: nobody's.

    Raises Unavailable.
    """
    token = await site.store.tokens.find(digest(secret))
    account = None if token is None else await site.store.accounts.of_user(token.owner)
    if token is None or account is None or token.generation != account.generation:
        return None
    return Caller(account, token)


async def readable_game(site: Site, game_id: str) -> Game | None:
    """The game; None: there is none, or it cannot be read, which keeps no other from being told. Raises Unavailable."""
    try:
        return await site.game(game_id)
    except Unreadable:
        return None


async def ratings_of(site: Site, game: Game) -> Ratings:
    """The ratings of both players in the category of the game; who has none has that of a newcomer, as on lichess.

    Of a finished rated game: those before it, and how it changed them. Raises Unavailable.
    """
    white, black = await player_ratings(site.store.ratings, game, site.now())
    return white or await _rating_of(site, game, Color.WHITE), black or await _rating_of(site, game, Color.BLACK)


async def tournament_of(site: Site, game: Game) -> Tournament | None:
    """The tournament of the game; None: it has none, or that cannot be read. Raises Unavailable."""
    with suppress(Unreadable):
        return await site.store.tournaments.find_tournament(game.tournament) if game.tournament else None
    return None


async def _rating_of(site: Site, game: Game, color: Color) -> PlayerRating:
    rating, player = Rating(), game.player(color)
    if player is not None:
        with suppress(Unreadable):
            rating = (await site.store.ratings.perf(player.id, Category.of(game.terms))).rating
    return PlayerRating(rating=rating.rounded, provisional=rating.aged(site.now()).provisional)


MOST_FIELDS = 20


class BotBody(BaseModel):
    """In a form everything is text, so "true" and "300" are read as what they say."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True, defer_build=True)


SentType = TypeVar("SentType", bound=BotBody)


async def read_sent(request: web.Request, kind: type[SentType]) -> SentType:
    """The body as `kind`. Raises Problem: neither JSON nor a form (415), not in time (408), not of this shape (400)."""
    body = await read_body(request)
    try:
        if request.content_type == "application/json":
            return kind.model_validate_json(body or b"{}")
        if body and request.content_type != FIELDS:
            raise Problem(415, "not_json")
        return kind.model_validate(parse_pairs(body, MOST_FIELDS) if body else {})
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=first_error(error)) from None
