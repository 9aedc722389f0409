"""The parts of a running site that handlers share; what an address names there, and whom a request is charged to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from server.games.state import Game
from server.realtime.live import LivePlay
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.stores import Store
from server.web.assets import Assets
from server.web.board_data import Starts
from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.budgets.limits import Limits, charge
from server.web.rendering.problems import Problem
from server.web.seats import Seats
from server.web.session import Sessions, Visitor
from server.web.websocket.open_sockets import OpenSockets


@dataclass(frozen=True, slots=True)
class Site:
    """`now` gives ms since the epoch, the same to every part. `starts`: by language, the board data of all
    variants."""

    settings: Settings
    assets: Assets
    variants: Mapping[str, Variant]
    starts: Mapping[str, Starts]
    store: Store
    live: LivePlay
    sessions: Sessions
    seats: Seats
    limits: Limits
    open_sockets: OpenSockets
    now: Callable[[], int]

    @property
    def offered(self) -> Mapping[str, Variant]:
        """Those of `variants` that are offered for new games, in the host's order."""
        return self.live.services.house.offered(self.variants)

    @property
    def rounds(self) -> Rounds:
        return self.live.rounds

    async def game(self, game_id: str) -> Game | None:
        """The game as it stands, whether it is in memory or only stored. Raises Unreadable, Unavailable."""
        live = self.rounds.in_memory(game_id)
        return await self.store.load(game_id) if live is None else live.game


SITE = web.AppKey("SITE", Site)
PROGRAM: Final = "Fairyhouse"


def contact_of(site: Site) -> str:
    """Where people reach the host: as the environment says, else the desk; "" for nowhere."""
    return site.settings.host_contact or site.live.settings.current.house.contact


def name_of(site: Site) -> str:
    """What the site is called: as the host has chosen, else as the program."""
    return site.live.settings.current.house.name or PROGRAM


def with_cookie(site: Site, visitor: Visitor, response: web.Response) -> web.Response:
    """The answer with the visitor's cookie, if it has to be sent."""
    site.sessions.remember(response, visitor)
    return response


async def find_round(request: web.Request) -> Round:
    """The game that the address names. Raises Problem; a caller who asks for many that do not exist has to wait,
    but still finds those that do."""
    return await round_of(request, request.match_info["game"])


async def round_of(request: web.Request, game_id: str) -> Round:
    """The same for a game that a form names."""
    site = request.app[SITE]
    round_ = await site.rounds.get(game_id)
    if round_ is None:
        charge_address(request, site.limits.misses)
        raise Problem(404, "no_game")
    return round_


def find_variant(request: web.Request) -> Variant:
    """The variant that the address names. Raises Problem."""
    variant = request.app[SITE].variants.get(request.match_info["variant"])
    if variant is None:
        raise Problem(404, "unknown_variant")
    return variant


def charge_address(request: web.Request, limit: RateLimit, cost: int = 1) -> None:
    """Takes `cost` from what `limit` leaves to all at the address of the request. Raises Problem (429)."""
    site, address = request.app[SITE], address_key(request, request.app[SITE].settings)
    if limit.shared:
        charge(limit, "", site.now(), cost, shared_by=address)
    else:
        charge(limit, address, site.now(), cost)


def charge_visitor(request: web.Request, visitor: Visitor | None, limit: RateLimit, cost: int = 1) -> None:
    """Takes `cost` from what `limit` leaves to the session, or to the address of a stranger, and to all at the address.

    Raises Problem (429).
    """
    site, address = request.app[SITE], address_key(request, request.app[SITE].settings)
    charge(limit, visitor.key if visitor else address, site.now(), cost, shared_by=address)
