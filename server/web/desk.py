"""The host's desk at /host: reports, the notice, roles and the log. Plain forms that work without a script.

`games.desk` says which role has which room. Rights are read from the store for each request, so a role that is taken
away is gone at once, on every node. Who comes to the desk has typed their password in the last twelve hours, which a
signed cookie says that only this session has; a role is given with the password.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import Field

from server.games.clocks.time_control import DAY_MS
from server.games.desk import DEEDS_BY_SUBJECT, ROOMS, Deed, Desk, DeskEntry, LogSearch, Role, Room
from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.sanctions import MINUTE_MS
from server.games.site_settings import parts_of
from server.mail.tokens import BadToken, read_token, sign_token
from server.realtime.play.chat import LETTER, clean
from server.realtime.runtime.ids import digest, new_id
from server.realtime.services.desk import give_role_to_account, use_claim
from server.rules.errors import Refusal
from server.storage.fields import LAST_MS
from server.storage.stores import Store
from server.storage.tables.accounts import Account
from server.storage.tables.notices import LATE_MS, SiteNotice
from server.web.accounts.account_pages import see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.export import instant
from server.web.forms import Form, LocalAddress, NameField, Password, local_address, read_fields, read_page_query
from server.web.operation.backups import BACKUPS, BackupAge, age_of
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE, with_cookie

DESK: Final = "/host"
CONFIRMED: Final = "desk"
"""The cookie, and the purpose for which its content is signed."""
CONFIRMED_MS: Final = 12 * 3_600_000
LOG_PAGE: Final = 100
"""Lines of the log on one page."""
LATEST: Final = 5
"""Lines of the log on the first page."""
MOST_DAYS: Final = 365
"""How long a notice may stay."""
MINUTES: Final = (2, 5, 10, 15, 30, 60)
"""How long before it a restart may be announced."""
REMOVING: Final = frozenset({Deed.NOTICE_REMOVED, Deed.COMMAND})
"""What takes a notice away."""
TWICE_MS: Final = 60_000
"""Whoever sends the same form again so soon has pressed twice, or got no answer."""


DAY: Final = r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2})?$"
DeedId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,40}$")]
"""Of what a form does, made with the form: sent twice, it has one line in the log."""


class PasswordForm(Form):
    """`next`: the page of the desk to go to afterwards."""

    password: Password
    next: LocalAddress = ""


class ClaimForm(Form):
    token: Annotated[str, Field(max_length=600)]


class NoticeForm(Form):
    """`days`: how long it is shown. Line breaks count as two characters."""

    id: DeedId
    text: Annotated[str, Field(max_length=4 * LETTER.longest)]
    days: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,2}$")]


class RestartForm(Form):
    """`minutes`: until the site is restarted."""

    id: DeedId
    text: Annotated[str, Field(max_length=4 * LETTER.longest)]
    minutes: Literal["2", "5", "10", "15", "30", "60"]


class NoticeToRemove(Form):
    """`posted`: when it was posted (ms)."""

    posted: Annotated[str, Field(pattern=r"^[0-9]{1,15}$")]


class LogForm(Form):
    """The fields of the address. `by`, `about`: names; `what`: of DEEDS_BY_SUBJECT; `since`, `to`: days (UTC); "": any.
    `until`: an instant (ms), from which on back.
    """

    by: NameField = ""
    what: Annotated[str, Field(max_length=20)] = ""
    about: NameField = ""
    since: Annotated[str, Field(pattern=DAY)] = ""
    to: Annotated[str, Field(pattern=DAY)] = ""
    until: Annotated[str, Field(pattern=r"^[0-9]{0,15}$")] = ""


class RoleForm(Form):
    """`role`: "" takes it away. `password`: of whoever gives it."""

    name: NameField
    role: Literal["", "host", "moderator", "organiser"]
    password: Password


@dataclass(frozen=True, slots=True)
class AtDesk:
    """Somebody with a role, at a room that it has."""

    visitor: Visitor
    account: Account
    desk: Desk
    role: Role

    @property
    def player(self) -> Player:
        return self.visitor.player


DeskPage = Callable[[web.Request, AtDesk], Awaitable[web.Response]]


def at_desk(room: Room | None = None) -> Callable[[DeskPage], Handler]:
    """For pages of the desk (of that room): shown to people who have a role (that has the room). Who has to type their
    password first is asked for it instead. The page raises as `find_seat` does.
    """

    def guarded(show: DeskPage) -> Handler:
        @wraps(show)
        async def page(request: web.Request) -> web.StreamResponse:
            seat = await find_seat(request, room)
            if not await is_confirmed(request, seat):
                return await show_password(request)
            return await show(request, seat)

        return page

    return guarded


async def claim_page(request: web.Request) -> web.Response:
    """GET /host/claim: the code stands behind the # of the link, which a script puts into the form."""
    return await show_claim(request, None)


