"""The parts of a running site that its handlers share. Decides nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from server.games.state import Game
from server.realtime.live import LivePlay
from server.realtime.play.rounds import Rounds
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.stores import Store
from server.web.assets import Assets
from server.web.budgets.limits import Limits
from server.web.seats import Seats
from server.web.session import Sessions, Visitor
from server.web.websocket.open_sockets import OpenSockets


@dataclass(frozen=True, slots=True)
class Site:
    """`now` gives ms since the epoch, the same to every part. `starts`: by language, the board data of all variants as
    JSON."""

    settings: Settings
    assets: Assets
    variants: Mapping[str, Variant]
    starts: Mapping[str, str]
    store: Store
    live: LivePlay
    sessions: Sessions
    seats: Seats
    limits: Limits
    open_sockets: OpenSockets
    now: Callable[[], int]

    @property
    def rounds(self) -> Rounds:
        return self.live.rounds

    async def game(self, game_id: str) -> Game | None:
        """The game as it stands, whether it is in memory or only stored. Raises Unreadable, Unavailable."""
        live = self.rounds.in_memory(game_id)
        return await self.store.load(game_id) if live is None else live.game


SITE = web.AppKey("SITE", Site)


def with_cookie(site: Site, visitor: Visitor, response: web.Response) -> web.Response:
    """The answer with the visitor's cookie, if it has to be sent."""
    site.sessions.remember(response, visitor)
    return response
