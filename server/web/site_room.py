"""The desk's page about the state of the site: the program, the store, backups and mail.

Plain forms. The page says what `check`, the metrics and /ready report. Each form has the id of its action, so that
sending it twice acts once.
"""

import asyncio
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Deed, DeskEntry, Room
from server.games.game_id import own_id
from server.games.site_settings import House
from server.language import Language
from server.mail.composing import Letter
from server.realtime.runtime.ids import digest, new_id
from server.realtime.services.site_settings import change_house
from server.release import release
from server.rules.errors import Refusal
from server.storage.errors import Unavailable
from server.storage.tables.addresses import MailAddress
from server.web.accounts.account_pages import see_other
from server.web.accounts.export import instant
from server.web.accounts.mail_addresses import MAIL_ADDRESSES
from server.web.budgets.limits import charge
from server.web.desk import DESK, AtDesk, DeedId, at_desk, line_key, required_seat, show_room
from server.web.forms import Form, read_fields
from server.web.languages import language_of
from server.web.notifications.notifier import NOTIFIER
from server.web.operation.backups import BACKUPS, Copy
from server.web.operation.loop_times import LOOP_TIMES, LoopTime
from server.web.operation.site_check import SITE_CHECK
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site

SITE_ROOM: Final = f"{DESK}/site"
KEPT: Final = (0, 3, 7, 14, 30)
"""How many backups a site may keep; 0: it makes none by itself."""
MAIL_KEPT_MS: Final = 3_600_000
STORE_SECONDS: Final = 1.0


class Pressed(Form):
    """A button. `id`: that of its action."""

    id: DeedId


class KeptForm(Form):
    """The form for how many backups are kept."""

    kept: Literal["0", "3", "7", "14", "30"]