async def claim(request: web.Request) -> web.Response:
    """POST /host/claim: token."""
    site, form = request.app[SITE], await read_fields(request, ClaimForm)
    visitor = await site.sessions.member(request)
    if visitor is None:
        return await show_claim(request, Problem(403, "not_registered"))
    account = await request.app[ACCOUNTS].of(visitor)
    try:
        store, player = site.store, Player(account.user, account.name)
        await use_claim(store.desk, store.sanctions, form.token.strip(), player, site.now())
    except NotAllowed as refusal:
        if (await site.store.desk.read()).role_of(account.user) is not Role.HOST:
            return await show_claim(request, refusal)
        # They pressed twice, or the first answer was lost.
    return see_other(DESK)


async def show_claim(request: web.Request, problem: Refusal | None) -> web.Response:
    """The form with what was wrong about it."""
    visitor = await request.app[SITE].sessions.member(request)
    page = await as_page(request, "desk/claim.html", problem=problem, signed_in=visitor is not None)
    return with_status(page, problem)


async def confirm(request: web.Request) -> web.Response:
    """POST /host/password: password, next."""
    site, form = request.app[SITE], await read_fields(request, PasswordForm)
    seat = await find_seat(request)
    try:
        await request.app[ACCOUNTS].confirmed(seat.visitor, seat.account, form.password)
    except Problem as problem:
        return await show_password(request, problem, form.next or DESK)
    answer = see_other(form.next if form.next.startswith(f"{DESK}/") else DESK)
    key = await site.store.addresses.signing_key()
    answer.set_cookie(
        CONFIRMED,
        sign_token(key, CONFIRMED, (seat.visitor.key,), site.now() + CONFIRMED_MS),
        max_age=CONFIRMED_MS // 1000,
        path=DESK,
        secure=site.settings.secure,
        httponly=True,
        samesite="Strict",
    )
    return with_cookie(site, seat.visitor, answer)


async def show_password(request: web.Request, problem: Refusal | None = None, path: str = "") -> web.Response:
    """Asks for the password before a page of the desk is shown: that at `path`; "": the one that was asked for."""
    path = path or page_asked_for(request)
    return with_status(await as_page(request, "desk/password.html", problem=problem, next=path), problem)


def page_asked_for(request: web.Request) -> str:
    """The address of this request, with its query, by which the page can be asked for again; "" if it is none."""
    return local_address(request.path_qs) or local_address(request.path)


@at_desk()
async def desk_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host: what waits, and what was done last."""
    store, now, rooms = request.app[SITE].store, request.app[SITE].now(), ROOMS[seat.role]
    return await show_room(
        request,
        seat,
        "desk/today.html",
        log=log_shown(await store.desk.log(now, LATEST)) if Room.LOG in rooms else (),
        backup=await backup_age(request.app, now) if Room.SITE in rooms else None,
    )


async def backup_age(app: web.Application, now: int) -> BackupAge | None:
    """How old the last backup is; None if this program makes none, or its folder cannot be read."""
    try:
        return age_of(await app[BACKUPS].made(), now) if BACKUPS in app else None
    except OSError:
        return None


@at_desk(Room.NOTICE)
async def notice_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/notice. `?done`: after it was changed."""
    return await show_notice(request, seat)


