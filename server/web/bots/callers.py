"""Who calls the Bot API: the account behind the token of a request, and whether that token is good for it.

A cookie counts for nothing here: a page of another site could make a browser send it, but no page knows a token.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from server.games.errors import Gone, Playbanned, Refused
from server.games.people.api_tokens import ApiToken, Scope
from server.games.player import Player
from server.realtime.process.ids import digest
from server.refusal import Refusal
from server.storage.protocols.accounts import Account
from server.web.bots.shapes.games import People
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.openapi.operation import takes_tokens
from server.web.rendering.answers import TEMPLATE_CONTEXT
from server.web.rendering.problems import Problem, problem_fields, status_of
from server.web.site import SITE, Site

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
    """A handler whose refusals are written as lichess writes them, too: with the reason under `error`."""

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
    """The answer for a refusal, in the shape of lichess and in ours, with the status that lichess has for it."""
    status, retry_after = status_of(refusal)
    if isinstance(refusal, Refused) and not isinstance(refusal, Gone | Playbanned):
        # What a game does not allow is a bad request to lichess.
        status = 400
    fields = problem_fields(request[TEMPLATE_CONTEXT]["language"], refusal)
    detail = {"detail": refusal.detail} if refusal.detail else {}
    response = web.json_response({"error": fields["message"], **fields, **detail}, status=status)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


async def caller_of(request: web.Request) -> Caller:
    """Raises Problem (401: no token, or none that is good; 429), Unavailable."""
    site = request.app[SITE]
    sent = request.headers.get("Authorization", "")
    found = BEARER.fullmatch(sent)
    caller = None if found is None else await caller_with(site, found[1])
    if caller is None:
        charge_address(request, site.limits.wrong_tokens)
        raise Problem(401, "wrong_token" if sent else "no_token")
    now = site.now()
    charge(site.limits.by_token, caller.account.user, now)
    if not caller.token.used or now - caller.token.used >= NOTE_EVERY_MS:
        await site.store.tokens.note_use(caller.token.hashed, now)
    return caller


async def caller_with(site: Site, secret: str) -> Caller | None:
    """Whose token it is; None: nobody's, or not any more. Raises Unavailable."""
    token = await site.store.tokens.find(digest(secret))
    account = None if token is None else await site.store.accounts.of_user(token.owner)
    return None if token is None or account is None else Caller(account, token)


def people_of_site(site: Site) -> People:
    """How the shapes tell the bots of this site from people."""
    return People(site.live.services.bots.__contains__)
