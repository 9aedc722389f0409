"""What the handlers of one running site share. Holds the parts; decides nothing."""

from dataclasses import dataclass

from aiohttp import web

from server.settings import Settings
from server.web.assets import Assets
from server.web.pulse import Pulse


@dataclass(frozen=True, slots=True)
class Site:
    settings: Settings
    assets: Assets
    pulse: Pulse


SITE = web.AppKey("SITE", Site)
