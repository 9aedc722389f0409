"""The page of somebody's personal tokens: plain forms that work without a script.

A new token is shown once, in the answer to the form that asked for it: no address and no log ever has it.
"""

import secrets
import string
from typing import Annotated, Any, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.people import LONGEST_TOKEN_NAME, MAX_TOKENS, ApiToken, Scope, check_token, too_many_tokens
from server.realtime.play.chat import ChatForm, clean
from server.realtime.runtime.ids import digest
from server.rules.errors import Refusal
from server.web.accounts.account_pages import require_account, see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.export import instant
from server.web.budgets.limits import charge
from server.web.forms import Form, read_fields
from server.web.rendering.answers import as_page
from server.web.rendering.problems import with_status
from server.web.session import Visitor
from server.web.site import SITE
from server.web.websocket.open_sockets import SESSION_ENDED

TOKENS: Final = "/account/tokens"
PREFIX: Final = "fh_"
"""By which people, and programs that look for secrets where there should be none, know what it is."""
SIGNS: Final = string.ascii_letters + string.digits
"""A double click takes all of it."""
LENGTH: Final = 43
"""As many signs have 256 bits."""
NAME: Final = ChatForm(LONGEST_TOKEN_NAME)
FIELD_OF: Final = {
    Scope.BOT_PLAY: "bot_play",
    Scope.CHALLENGE_READ: "read",
    Scope.CHALLENGE_WRITE: "write",
    Scope.TOURNAMENT_WRITE: "tournaments",
}


class NewToken(Form):
    """What somebody calls a new token, and what it is for."""

    name: Annotated[str, Field(max_length=4 * LONGEST_TOKEN_NAME)] = ""
    bot_play: Literal["", "yes"] = ""
    read: Literal["", "yes"] = ""
    write: Literal["", "yes"] = ""
    tournaments: Literal["", "yes"] = ""

    @property
    def scopes(self) -> frozenset[Scope]:
        return frozenset(scope for scope, name in FIELD_OF.items() if getattr(self, name) == "yes")


class Revoking(Form):
    """Which token is to be good for nothing any more, by its hash."""

    token: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


async def tokens_page(request: web.Request) -> web.Response:
    """GET /account/tokens. `?revoked`: after one was."""
    return await show_tokens(request, await require_account(request, TOKENS))


async def make_token(request: web.Request) -> web.Response:
    """POST /account/tokens: name, and yes for each scope. The answer, and nothing else ever, shows the token."""
    site, visitor = request.app[SITE], await require_account(request, TOKENS)
    form = await read_fields(request, NewToken)
    secret = PREFIX + "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    name = clean(form.name[:LONGEST_TOKEN_NAME], NAME)
    account = await request.app[ACCOUNTS].of(visitor)
    token = ApiToken(digest(secret), account.user, name, form.scopes, site.now(), generation=account.generation)
    try:
        check_token(token, await site.store.tokens.of(visitor.user.id))
        charge(site.limits.tokens, visitor.user.id, site.now())
        if not await site.store.tokens.add(token):
            raise too_many_tokens()
    except Refusal as refusal:
        return await show_tokens(request, visitor, refusal, form)
    return await show_tokens(request, visitor, made=(token.name, secret))


async def revoke_token(request: web.Request) -> web.Response:
    """POST /account/tokens/revoke: token, a hash. One that is gone already is no fault."""
    visitor = await require_account(request, TOKENS)
    form = await read_fields(request, Revoking)
    if await request.app[SITE].store.tokens.revoke(visitor.user.id, form.token):
        request.app[SITE].open_sockets.end_sessions({form.token}, SESSION_ENDED)
    return see_other(f"{TOKENS}?revoked")


async def show_tokens(
    request: web.Request,
    visitor: Visitor,
    problem: Refusal | None = None,
    form: NewToken | None = None,
    made: tuple[str, str] | None = None,
) -> web.Response:
    """`problem`: why what `form` asks for was refused. `made`: the name of a new token, and itself."""
    site = request.app[SITE]
    page = await as_page(
        request,
        "bots/tokens.html",
        problem=problem,
        form=form or NewToken(bot_play="yes"),
        fields=FIELD_OF,
        made=made,
        revoked="revoked" in request.query,
        tokens=[_shown(one) for one in await site.store.tokens.of(visitor.user.id)],
        most=MAX_TOKENS,
        longest=LONGEST_TOKEN_NAME,
    )
    return with_status(page, problem)


def _shown(token: ApiToken) -> dict[str, Any]:
    """`used`: the day; "" if never."""
    return {
        "hashed": token.hashed,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "created": instant(token.created)[:10],
        "used": instant(token.used)[:10] if token.used else "",
    }