@at_desk(Room.SITE)
async def site_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/site. `?done`, `?begun`, `?checks`, `?sent`: after a change, the start of a backup or of a check, or a
    test mail.
    """
    return await show_site(request, seat)


async def show_site(request: web.Request, seat: AtDesk, problem: Refusal | None = None) -> web.Response:
    """The page, with what was wrong about a form."""
    site, backups = request.app[SITE], request.app.get(BACKUPS)
    made = () if backups is None else await backups.made()
    page = await show_room(
        request,
        seat,
        "desk/site.html",
        problem=problem,
        health=await health_shown(request.app, made),
        check=request.app[SITE_CHECK],
        backups=[(instant(one.at)[:16].replace("T", " "), size_shown(one.size)) for one in made],
        has_backups=backups is not None,
        under_way=backups is not None and backups.under_way,
        not_made="" if backups is None else backups.problem,
        kept=site.live.settings.current.house.backups_kept,
        choices=KEPT,
        id=new_id(),
        told=next((name for name in ("done", "begun", "checks", "sent") if name in request.query), ""),
    )
    return with_status(page, problem)


async def health_shown(app: web.Application, made: Sequence[Copy]) -> dict[str, Any]:
    """The state of the site by the names of its words, None for what this site does not have. `made`: its backups."""
    site = app[SITE]
    services, stats = site.live.services, site.live.services.stats
    disk = await asyncio.to_thread(shutil.disk_usage, site.settings.data_dir)
    file = None if site.settings.mongodb_uri else site.settings.site_file.stat().st_size
    route, slowest = max(app[LOOP_TIMES].items(), key=lambda one: one[1].longest, default=("", LoopTime()))
    return {
        "version": release(),
        "stored": await answers(site),
        "file": None if file is None else size_shown(file),
        "growth": None if file is None else growth_shown(file, made, site.now()),
        "slowest": (math.ceil(slowest.longest * 1000), route) if route else None,
        "free": size_shown(disk.free),
        "free_percent": round(100 * disk.free / disk.total),
        "mail": await site.store.outbox.waiting() if MAIL_ADDRESSES in app else None,
        "push": app[NOTIFIER].push is not None,
        "stalls": stats.stalls,
        "longest_stall": stats.longest_stall_ms,
        "faults": stats.failed,
        "store_errors": stats.store_errors,
        "damaged": sum(services.store.damage.found.values()),
        "nodes": len({services.hearing.node, *services.hearing.alive}),
        "sockets": len(site.open_sockets),
        "games": len(site.rounds),
    }


def growth_shown(size: int, made: Sequence[Copy], now: int) -> tuple[tuple[str, str], int] | None:
    """The growth of the site to `size` bytes since its oldest backup, and over how many days; None if that is less than
    one.
    """
    days = (now - made[-1].at) // DAY_MS if made else 0
    return (size_shown(max(0, size - made[-1].size)), days) if days > 0 else None


async def answers(site: Site) -> bool:
    """Does the store accept writes?"""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await site.store.ping()
    except (Unavailable, TimeoutError):
        return False
    return True


def size_shown(size: int) -> tuple[str, str]:
    """Bytes in a unit (`desk_site.…`), with one decimal where that matters."""
    unit, number = ("gb", size / 1e9) if size >= 1e9 else ("mb", size / 1e6)
    return unit, f"{number:.1f}" if number < 100 else f"{number:.0f}"


async def back_up_now(request: web.Request) -> web.Response:
    """POST /host/site/backup: id. Starts a backup in the background; the page reports on it."""
    site, form = request.app[SITE], await read_fields(request, Pressed)
    seat = await required_seat(request, Room.SITE)
    backups = request.app.get(BACKUPS)
    if backups is None:
        return await show_site(request, seat, Problem(409, "no_backups_here"))
    key = await line_key(site.store, f"backup {form.id}", seat.player, site.now())
    entry = DeskEntry(key, site.now(), seat.player, Deed.SITE, detail="backup")
    await site.store.desk.record(entry)
    kept = site.live.settings.current.house.backups_kept
    site.live.services.background.spawn(backups.make(kept, site.now()))
    return see_other(f"{SITE_ROOM}?begun#backups-title")


async def check_site(request: web.Request) -> web.Response:
    """POST /host/site/check: id. Starts a check in the background; the page and the log report on it."""
    site, form = request.app[SITE], await read_fields(request, Pressed)
    seat, check = await required_seat(request, Room.SITE), request.app[SITE_CHECK]
    key = await line_key(site.store, f"check {form.id}", seat.player, site.now())
    entry = DeskEntry(key, site.now(), seat.player, Deed.SITE, detail="check")
    await site.store.desk.record(entry)

    async def look() -> None:
        if await check.run():
            told = replace(entry, id=f"{key} done", at=site.now(), detail=f"checked {check.count}")
            await site.store.desk.record(told)

    site.live.services.background.spawn(look())
    return see_other(f"{SITE_ROOM}?checks#check-title")


async def keep_backups(request: web.Request) -> web.Response:
    """POST /host/site/backups: kept, the number of daily backups."""
    site, form = request.app[SITE], await read_fields(request, KeptForm)
    seat = await required_seat(request, Room.SITE)

    def decide(house: House) -> House:
        return replace(house, backups_kept=int(form.kept))

    await change_house(site.store.site_settings, decide, seat.player, site.now())
    await site.live.settings.refresh()
    return see_other(f"{SITE_ROOM}?done#backups-title")


async def send_test_mail(request: web.Request) -> web.Response:
    """POST /host/site/mail: id. Sends a mail to the host's own confirmed address."""
    site, form = request.app[SITE], await read_fields(request, Pressed)
    seat = await required_seat(request, Room.SITE)
    try:
        if MAIL_ADDRESSES not in request.app:
            raise Problem(409, "no_mail_here")
        own = [one for one in await site.store.addresses.of(seat.account.user) if one.in_effect]
        if not own:
            raise Problem(409, "no_own_address")
        charge(site.limits.confirmations, seat.account.user, site.now())
        key = await line_key(site.store, f"test mail {form.id}", seat.player, site.now())
        letter_id = own_id(int(digest(f"{key} {seat.account.user}"), 16))
        letter = trial_letter(site.settings.address, own[0], language_of(request), letter_id, site.now())
        entry = DeskEntry(key, site.now(), seat.player, Deed.SITE, detail="mail")
        await site.store.desk.record(entry)
        if not await request.app[MAIL_ADDRESSES].mailer.post_letter(letter, seat.account.user, MAIL_KEPT_MS):
            raise Problem(503, "outbox_full")
    except Problem as problem:
        return await show_site(request, seat, problem)
    return see_other(f"{SITE_ROOM}?sent#mail-title")


def trial_letter(address: str, to: MailAddress, language: Language, id: str, now: int) -> Letter:
    """The mail that a host sends to themselves, from the site of that address."""
    say = partial(language.plain, site=address)
    lines = (say("mail.test_text"), "", f"{address}{SITE_ROOM}")
    return Letter(to.address, say("mail.test_subject"), lines, id=id, at=now, language=language.code)