async def show_notice(
    request: web.Request, seat: AtDesk, problem: Refusal | None = None, form: NoticeForm | RestartForm | None = None
) -> web.Response:
    """The forms, filled in as in `form` with what was wrong about it."""
    site = request.app[SITE]
    await site.live.notice.refresh()
    shown = site.live.notice.current
    page = await show_room(
        request,
        seat,
        "desk/notice.html",
        problem=problem,
        id=new_id() if form is None else form.id,
        posted=shown,
        until=instant(shown.until)[:10] if shown else "",
        text=form.text if isinstance(form, NoticeForm) else "",
        days=form.days if isinstance(form, NoticeForm) else "1",
        restart=form if isinstance(form, RestartForm) else None,
        minutes=MINUTES,
        longest=LETTER.longest,
        most_days=MOST_DAYS,
        done="done" in request.query,
    )
    return with_status(page, problem)


async def post_notice(request: web.Request) -> web.Response:
    """POST /host/notice: id, text, days."""
    site, form = request.app[SITE], await read_fields(request, NoticeForm)
    seat = await required_seat(request, Room.NOTICE)
    written, text, now = form.text.replace("\r\n", "\n").strip(), clean(form.text, LETTER), site.now()
    if not text or len(written) > LETTER.longest or int(form.days) > MOST_DAYS:
        return await show_notice(request, seat, Problem(400, "bad_notice", n=LETTER.longest, days=MOST_DAYS), form)
    before = await site.store.notices.current()
    same = before is not None and (before.text, before.until - before.posted) == (text, int(form.days) * DAY_MS)
    if before is not None and same and now < before.posted + DAY_MS:
        # It is there already, and its line in the log, too.
        return see_other(f"{DESK}/notice?done")
    stood = await _stood_before(site.store, now)
    key = await line_key(site.store, f"notice {form.id}", seat.player, now, stood, form.days, text)
    entry = DeskEntry(key, now, seat.player, Deed.NOTICE, detail=text)
    notice = SiteNotice(text, now, now + int(form.days) * DAY_MS)
    await site.store.notices.post(notice, site.store.desk.entry_step(entry))
    await site.live.notice.refresh()
    return see_other(f"{DESK}/notice?done")


async def announce_restart(request: web.Request) -> web.Response:
    """POST /host/notice/restart: id, text, minutes. Until then every page counts down, and nobody is paired."""
    site, form = request.app[SITE], await read_fields(request, RestartForm)
    seat = await required_seat(request, Room.NOTICE)
    written, text, now = form.text.replace("\r\n", "\n").strip(), clean(form.text, LETTER), site.now()
    wait = int(form.minutes) * MINUTE_MS
    if not text or len(written) > LETTER.longest:
        return await show_notice(request, seat, Problem(400, "bad_restart", n=LETTER.longest), form)
    before = await site.store.notices.current()
    same = before is not None and (before.text, before.restarts - before.posted) == (text, wait)
    if not (before is not None and same and now < before.posted + MINUTE_MS):
        # Otherwise it is there already, and its line in the log, too.
        stood = await _stood_before(site.store, now)
        key = await line_key(site.store, f"restart {form.id}", seat.player, now, stood, form.minutes, text)
        entry = DeskEntry(key, now, seat.player, Deed.RESTART, detail=f"{form.minutes} {text}")
        notice = SiteNotice(text, now, now + wait + LATE_MS, now + wait)
        await site.store.notices.post(notice, site.store.desk.entry_step(entry))
        await site.live.notice.refresh()
    return see_other(f"{DESK}/notice?done")


async def _stood_before(store: Store, now: int) -> str:
    """What a notice is posted after, which tells posting it once more from sending its form twice: the notice that is
    there, else what was removed last, by a form or a command. Raises Unavailable.
    """
    if (before := await store.notices.current()) is not None:
        return str(before.posted)
    ended = await store.desk.log(now, 1, LogSearch(deeds=REMOVING))
    return ended[0].id if ended else ""


