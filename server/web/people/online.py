"""Who is on the site, as a reader may know: everybody, those whom the reader follows, and one person.

As a page and as JSON, with the wish not to be listed there.

Nobody is shown who does not want to be listed, nor to somebody from whom they are kept apart. Being followed costs
nothing: nobody is told of it.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, Literal, NotRequired

from aiohttp import web
from typing_extensions import TypedDict

from server.games.people import TieKind
from server.realtime.play.round import Round
from server.realtime.tv import worth_showing
from server.storage.protocols.ratings import Perf
from server.web.accounts.account_pages import require_account, see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.forms import Form, read_fields
from server.web.languages import variant_names
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json, as_page
from server.web.session import Visitor
from server.web.site import SITE, Site

MOST_SHOWN: Final = 200


class Listing(Form):
    """Whether somebody is shown among those who are on the site."""

    unlisted: Literal["", "yes"] = ""


class PersonHere(TypedDict):
    """`playing`: the id of a game that they play now."""

    name: str
    playing: NotRequired[str]


class PeopleHere(TypedDict):
    """`count`: all who are here; `people`: those who may be shown."""

    count: int
    people: list[PersonHere]


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


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A person in a list. `here`: they are on the site. `playing`: the id of a game that they play now, "" for none.

    `best`: the category of which they have played most rated games, and their rating there as of now.
    """

    name: str
    here: bool
    playing: str
    best: Perf | None


@dataclass(frozen=True, slots=True)
class WhoIsOnline:
    """`people`: those who may be shown. `count`: of all who are here."""

    count: int
    people: Sequence[ListedPerson]


async def who_is_online(site: Site, visitor: Visitor | None) -> WhoIsOnline:
    """Everybody who is here, by name. Raises Unavailable."""
    here = site.live.lobby.online.people - site.live.services.sanctions.hidden(site.now())
    listed = await site.store.accounts.listed(here - _apart_from(site, visitor))
    shown = dict(sorted(listed.items(), key=lambda one: one[1].lower())[:MOST_SHOWN])
    return WhoIsOnline(len(here), await _listed_people(site, shown, shown.keys()))


async def following(site: Site, visitor: Visitor | None) -> Sequence[ListedPerson]:
    """Those whom the visitor follows, those who are here first. Raises Unavailable."""
    if visitor is None or visitor.user.guest:
        return ()
    ties = [tie for tie in await site.store.ties.of(visitor.user.id) if tie.kind is TieKind.FOLLOWS]
    named = {tie.other.id: tie.other.name for tie in sorted(ties, key=lambda tie: tie.other.name.lower())}
    may_know = await site.store.accounts.listed(named.keys() - _apart_from(site, visitor)) if named else {}
    hidden = site.live.services.sanctions.hidden(site.now())
    here = {person for person in may_know if site.live.lobby.online.includes(person)} - hidden
    return sorted(await _listed_people(site, named, here), key=lambda one: not one.here)


async def is_seen_here(site: Site, person: str, visitor: Visitor | None) -> bool:
    """May the visitor know that this person (an id) is on the site, if they are? Raises Unavailable."""
    if not site.live.lobby.online.includes(person) or person in _apart_from(site, visitor):
        return False
    if person in site.live.services.sanctions.hidden(site.now()):
        return False
    return bool(await site.store.accounts.listed({person}))


def _apart_from(site: Site, visitor: Visitor | None) -> Set[str]:
    return site.live.services.blocks.apart_from(None if visitor is None else visitor.user.id)


async def _listed_people(site: Site, named: Mapping[str, str], here: Set[str]) -> Sequence[ListedPerson]:
    """People by id and name. This reveals nothing about the games of those who are not `here`."""
    now, perfs = site.now(), await site.store.ratings.perfs_of(named.keys()) if named else ()
    best = {id: replace(one, rating=one.rating.aged(now)) for id, one in most_played(perfs).items()}
    playing = await _games_of(site, here)
    return [ListedPerson(name, id in here, playing.get(id, ""), best.get(id)) for id, name in named.items()]


async def _games_of(site: Site, people: Set[str]) -> Mapping[str, str]:
    """The games by the minute that these people play, as far as this process has them, by person."""
    games: dict[str, str] = {}

    def look(one: Round) -> None:
        if worth_showing(one):
            for player in (one.game.white, one.game.black):
                if player is not None and player.id in people:
                    games[player.id] = one.game.id

    if people:
        await site.rounds.do_in_each(look)
    return games


def most_played(perfs: Iterable[Perf]) -> Mapping[str, Perf]:
    """By person, that of the category with most rated games."""
    best: dict[str, Perf] = {}
    for one in perfs:
        if one.player not in best or _order(one) > _order(best[one.player]):
            best[one.player] = one
    return best


def _order(one: Perf) -> tuple[int, int, str]:
    return one.rating.games, one.rating.at, one.category.key
