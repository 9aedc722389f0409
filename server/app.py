"""Builds the site out of its parts and runs it: the only place that knows all of them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import aiohttp_jinja2
import jinja2
from aiohttp import web

from server.settings import Settings
from server.web.assets import Assets, find_assets
from server.web.middlewares import answer_problems, gate, headers
from server.web.pulse import Pulse
from server.web.routes import add_routes
from server.web.site import SITE, Site

try:
    # It halves the time per relayed move; it does not exist everywhere.
    from uvloop import new_event_loop
except ImportError:
    from asyncio import new_event_loop


class CannotStart(Exception):
    """The site cannot run as it is set up; the message says what the host can do."""


def build_app(settings: Settings, assets: Assets) -> web.Application:
    """The whole site as one aiohttp application; nothing is opened before it starts."""
    app = web.Application(middlewares=[answer_problems, gate(settings)], client_max_size=65_536)
    app.on_response_prepare.append(headers(settings))
    app[SITE] = Site(settings, assets, Pulse())
    app.cleanup_ctx.append(keep_pulse)
    templates = aiohttp_jinja2.setup(
        app, loader=jinja2.FileSystemLoader(assets.templates), undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    templates.globals["asset"] = assets.url
    add_routes(app, assets.static)
    return app


async def keep_pulse(app: web.Application) -> AsyncIterator[None]:
    beating = asyncio.create_task(app[SITE].pulse.beat())
    yield
    beating.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await beating


def serve(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises CannotStart."""
    try:
        web.run_app(
            build_app(settings, find_assets()),
            host=settings.host,
            port=settings.port,
            loop=new_event_loop(),
            keepalive_timeout=30,
            shutdown_timeout=3,
            backlog=1024,
            access_log=None,
            handler_cancellation=False,
            print=lambda _: print(f"Fairyhouse is open at {settings.address}", flush=True),  # noqa: T201
        )
    except OSError as error:
        raise CannotStart(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.") from None
