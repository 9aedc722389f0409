"""Builds the site out of its parts and runs it: the only place that knows all of them."""

import asyncio
import contextlib
import gc
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path

import aiohttp_jinja2
import jinja2
from aiohttp import web

from server.realtime.bus import Bus, LocalBus
from server.realtime.handovers import Handovers
from server.realtime.live import LivePlay
from server.realtime.now import Now
from server.realtime.redis_bus import RedisBus
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.rules.variant import Variant
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.mongo import MongoStore
from server.storage.orders import Orders
from server.storage.sqlite import SqliteStore
from server.storage.stores import Store
from server.web.archive.imports import IMPORTS, Imports
from server.web.assets import Assets, find_assets
from server.web.calls.calling import CALLS, Calls
from server.web.calls.push import NoPush, Push, open_session, read_key
from server.web.frame import framed
from server.web.front import all_starts
from server.web.housekeeping import housekeeping
from server.web.languages import LANGUAGES, NAMES
from server.web.limits import Limits
from server.web.metrics import Metrics
from server.web.middlewares import answer_problems, gate, headers
from server.web.open_sockets import OpenSockets
from server.web.people.accounts import ACCOUNTS, Accounts
from server.web.people.hashing import Hashing
from server.web.pictures.studio import STUDIO, open_studio
from server.web.routes import add_picture_routes, add_routes
from server.web.rules_pages.library import LIBRARY, open_library
from server.web.session import Sessions
from server.web.site import SITE, Site
from server.web.variant_words import names_in
from server.web.words import InvalidWords, load_words, with_code

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    # It halves the time per relayed move; it does not exist everywhere.
    import uvloop
except ImportError:
    new_event_loop = asyncio.new_event_loop
else:
    new_event_loop = uvloop.new_event_loop


class CannotStart(Exception):  # noqa: N818 - says what is so, not that something is wrong here
    """The site cannot run as it is set up; the message says what the host can do."""


def build_app(settings: Settings, assets: Assets) -> web.Application:
    """The whole site as one aiohttp application; nothing is opened before it starts. Raises CannotStart."""
    try:
        variants = load_catalogue(settings.variants_dir)
    except InvalidVariant as error:
        raise CannotStart(f"A variant file cannot be used. {error}") from None
    try:
        languages = load_words()
    except InvalidWords as error:
        raise CannotStart(f"A language cannot be used. {error}") from None
    app = web.Application(middlewares=[answer_problems, framed, gate(settings)], client_max_size=65_536)
    app.on_response_prepare.append(headers(settings))
    app.on_response_prepare.append(count_request)
    app.on_shutdown.append(say_goodbye)
    app.cleanup_ctx.append(partial(run_site, settings, assets, variants))
    templates = aiohttp_jinja2.setup(
        app,
        loader=jinja2.FileSystemLoader(assets.templates),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    templates.filters["code"] = with_code
    templates.globals.update(asset=assets.url, site=settings.address)
    app[LIBRARY] = open_library(variants, assets)
    app[LANGUAGES] = languages
    app[NAMES] = {code: names_in(code, variants) for code in languages}
    add_routes(app, assets.static)
    add_studio(app, assets)
    return app


def add_studio(app: web.Application, assets: Assets) -> None:
    """Pictures, where there are drawings to make them of."""
    studio = open_studio(assets)
    if studio is None:
        return

    async def close(_: web.Application) -> None:
        await studio.close()

    app[STUDIO] = studio
    app.on_cleanup.append(close)
    add_picture_routes(app)


async def run_site(
    settings: Settings, assets: Assets, variants: Mapping[str, Variant], app: web.Application
) -> AsyncIterator[None]:
    """Opens the parts from the store upward, and closes them the other way round when the site stops."""
    now = Now()
    async with contextlib.AsyncExitStack() as opened:
        store = await open_store(settings, variants)
        opened.push_async_callback(store.close)
        bus: Bus = RedisBus(settings.redis_url) if settings.redis_url else LocalBus()
        live = LivePlay(store, variants, now, bus)
        try:
            await live.start()
        except StoreError as error:
            raise CannotStart(f"The store does not answer: {error}") from None
        limits = Limits()
        hashing = Hashing()
        opened.callback(hashing.close)
        open_sockets = OpenSockets(limits, now)
        sessions = Sessions(settings, store, limits, now)
        handovers = Handovers(live.rounds, live.lobby, store.accounts)
        app[ACCOUNTS] = Accounts(store.accounts, sessions, hashing, limits, open_sockets, handovers, now)
        app[IMPORTS] = Imports(store, variants, now)
        app[SITE] = Site(
            settings=settings,
            assets=assets,
            variants=variants,
            starts={language: all_starts(variants, names) for language, names in app[NAMES].items()},
            store=store,
            live=live,
            sessions=sessions,
            limits=limits,
            open_sockets=open_sockets,
            metrics=Metrics(live.rounds, open_sockets),
            now=now,
        )
        push = open_push(settings, now)
        if push is not None:
            opened.push_async_callback(push.close)
        app[CALLS] = Calls(store, push, app[LANGUAGES], app[NAMES], live.node.background, now)
        await opened.enter_async_context(housekeeping(app[SITE], handovers, orders_of(settings, now)))
        yield


async def open_store(settings: Settings, variants: Mapping[str, Variant]) -> Store:
    """MongoDB where one is named, else a file in DATA_DIR, which nobody else may read. Raises CannotStart."""
    try:
        if settings.mongodb_uri:
            return await MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone)
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return await SqliteStore.open(sqlite_path(settings), variants)
    except (StoreError, OSError) as error:
        raise CannotStart(f"The store cannot be opened: {error}") from None


