"""Seek alerts over HTTP: adding, listing and removing them, and the browsers to notify. Decides nothing about seeks."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.clocks.time_control import DAY_MS, RATED_SPEEDS, Speed
from server.games.game_id import own_id
from server.games.joining import Way
from server.games.seeks import MAX_ALERTS, MAX_VARIANTS_OF_ALERT, SeekAlert
from server.realtime.runtime.ids import digest
from server.storage.tables.push import Device
from server.web.forms import Form, VariantId, read_form
from server.web.guests import known_or_new_guest, require_welcome
from server.web.languages import language_of
from server.web.notifications.notifier import NOTIFIER
from server.web.notifications.push_addresses import LONGEST, UnknownPushService, check_endpoint
from server.web.openapi.operation import Nothing, described
from server.web.rendering.answers import as_json
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem
from server.web.site import SITE, with_cookie

KEPT_MS = 30 * DAY_MS
"""Alerts expire, so that nobody is notified of something they have long forgotten."""


SpeedName = Literal["bullet", "blitz", "rapid", "classical", "correspondence"]


class NewAlert(Form):
    """An alert; naming no variants or speeds means any."""

    variants: Annotated[tuple[VariantId, ...], Field(max_length=MAX_VARIANTS_OF_ALERT, strict=False)] = ()
    speeds: Annotated[tuple[SpeedName, ...], Field(max_length=len(RATED_SPEEDS), strict=False)] = ()


class NewDevice(Form):
    """A browser's subscription, as PushSubscription.toJSON() has it: address and keys."""

    endpoint: Annotated[str, Field(max_length=LONGEST)]
    p256dh: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{87}=?$")]
    auth: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}(==)?$")]


class AlertJson(TypedDict):
    """An alert. `rated`: rated games count, too. `until`: when it ends, ms."""

    id: str
    variants: tuple[str, ...]
    speeds: tuple[Speed, ...]
    rated: bool
    until: int


class Alerts(TypedDict):
    """`push_key`: for subscriptions to web push; null if the site has none."""

    alerts: list[AlertJson]
    push_key: str | None


@described(answers={200: Alerts})
async def read_alerts(request: web.Request) -> web.Response:
    """GET /api/alerts: one's own seek alerts, and the key for web push."""
    site, push = request.app[SITE], request.app[NOTIFIER].push
    visitor = await site.sessions.find(request)
    alerts = [] if visitor is None else await site.store.alerts.alerts_of(visitor.user.id, site.now())
    return as_json({"alerts": [alert_json(alert) for alert in alerts], "push_key": push and push.public_key})


@described(body=NewAlert, answers={201: AlertJson})
async def add_alert(request: web.Request) -> web.Response:
    """POST /api/alerts: notify me when somebody is waiting for such a game, for 30 days.

    It takes the place of an alert for the same games.
    """
    site = request.app[SITE]
    form = await read_form(request, NewAlert)
    if not set(form.variants) <= set(site.offered):
        raise Problem(400, "unknown_variant")
    await require_welcome(request, Way.LOBBY)
    visitor = await site.sessions.require(request)
    # The id is that of the games, so that whoever asks twice at once has one alert.
    games = (visitor.user.id, *sorted(set(form.variants)), "", *sorted(set(form.speeds)))
    alert = SeekAlert(
        id=own_id(int(digest("\n".join(games)), 16)),
        owner=visitor.user.id,
        registered=not visitor.user.guest,
        variants=tuple(dict.fromkeys(form.variants)),
        speeds=tuple(map(Speed, dict.fromkeys(form.speeds))),
        until=site.now() + KEPT_MS,
    )
    for one in await site.store.alerts.alerts_of(visitor.user.id, site.now()):
        # Alerts of earlier releases had other ids.
        if one.is_for_same_games(alert) and one.id != alert.id:
            await site.store.alerts.remove_alert(one.id, one.owner)
    if not await site.store.alerts.add_alert(alert, site.now()):
        raise Problem(403, "too_many_alerts", n=MAX_ALERTS)
    return with_cookie(site, visitor, as_json(alert_json(alert), status=201))


@described(answers={200: Nothing}, refused=(410,))
async def end_alert(request: web.Request) -> web.Response:
    """DELETE /api/alerts/{alert}: remove one of one's own."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    if visitor is None or not await site.store.alerts.remove_alert(request.match_info["alert"], visitor.user.id):
        raise Problem(410, "alert_ended", code="gone")
    return as_json({})


@described(body=NewDevice, answers={201: Nothing}, refused=(404,))
async def add_device(request: web.Request) -> web.Response:
    """POST /api/push: notify this browser."""
    site = request.app[SITE]
    form = await read_form(request, NewDevice)
    if request.app[NOTIFIER].push is None:
        raise Problem(404, "no_push")
    try:
        endpoint = check_endpoint(form.endpoint)
    except UnknownPushService:
        raise Problem(400, "bad_endpoint") from None
    visitor = await known_or_new_guest(request)
    code = language_of(request).code
    await site.store.push.keep(Device(endpoint, visitor.user.id, form.p256dh, form.auth, code, site.now()))
    return with_cookie(site, visitor, as_json({}, status=201))


@cached_for_all
async def service_worker(request: web.Request) -> web.Response:
    """GET /sw.js: at the root, so that it serves all pages. Its name never changes, so each browser asks whether its
    content has.
    """
    assets = request.app[SITE].assets
    path = assets.static / assets.names.get("service_worker.js", "")
    if not path.is_file():
        raise web.HTTPNotFound
    headers = {"Cache-Control": "no-cache", "Content-Type": "text/javascript; charset=utf-8"}
    return web.Response(body=path.read_bytes(), headers=headers)


def alert_json(alert: SeekAlert) -> AlertJson:
    """The alert for the page that shows it; `until` in ms."""
    return {
        "id": alert.id,
        "variants": alert.variants,
        "speeds": alert.speeds,
        "rated": alert.registered,
        "until": alert.until,
    }
