"""Following and blocking by the plain forms of a profile and of the account page. What it does is said in
`realtime.services.ties`.

Anybody with a session may block, and who has none becomes a guest where guests are welcome. To follow somebody takes an
account, whose pages show it.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal
from urllib.parse import quote

from aiohttp import web
from pydantic import Field

from server.games.people import TieKind
from server.games.player import Player
from server.web.accounts.account_pages import require_account, see_other
from server.web.budgets.limits import charge
from server.web.forms import Form, read_fields
from server.web.guests import known_or_new_guest
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site, with_cookie

CHANGES: Final = {
    "follow": (TieKind.FOLLOWS, True),
    "unfollow": (TieKind.FOLLOWS, False),
    "block": (TieKind.BLOCKS, True),
    "unblock": (TieKind.BLOCKS, False),
}
"""By the last part of the address: the kind, and whether it is made or ended."""
CHANGE: Final = "{change:" + "|".join(CHANGES) + "}"


class TieToEnd(Form):
    """The tie that somebody ends. `other`: whom it is to, an id."""

    kind: Literal["follows", "blocks"]
    other: Annotated[str, Field(min_length=1, max_length=40)]


async def change_tie(request: web.Request) -> web.Response:
    """POST /@/{name}/follow, unfollow, block or unblock: leads back to the profile."""
    site = request.app[SITE]
    kind, makes = CHANGES[request.match_info["change"]]
    other = await person_at(request)
    page = f"/@/{quote(other.name)}"
    if kind is TieKind.FOLLOWS and await site.sessions.member(request) is None:
        return see_other(f"/sign-in?next={page}")
    visitor = await known_or_new_guest(request)
    charge(site.limits.ties, visitor.user.id, site.now())
    if makes:
        await site.live.ties.make_tie(visitor.user.id, kind, other)
    else:
        await site.live.ties.end_tie(visitor.user.id, kind, other.id)
    return with_cookie(site, visitor, see_other(page))


async def end_tie(request: web.Request) -> web.Response:
    """POST /account/ties: kind, other. Ends a tie of your own, even if the other has another name by now."""
    site = request.app[SITE]
    visitor = await require_account(request)
    form = await read_fields(request, TieToEnd)
    charge(site.limits.ties, visitor.user.id, site.now())
    await site.live.ties.end_tie(visitor.user.id, TieKind(form.kind), form.other)
    return see_other("/account#ties-title")


async def person_at(request: web.Request) -> Player:
    """The registered person whom the address names. Raises Problem (404)."""
    account = await request.app[SITE].store.accounts.find(request.match_info["name"])
    if account is None:
        raise Problem(404, "no_player")
    return Player(account.user, account.name)


@dataclass(frozen=True, slots=True)
class TieShown:
    """What a page about somebody shows its reader of their ties to that person. `own`: it is the reader's."""

    own: bool
    follows: bool
    blocks: bool


async def tie_shown(site: Site, visitor: Visitor | None, other: str) -> TieShown:
    """`other`: the id of whom the page is about. Raises Unavailable."""
    own = visitor is not None and visitor.user.id == other
    ties = [] if visitor is None or own else await site.store.ties.of(visitor.user.id)
    kinds = {tie.kind for tie in ties if tie.other.id == other}
    return TieShown(own, TieKind.FOLLOWS in kinds, TieKind.BLOCKS in kinds)