def open_push(settings: Settings, now: Callable[[], int]) -> Push | None:
    """Web push, where the host has a key for it. Raises CannotStart."""
    if not settings.vapid_private_key or not settings.vapid_contact:
        return None
    try:
        key = read_key(settings.vapid_private_key)
    except NoPush as error:
        raise CannotStart(str(error)) from None
    return Push(key, settings.vapid_contact, open_session(), now)


def sqlite_path(settings: Settings) -> Path:
    """Where the embedded store is."""
    return settings.data_dir / "fairyhouse.sqlite3"


def orders_of(settings: Settings, now: Callable[[], int]) -> Orders:
    """Where the host's commands are left for the server that keeps the embedded store."""
    return Orders(settings.data_dir / "orders", now)


async def count_request(request: web.Request, response: web.StreamResponse) -> None:
    """Every answer counts once, however it came about."""
    request.app[SITE].metrics.count_request(request, response)


async def say_goodbye(app: web.Application) -> None:
    """Before anything is closed: commands in hand are finished, then everybody is told that the server will be back."""
    site = app[SITE]
    site.open_sockets.draining = True
    await site.live.stop()
    site.open_sockets.close_all()


def announce(settings: Settings) -> None:
    """Tells the host where to look, as soon as people are let in."""
    sys.stdout.write(f"Fairyhouse is open at {settings.address}\n")
    sys.stdout.flush()


def settle() -> None:
    """What is built now stays as long as the process. Python's collector need not walk through it again and again,
    some 200,000 values, while all games wait for a tenth of a second.
    """
    gc.collect()
    gc.freeze()


def serve(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises CannotStart."""
    app = build_app(settings, find_assets())
    settle()
    try:
        web.run_app(
            app,
            host=settings.host,
            port=settings.port,
            loop=new_event_loop(),
            keepalive_timeout=30,
            shutdown_timeout=3,
            backlog=1024,
            access_log=None,
            handler_cancellation=False,
            print=lambda _: announce(settings),
        )
    except OSError as error:
        raise CannotStart(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.") from None