async def line_key(store: Store, form: str, by: Player, now: int, *said: str) -> str:
    """The key of the line of the log about a form, given as its name and id. Raises Unavailable.

    The id tells pressing twice from two forms, but a browser sends whichever it likes, and a page stays open: so whose
    it is, what it says, and pressing it again later make another line, too.
    """
    key = f"{form} {digest(' '.join((by.id, *said)))[:16]}"
    before = await store.desk.line(key)
    return key if before is None or now - before.at < TWICE_MS else f"{key} {now}"


async def remove_notice(request: web.Request) -> web.Response:
    """POST /host/notice/remove: posted, which tells the notice from one that was put in its place meanwhile."""
    site, form = request.app[SITE], await read_fields(request, NoticeToRemove)
    seat = await required_seat(request, Room.NOTICE)
    found = await site.store.notices.current()
    if found is not None and str(found.posted) == form.posted:
        entry = DeskEntry(f"removed {found.posted}", site.now(), seat.player, Deed.NOTICE_REMOVED, detail=found.text)
        await site.store.notices.remove(site.store.desk.entry_step(entry), posted=found.posted)
        await site.live.notice.refresh()
    return see_other(f"{DESK}/notice?done")


@at_desk(Room.ROLES)
async def roles_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/roles. `?done`: after one was given or taken away."""
    return await show_roles(request, seat)


async def show_roles(
    request: web.Request, seat: AtDesk, problem: Refusal | None = None, form: RoleForm | None = None
) -> web.Response:
    """Who has which role, and the form, filled in as in `form` with what was wrong about it."""
    site = request.app[SITE]
    order = {role: number for number, role in enumerate(Role)}
    bearers = []
    for person, role in sorted(seat.desk.roles, key=lambda one: order[one[1]]):
        if (account := await site.store.accounts.of_user(person)) is not None:
            bearers.append((account.name, role, person in seat.desk.leaving))
    page = await show_room(
        request,
        seat,
        "desk/roles.html",
        problem=problem,
        bearers=bearers,
        name=form.name if form else local_name(request),
        chosen=form.role if form else "",
        roles=list(Role),
        done="done" in request.query,
    )
    return with_status(page, problem)


def local_name(request: web.Request) -> str:
    """`?name=`: whose role is to be changed."""
    return request.query.get("name", "")[:64]


async def change_role(request: web.Request) -> web.Response:
    """POST /host/roles: name, role, password."""
    site, form = request.app[SITE], await read_fields(request, RoleForm)
    seat = await required_seat(request, Room.ROLES)
    try:
        await request.app[ACCOUNTS].confirmed(seat.visitor, seat.account, form.password)
        account = await site.store.accounts.find(form.name)
        if account is None:
            raise Problem(404, "no_player")
        role = Role(form.role) if form.role else None
        store = site.store
        await give_role_to_account(store.desk, store.accounts, store.sanctions, account, role, seat.player, site.now())
    except (NotAllowed, Problem) as problem:
        return await show_roles(request, seat, problem, form)
    return see_other(f"{DESK}/roles?done")


@at_desk(Room.LOG)
async def log_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/log: what `LogForm` asks for."""
    site, form = request.app[SITE], read_page_query(request, LogForm)
    problem, lines = None, []
    try:
        searches, until = await log_searches(site.store, form), min(int(form.until or LAST_MS), _end_of(form.to))
        found = {line for one in searches for line in await site.store.desk.log(until, LOG_PAGE + 1, one)}
        lines = sorted(found, key=lambda one: (one.at, one.id), reverse=True)
    except Problem as refusal:
        problem = refusal
    older = lines[LOG_PAGE].at if len(lines) > LOG_PAGE else 0
    asked = {name: value for name, value in form.model_dump().items() if value and name != "until"}
    page = await show_room(
        request,
        seat,
        "desk/log.html",
        problem=problem,
        log=log_shown(lines[:LOG_PAGE]),
        older=f"{DESK}/log?{urlencode({**asked, 'until': older})}" if older else "",
        asked=asked,
        subjects=list(DEEDS_BY_SUBJECT),
    )
    return with_status(page, problem)


