"""Builds the site from its parts: the only place that knows all of them. `serving` runs it."""

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from importlib import import_module

import aiohttp_jinja2
import jinja2
from aiohttp import web

from server.backends import CannotStart, admin_commands_of, mail_server_of, open_bus, open_push, open_store_of_site
from server.language import InvalidWords, about_variant_file, load_words, name_in_form, with_code
from server.mail.delivery import Connect
from server.mail.inbound.command_words import word_meanings
from server.mail.quiet_hours import zone_names
from server.realtime.live import LivePlay
from server.realtime.runtime.timers import Now
from server.realtime.services.account_merges import AccountMerges
from server.release import release
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.rules.lesson.lessons import load_lessons
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.stores import Store
from server.web.accounts.accounts import ACCOUNTS, Accounts
from server.web.accounts.credentials import Hashing
from server.web.archive.imports import IMPORTS, Imports
from server.web.assets import Assets
from server.web.board_data import Starts
from server.web.bots.streams import OPEN_STREAMS, OpenStreams
from server.web.budgets.heavy import HEAVY, HeavyWork, in_turn
from server.web.budgets.limits import OF_ROUTES, Limits
from server.web.embedding import problems_in_frames
from server.web.forms import BODY_MEMORY, BodyMemory
from server.web.languages import LANGUAGES, NAMES
from server.web.lessons import LESSONS, LessonBook
from server.web.middlewares import answer_problems, guard, headers, with_language, with_visitor, within_budget
from server.web.notifications.digests import DIGEST_MAILS, DIGESTS, Digests, telling_later
from server.web.notifications.notifier import NOTIFIER, Notifier, PushSender
from server.web.notifications.teller import TELLER, Teller, telling
from server.web.notifications.tournament_news import TOURNAMENT_TELLER, TournamentTeller, telling_players
from server.web.operation.backups import backing_up
from server.web.operation.housekeeping import close_what_has_ended, housekeeping
from server.web.operation.loop_times import LOOP_TIMES, REQUEST_COUNTS, LoopTime, LoopTimes, RequestCounts, timing
from server.web.operation.site_check import SITE_CHECK, SiteCheck
from server.web.pages.about import source_address
from server.web.pages.docs import DOCS, find_docs
from server.web.pictures.image_cache import IMAGES, open_image_cache
from server.web.preferences import other_sets
from server.web.rendering.answers import TEMPLATES, Templates
from server.web.rendering.page_cache import PAGE_CACHE, PageCache
from server.web.routes import add_frame_routes, add_mail_routes, add_picture_routes, add_routes, add_vacation_routes
from server.web.rules_pages.rules_pages import RULES_PAGES, open_rules_pages
from server.web.seats import Seats
from server.web.session import Sessions
from server.web.site import SITE, Site
from server.web.variant_words import names_in
from server.web.websocket.open_sockets import OpenSockets

GOODBYE_S = 3.0
"""How long open sockets have to take what is queued for them and close."""


def build_app(settings: Settings, assets: Assets) -> web.Application:
    """The whole site as one aiohttp application; it opens nothing before it starts. Raises CannotStart."""
    try:
        variants = load_catalogue(settings.variants_dir)
        lessons = load_lessons(variants, settings.variants_dir)
    except InvalidVariant as error:
        raise CannotStart(about_variant_file(error)) from None
    try:
        languages = load_words()
        word_meanings(languages)
    except InvalidWords as error:
        raise CannotStart(f"A language cannot be used. {error}") from None
    loop_times = LoopTimes(LoopTime)
    before_sessions = [
        timing(loop_times),
        with_language,
        answer_problems,
        problems_in_frames,
        within_budget,
        guard(settings),
        in_turn,
    ]
    app = web.Application(middlewares=[*before_sessions, with_visitor])
    app[LOOP_TIMES] = loop_times
    app[SITE_CHECK] = SiteCheck(None if settings.mongodb_uri else settings.site_file)
    add_shared(app, settings)
    app.on_response_prepare.append(headers(settings))
    app.on_response_prepare.append(count_request)
    app.on_shutdown.append(say_goodbye)
    app.cleanup_ctx.append(partial(run_site, settings, assets, variants))
    add_templates(app, settings, assets)
    app[LESSONS] = LessonBook(lessons)
    app[DOCS] = find_docs(assets.docs)
    app[RULES_PAGES] = open_rules_pages(variants, assets)
    app[LANGUAGES] = languages
    app[NAMES] = {code: names_in(code, variants) for code in languages}
    add_routes(app, assets)
    add_image_cache(app, assets)
    if settings.can_be_embedded and IMAGES in app:
        add_frame_routes(app)
    if settings.vacation_days:
        add_vacation_routes(app)
    if settings.smtp_url:
        add_mail_routes(app)
    return app


