"""What the handlers of one running site share. LoopTimes the parts; decides nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from server.realtime.live import LivePlay
from server.realtime.play.rounds import Rounds
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.stores import Store
from server.web.assets import Assets
from server.web.budgets.limits import Limits
from server.web.operation.metrics import Metrics
from server.web.seats import Seats
from server.web.session import Sessions, Visitor
from server.web.websocket.open_sockets import OpenSockets


@dataclass(frozen=True, slots=True)
class Site:
    """`now` gives ms since the epoch, the same to every part. `starts`: by language the front page's JSON of all
    variants."""

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
    metrics: Metrics
    now: Callable[[], int]

    @property
    def rounds(self) -> Rounds:
        return self.live.rounds


SITE = web.AppKey("SITE", Site)


def with_cookie(site: Site, visitor: Visitor, response: web.Response) -> web.Response:
    """The answer, which lets the browser be known by it the next time too."""
    site.sessions.remember(response, visitor)
    return response
