"""The page of who is on the site, the same as JSON, and the wish not to be listed there."""

from typing import NotRequired

from aiohttp import web
from typing_extensions import TypedDict

from server.web.accounts.account_pages import require_account, see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.forms.page_forms import Listing, read_fields
from server.web.languages import variant_names
from server.web.online.online_people import following, who_is_online
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json, as_page
from server.web.site import SITE


async def online_page(request: web.Request) -> web.Response:
    """GET /online: those whom the reader follows, and everybody else who is here."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    online = await who_is_online(site, visitor)
    return await as_page(
        request,
        "people/online.html",
        online=online,
        following=await following(site, visitor),
        called=variant_names(request),
    )


class PersonHere(TypedDict):
    """`playing`: the id of a game that they play now."""

    name: str
    playing: NotRequired[str]


class PeopleHere(TypedDict):
    """`count`: all who are here; `people`: those who may be shown."""

    count: int
    people: list[PersonHere]


@described(answers={200: PeopleHere})
async def read_online(request: web.Request) -> web.Response:
    """GET /api/online: who is here."""
    site = request.app[SITE]
    online = await who_is_online(site, await site.sessions.find(request))
    people = [{"name": one.name, **({"playing": one.playing} if one.playing else {})} for one in online.people]
    return as_json({"count": online.count, "people": people})


async def choose_listing(request: web.Request) -> web.Response:
    """POST /account/listing: unlisted."""
    visitor = await require_account(request)
    form = await read_fields(request, Listing)
    await request.app[ACCOUNTS].choose_listing(visitor, unlisted=form.unlisted == "yes")
    return see_other("/account#people-title")