def add_shared(app: web.Application, settings: Settings) -> None:
    """Adds what all requests share: what was drawn or looked up lately, and how much may be under way at once."""
    app[OF_ROUTES] = {}
    app[HEAVY] = HeavyWork(settings)
    app[BODY_MEMORY] = BodyMemory()
    app[REQUEST_COUNTS] = RequestCounts()
    app[OPEN_STREAMS] = OpenStreams()
    app[PAGE_CACHE] = PageCache()


class UnindentedTemplates(jinja2.FileSystemLoader):
    """Templates without the indentation before their tags, which every page would send."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """As jinja2 says; lines keep their numbers. Behind a block's tag, whose line break goes, a space may be one
        between words.
        """
        source, path, is_current = super().get_source(environment, template)
        return re.sub(r"(?<!%\})\n +(?=<)", "\n", source), path, is_current


def add_templates(app: web.Application, settings: Settings, assets: Assets) -> None:
    """Adds the templates and what all of them see."""
    templates = aiohttp_jinja2.setup(
        app,
        loader=UnindentedTemplates(assets.templates),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
    )
    app[TEMPLATES] = Templates(templates)
    templates.filters["code"] = with_code
    templates.filters["in_form"] = name_in_form
    templates.globals.update(
        asset=assets.url,
        site=settings.address,
        piece_sheets={name: assets.url(f"pieces-{name}.css") for name in other_sets()},
        has_mail=settings.smtp_url is not None,
        host_contact=settings.host_contact or "",
        release=release(),
        source=source_address(assets, settings.source_url),
        has_push=settings.vapid_private_key is not None and settings.vapid_contact is not None,
        zone_names=zone_names,
        vacation_days=settings.vacation_days,
        can_be_embedded=settings.can_be_embedded,
    )


def add_image_cache(app: web.Application, assets: Assets) -> None:
    """Adds pictures if there are drawings to make them from."""
    images = open_image_cache(assets)
    if images is None:
        return

    async def close(_: web.Application) -> None:
        await images.close()

    app[IMAGES] = images
    app.on_cleanup.append(close)
    add_picture_routes(app)


async def run_site(
    settings: Settings, assets: Assets, variants: Mapping[str, Variant], app: web.Application
) -> AsyncIterator[None]:
    """Opens the parts from the store upwards, and closes them in reverse order when the site stops.

    What a wrong setting may keep from opening comes first, before anybody plays.
    """
    async with contextlib.AsyncExitStack() as opened:
        mail_server = mail_server_of(settings)
        push = open_push(settings, lambda: app[SITE].now())
        if push is not None:
            opened.push_async_callback(push.close)
        if settings.metrics_port:
            port = settings.metrics_port
            metrics = import_module("server.web.operation.metrics").metrics_port(app, settings.metrics_host, port)
            await serve_on(opened, metrics, "METRICS_PORT", port)
        store = await open_store_of_site(settings, variants)
        opened.push_async_callback(store.close)
        await store.addresses.signing_key()  # made at the first start: a page that is only read writes nothing
        live, open_sockets = await open_live_play(settings, store, variants)
        now = live.services.now
        limits = Limits()
        hashing = Hashing()
        opened.callback(hashing.close)
        sanctions, networks = live.services.sanctions, store.sanctions
        sessions = Sessions(settings, store, limits, now, sanctions, networks, store.addresses.signing_key)
        merges = AccountMerges(live.rounds, live.lobby, live.ties, live.studies, store.accounts)
        app[ACCOUNTS] = Accounts(
            store, store.accounts, store.tokens, sessions, hashing, limits, open_sockets, merges, now
        )
        open_sockets.readers.append(app[OPEN_STREAMS])
        app[IMPORTS] = Imports(store, variants, now, check_text=live.services.sanctions.checking_text)
        app[SITE] = Site(
            settings=settings,
            assets=assets,
            variants=variants,
            starts={language: Starts(variants, names) for language, names in app[NAMES].items()},
            store=store,
            live=live,
            sessions=sessions,
            seats=Seats(sessions, live.rounds, live.running_games, limits, now),
            limits=limits,
            open_sockets=open_sockets,
            now=now,
        )
        live.sanctions.on_shut_out = partial(close_what_has_ended, app[SITE])
        await open_notifications(opened, app, push, mail_server)
        if not settings.mongodb_uri:
            await opened.enter_async_context(backing_up(app))
        await opened.enter_async_context(housekeeping(app[SITE], merges, admin_commands_of(settings)))
        yield


async def open_notifications(
    opened: contextlib.AsyncExitStack, app: web.Application, push: PushSender | None, mail_server: Connect | None
) -> None:
    """Has people told of what happens while they are elsewhere: by web push and by mail, at once or later."""
    site = app[SITE]
    store, live, now = site.store, site.live, site.now
    services, at_board = live.services, live.rounds.is_at_board
    app[NOTIFIER] = pushes = Notifier(store, push, app[LANGUAGES], app[NAMES], services.background, now, at_board)
    for hear in (live.pages.hear_event, pushes.hear):
        services.events.subscribe(hear)
    if mail_server is not None:
        mailing = import_module("server.web.mailing").mailing(app, mail_server)
        await serve_on(opened, mailing, "MAIL_LMTP_PORT", site.settings.mail_lmtp_port)
    mails = app.get(DIGEST_MAILS)
    app[DIGESTS] = digests = Digests(store, mails, pushes, services.background, now)
    await opened.enter_async_context(telling_later(digests))
    limits = (site.limits.game_mails, site.limits.game_mails_a_day)
    app[TELLER] = Teller(services, None if mails is None else mails.writer, pushes, digests, now, at_board, limits)
    await opened.enter_async_context(telling(app[TELLER], services))
    writer = None if mails is None else mails.writer
    app[TOURNAMENT_TELLER] = TournamentTeller(store, live.tournaments, live.pages, writer, pushes, now)
    await opened.enter_async_context(telling_players(app[TOURNAMENT_TELLER]))


async def open_live_play(
    settings: Settings, store: Store, variants: Mapping[str, Variant]
) -> tuple[LivePlay, OpenSockets]:
    """Live play on the clock of this process, and its open sockets. Raises CannotStart."""
    try:
        bus = await open_bus(settings)
        now = Now(await store.time())
        bots_rated = settings.bots_rated if "bots_rated" in settings.model_fields_set else None
        live = LivePlay(store, variants, now, bus, vacation_days=settings.vacation_days, bots_rated=bots_rated)
        open_sockets = OpenSockets(live.services)
        await live.start(open_sockets.close)
    except StoreError as error:
        raise CannotStart(f"The store does not answer: {error}") from None
    return live, open_sockets


async def serve_on(
    opened: contextlib.AsyncExitStack,
    service: contextlib.AbstractAsyncContextManager[None],
    setting: str,
    port: int | None,
) -> None:
    """Runs a service with a port of its own until `opened` closes. Raises CannotStart."""
    try:
        await opened.enter_async_context(service)
    except OSError as error:
        raise CannotStart(f"FAIRYHOUSE_{setting} {port} cannot be used: {error.strerror}.") from None


async def count_request(request: web.Request, response: web.StreamResponse) -> None:
    """Counts every answer once, however it came about."""
    request.app[REQUEST_COUNTS].count_answer(request, response)


async def say_goodbye(app: web.Application) -> None:
    """Finishes the commands in hand, then tells everybody that the server will be back. Runs before anything closes."""
    site = app[SITE]
    app[SITE_CHECK].stop()
    site.open_sockets.draining = True
    await site.live.stop()
    await site.open_sockets.close_all(GOODBYE_S)