async def log_searches(store: Store, form: LogForm) -> list[LogSearch]:
    """What the form asks for, in all of these. Raises Problem (400): a day that there is not; Unavailable."""
    by, about = [await _known_by(store, name) for name in (form.by, form.about)]
    search = LogSearch(by, about, frozenset(DEEDS_BY_SUBJECT.get(form.what, ())), _begin_of(form.since))
    # Whoever runs the server may be called there as somebody is here, and commands have no more than that name.
    return [search, replace(search, by=Player("", form.by))] if by.id else [search]


async def _known_by(store: Store, name: str) -> Player:
    """Whoever has an account of that name; otherwise, as of deleted accounts and commands, whoever was called so."""
    account = await store.accounts.find(name) if name else None
    return Player("", name) if account is None else Player(account.user, account.name)


def _begin_of(day: str) -> int:
    """When that day of UTC begins (ms); "": 0. Raises Problem (400)."""
    try:
        return round(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000) if day else 0
    except (ValueError, OverflowError):
        raise Problem(400, "bad_day") from None


def _end_of(day: str) -> int:
    """The last instant of that day; "": the last that there is. Raises as above."""
    return _begin_of(day) + DAY_MS - 1 if day else LAST_MS


def log_shown(lines: Sequence[DeskEntry]) -> list[tuple[str, DeskEntry, list[str] | list[list[str]]]]:
    """Each line between its minute, in UTC, and the words of its detail, or what was changed of the settings."""
    return [(instant(line.at)[:16].replace("T", " "), line, _details_of(line)) for line in lines]


def _details_of(line: DeskEntry) -> list[str] | list[list[str]]:
    words = line.detail.split(" ")
    return parts_of(words) if line.deed is Deed.SETTINGS else words


async def show_room(request: web.Request, seat: AtDesk, template: str, **shown: Any) -> web.Response:
    """A page of the desk."""
    rooms = [room.value for room in ROOMS[seat.role]]
    waits = await what_waits(request.app[SITE].store, seat.role)
    return await as_page(request, template, role=seat.role.value, rooms=rooms, waits=waits, **shown)


async def what_waits(store: Store, role: Role) -> dict[Room, int]:
    """How much waits in each room of that role in which something may wait."""
    counts = {
        Room.REPORTS: store.reports.count_open,
        Room.PEOPLE: store.sanctions.count_appeals,
        Room.JOINING: store.joining.count_waiting,
    }
    return {room: await count() for room, count in counts.items() if room in ROOMS[role]}


async def required_seat(request: web.Request, room: Room) -> AtDesk:
    """Who does something there. Raises Problem (403) also if they have to type their password first."""
    seat = await find_seat(request, room)
    if not await is_confirmed(request, seat):
        raise Problem(403, "desk_password")
    return seat


async def find_seat(request: web.Request, room: Room | None = None) -> AtDesk:
    """Who asks, if they have a role (that has this room). Raises Problem (403), HTTPSeeOther for strangers."""
    site = request.app[SITE]
    visitor = await site.sessions.member(request)
    if visitor is None:
        if request.method in ("GET", "HEAD"):
            raise web.HTTPSeeOther(f"/sign-in?{urlencode({'next': page_asked_for(request)}, safe='/')}")
        raise Problem(403, "not_registered")
    desk = await site.store.desk.read()
    role = desk.role_of(visitor.user.id)
    if role is None or (room is not None and room not in ROOMS[role]):
        raise Problem(403, "not_at_desk")
    return AtDesk(visitor, await request.app[ACCOUNTS].of(visitor), desk, role)


async def is_confirmed(request: web.Request, seat: AtDesk) -> bool:
    """Has this session typed the password in the last twelve hours?"""
    site = request.app[SITE]
    try:
        fields = read_token(
            await site.store.addresses.signing_key(), CONFIRMED, request.cookies.get(CONFIRMED, ""), site.now()
        )
    except BadToken:
        return False
    return fields == (seat.visitor.key,)
