"""The account pages: plain forms that work without a script. accounts.py decides what they do.

A refused form is shown again with the reason and what was typed, but never a password; an accepted one redirects with
303, so that reloading does nothing twice.
"""

import logging
from typing import Annotated, Any, Final, Literal

import orjson
from aiohttp import web
from pydantic import Field

from server.games.clocks.time_control import DAY_MS
from server.games.errors import NotAllowed
from server.games.joining import LONGEST_ANSWER, Invitation, NotWelcome, SignUp, Way, check_invitation, read_code
from server.games.people import LONGEST_PROFILE_TEXT
from server.mail.quiet_hours import zone_names
from server.mail.wishes import CHOICES, KINDS, Frequency, how_often, push_frequency, silent_wishes
from server.realtime.play.chat import LETTER, clean
from server.rules.errors import Refusal
from server.settings import LONGEST_MAILBOX, parse_mailbox
from server.storage.tables.addresses import MailAddress
from server.storage.tables.notification_settings import NotificationSettings
from server.web.accounts.accounts import (
    ACCOUNTS,
    BROWSER,
    BROWSER_KEPT_MS,
    Joins,
    SignInAgain,
    browser_token,
    owner_of_browser,
)
from server.web.accounts.credentials import LONGEST, SHORTEST, BadName, BadPassword
from server.web.accounts.export import instant, own_data
from server.web.accounts.mail_addresses import addresses_to_write_to
from server.web.budgets.callers import caller_of
from server.web.forms import Form, LocalAddress, NameField, Password, local_address, read_fields
from server.web.guests import require_welcome
from server.web.languages import language_of
from server.web.preferences import carry_over_preferences
from server.web.rendering.answers import as_page, compressed
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site, charge_address, with_cookie

LONGEST_ZONE: Final = 64
TimeOfDay = Annotated[str, Field(pattern=r"^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9])?$")]
"""As browsers send it, "" for none."""
ByPush = Literal["", "at_once", "hourly", "daily", "never"]
"""Empty on a site without web push, whose page does not ask."""

log = logging.getLogger(__name__)

ACCOUNT = "/account"


class Credentials(Form):
    """Registering or signing in. `next`: where to go afterwards."""

    name: NameField
    password: Password
    next: LocalAddress = ""


class Registration(Credentials):
    """`invitation`: the code of one, "" for none. Where people ask first: `words`: what they say, `mailbox`: where they
    want to read the answer.
    """

    invitation: Annotated[str, Field(max_length=40)] = ""
    words: Annotated[str, Field(max_length=2 * LONGEST_ANSWER)] = ""
    mailbox: Annotated[str, Field(max_length=LONGEST_MAILBOX)] = ""


class GuestName(Form):
    """What a guest would be called, "" for a name that is made up. `next`: where to go afterwards."""

    name: NameField = ""
    next: LocalAddress = ""


class NewPassword(Form):
    """`old` is empty if there is no old password to ask for."""

    old: Password = ""
    new: Password


class FlaggingChoice(Form):
    """What somebody chooses for their new correspondence games."""

    by_hand: Literal["", "yes"] = ""


class Confirmation(Form):
    password: Password


class SessionToEnd(Form):
    """Which browser is to be signed out, by the hash of its token."""

    session: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


async def register_page(request: web.Request) -> web.Response:
    """GET /register: a name and a password, nothing else unless the host asks for more; or only a name, as a guest.

    `?invitation`: its code. `?named`: after a guest chose a name; `?asked`: after they asked to join.
    """
    if await request.app[SITE].sessions.member(request) is not None:
        raise web.HTTPSeeOther(ACCOUNT)
    return await show_registration(request)


async def sign_in_page(request: web.Request) -> web.Response:
    """GET /sign-in. `?deleted`: after an account was deleted; `?recovered`: after a new password was chosen by mail."""
    if await request.app[SITE].sessions.member(request) is not None:
        raise web.HTTPSeeOther(ACCOUNT)
    return await show_sign_in(request)


async def show_sign_in(
    request: web.Request, problem: Refusal | None = None, form: Credentials | None = None
) -> web.Response:
    """The form, filled in as in `form` with what was wrong about it."""
    name, path = (form.name, form.next) if form else ("", local_address(request.query.get("next", "")))
    shown = {"deleted": "deleted" in request.query, "recovered": "recovered" in request.query}
    return await answer(request, "accounts/sign_in.html", problem, name=name, next=path, **shown)


async def show_registration(
    request: web.Request, problem: Refusal | None = None, form: Registration | GuestName | None = None
) -> web.Response:
    """The forms of newcomers, filled in as in `form` with what was wrong about it."""
    site = request.app[SITE]
    path = form.next if form else local_address(request.query.get("next", ""))
    joining = (await site.store.site_settings.read()).joining
    filled = form if isinstance(form, Registration) else None
    given = filled.invitation if filled else request.query.get("invitation", "")[:40]
    invitation = await find_invitation(request, given) if joining.sign_up is not SignUp.CLOSED else None
    if given and invitation is None and problem is None and joining.sign_up is not SignUp.CLOSED:
        problem = NotWelcome("invitation_over")
    return await answer(
        request,
        "accounts/register.html",
        problem,
        name=form.name if form else "",
        next=path,
        shortest=SHORTEST,
        longest=LONGEST,
        asked="guest" if isinstance(form, GuestName) else "",
        named="named" in request.query,
        waits="asked" in request.query,
        sign_up=SignUp.OPEN if invitation else joining.sign_up,
        guests=joining.guests,
        question=joining.question,
        invitation=invitation,
        words=filled.words if filled else "",
        mailbox=filled.mailbox if filled else "",
        longest_answer=LONGEST_ANSWER,
    )


async def find_invitation(request: web.Request, given: str) -> Invitation | None:
    """The invitation with that code, if it is good. Who tries many codes has to wait: raises Problem (429)."""
    if not (code := read_code(given)):
        return None
    site = request.app[SITE]
    try:
        return check_invitation(await site.store.joining.invitation(code), site.now())
    except NotAllowed:
        charge_address(request, site.limits.misses)
        return None


async def register(request: web.Request) -> web.Response:
    """POST /register: name, password, next, invitation, words, mailbox. Without a next page, the front page says that
    there is an account.
    """
    site = request.app[SITE]
    form = await read_fields(request, Registration)
    # Before there is a session: a store that failed after that would leave them without its cookie.
    key = await site.store.addresses.signing_key()
    try:
        visitor = await request.app[ACCOUNTS].register(request, form.name, form.password, joins_of(request, form))
    except (BadName, BadPassword, NotAllowed, Problem) as problem:
        return await show_registration(request, problem, form)
    if visitor is None:
        return see_other("/register?asked")
    await carry_over_preferences(request, site.store, visitor)
    return with_known_browser(site, key, visitor, see_other(form.next or "/?registered"))


def joins_of(request: web.Request, form: Registration) -> Joins:
    """How they join, as the form says. Raises NotAllowed, Problem (400)."""
    code = read_code(form.invitation)
    if form.invitation.strip() and not code:
        raise NotWelcome("invitation_over")
    words = clean(form.words, LETTER)
    if len(words) > LONGEST_ANSWER:
        raise Problem(400, "answer_too_long", n=LONGEST_ANSWER)
    try:
        mailbox = parse_mailbox(form.mailbox) if form.mailbox.strip() else ""
    except ValueError:
        raise Problem(400, "bad_mailbox") from None
    return Joins(code, words, mailbox, language_of(request).code)


async def choose_guest_name(request: web.Request) -> web.Response:
    """POST /guest: name, next."""
    site = request.app[SITE]
    form = await read_fields(request, GuestName)
    if await site.sessions.member(request) is not None:
        return see_other(ACCOUNT)
    try:
        await require_welcome(request, Way.LINK)
        visitor = await request.app[ACCOUNTS].choose_guest_name(request, form.name)
    except (BadName, NotAllowed, Problem) as problem:
        return await show_registration(request, problem, form)
    return with_cookie(site, visitor, see_other(form.next or "/register?named#guest-title"))


async def sign_in(request: web.Request) -> web.Response:
    """POST /sign-in: name, password, next. After a reset by the host, people choose a password first. Whom the
    host has shut out reads why, and comes no further.
    """
    site = request.app[SITE]
    form = await read_fields(request, Credentials)
    key = await site.store.addresses.signing_key()
    browser = owner_of_browser(key, request.cookies.get(BROWSER, ""), site.now())
    try:
        visitor, has_password = await request.app[ACCOUNTS].sign_in(request, form.name, form.password, browser)
    except Problem as problem:
        if problem.status < 500:
            # For programs such as fail2ban. The name is left out: it may be a password in the wrong field.
            address = caller_of(request, site.settings)
            log.warning("sign-in refused from %s: %s", address, problem.id, extra={"apart": str(address)})
        return await show_sign_in(request, problem, form)
    leads_to = form.next or "/" if has_password else ACCOUNT
    if site.live.services.sanctions.shut_out(visitor.user.id, site.now()):
        leads_to = "/decisions"
    return with_known_browser(site, key, visitor, see_other(leads_to))


def with_known_browser(site: Site, key: bytes, visitor: Visitor, response: web.Response) -> web.Response:
    """The answer with the visitor's cookie, and one by which this browser is known when they sign in again. `key` signs
    it.
    """
    response.set_cookie(
        BROWSER,
        browser_token(key, visitor.user.id, site.now()),
        max_age=BROWSER_KEPT_MS // 1000,
        path="/sign-in",
        secure=site.settings.secure,
        httponly=True,
        samesite="Strict",
    )
    return with_cookie(site, visitor, response)


async def sign_out(request: web.Request) -> web.Response:
    """POST /sign-out: signs this browser out."""
    site = request.app[SITE]
    visitor = await site.sessions.member(request)
    response = see_other("/")
    if visitor is not None:
        await request.app[ACCOUNTS].sign_out(visitor)
        site.sessions.forget(response)
    return response


async def account_page(request: web.Request) -> web.Response:
    """GET /account. `?changed`: after a new password; `?saved`: of choices for games; `?mailed`: after a link was
    sent to a new mail address; `?ended`: after another browser was signed out.
    """
    visitor = await require_account(request)
    return await show_account(request, visitor)


async def show_account(
    request: web.Request, visitor: Visitor, problem: Refusal | None = None, asked: str = ""
) -> web.Response:
    """`asked`: the form that `problem` is about."""
    site = request.app[SITE]
    account = await request.app[ACCOUNTS].of(visitor)
    now = site.now()
    own = await site.store.addresses.of(account.user)
    sessions = [
        {
            "key": one.token_hash,
            "here": one.token_hash == visitor.key,
            "browser": one.browser.partition("/"),
            "opened": (now - one.created) // DAY_MS,
            "used": (now - one.seen) // DAY_MS,
        }
        for one in await request.app[ACCOUNTS].sessions_of(visitor)
    ]
    shown = {
        "account": account,
        "since": instant(account.created)[:10],
        "sessions": sessions,
        "asked": asked,
        "changed": "changed" in request.query,
        "saved": "saved" in request.query,
        "mailed": "mailed" in request.query,
        "ended": "ended" in request.query,
        "mail_choices": CHOICES,
        "addresses": [address_shown(one) for one in own],
        "write_to": addresses_to_write_to(request, account.name, own),
        "text": await site.store.profiles.text_of(account.user),
        "longest_text": LONGEST_PROFILE_TEXT,
        "ties": await site.store.ties.of(account.user),
        "told": notification_settings_shown(await site.store.notification_settings.of(account.user)),
        "shortest": SHORTEST,
        "longest": LONGEST,
        "has_role": (await site.store.desk.read()).role_of(account.user) is not None,
    }
    return await answer(request, "accounts/account.html", problem, **shown)


def address_shown(one: MailAddress) -> dict[str, Any]:
    """A mail address of one's own. `refused`: the day of that, "" if it was not."""
    return {
        "address": one.address,
        "confirmed": one.in_effect,
        "refused": instant(one.refused)[:10] if one.refused else "",
        "letters": one.letters,
        "wishes": {kind: how_often(one.wishes, kind) for kind in KINDS},
    }


async def change_password(request: web.Request) -> web.Response:
    """POST /account/password: old, new."""
    site = request.app[SITE]
    visitor = await require_account(request)
    form = await read_fields(request, NewPassword)
    try:
        changed = await request.app[ACCOUNTS].change_password(request, visitor, form.old, form.new)
    except SignInAgain:
        return see_other("/sign-in?recovered")
    except (BadPassword, Problem) as problem:
        return await show_account(request, visitor, problem, "password")
    return with_cookie(site, changed, see_other(f"{ACCOUNT}?changed"))


async def choose_flagging(request: web.Request) -> web.Response:
    """POST /account/games: by_hand."""
    visitor = await require_account(request)
    form = await read_fields(request, FlaggingChoice)
    await request.app[ACCOUNTS].choose_flagging(visitor, by_hand=form.by_hand == "yes")
    return see_other(f"{ACCOUNT}?saved#games-title")


async def choose_notification_settings(request: web.Request) -> web.Response:
    """POST /account/notifications: zone, quiet_from, quiet_until; turns, reminders, results, challenges by web push."""
    visitor = await require_account(request)
    try:
        await store_notification_settings(request, visitor.user.id)
    except Problem as problem:
        return await show_account(request, visitor, problem, "told")
    return see_other(ACCOUNT)


class NotificationSettingsForm(Form):
    """`zone`: the name of a time zone, "" for UTC."""

    zone: Annotated[str, Field(max_length=LONGEST_ZONE)] = ""
    quiet_from: TimeOfDay = ""
    quiet_until: TimeOfDay = ""
    turns: ByPush = ""
    reminders: Literal["", "at_once", "never"] = ""
    messages: ByPush = ""
    results: ByPush = ""
    challenges: ByPush = ""

    def chosen(self, before: NotificationSettings) -> NotificationSettings:
        """What is stored, instead of `before`. Raises Problem (400)."""
        if self.zone and self.zone not in zone_names():
            raise Problem(400, "unknown_zone")
        if bool(self.quiet_from) != bool(self.quiet_until):
            raise Problem(400, "half_quiet")
        kinds = (self.turns, self.reminders, self.messages, self.results, self.challenges)
        asked = dict(zip(KINDS, kinds, strict=True))
        chosen = {kind: Frequency(how or push_frequency(before.silent, kind)) for kind, how in asked.items()}
        return NotificationSettings(
            before.owner, self.zone, _minute(self.quiet_from), _minute(self.quiet_until), silent_wishes(chosen)
        )


async def store_notification_settings(request: web.Request, owner: str) -> None:
    """Stores what a page sends. Raises Problem."""
    form, store = await read_fields(request, NotificationSettingsForm), request.app[SITE].store.notification_settings
    await store.keep(form.chosen(await store.of(owner)))


def notification_settings_shown(settings: NotificationSettings) -> dict[str, Any]:
    """The settings as the page shows them: times as "22:00", "" for none; how often web push tells each kind."""
    quiet = settings.quiet_from != settings.quiet_until
    return {
        "zone": settings.zone,
        "quiet_from": _time_of_day(settings.quiet_from) if quiet else "",
        "quiet_until": _time_of_day(settings.quiet_until) if quiet else "",
        "by_push": {kind: push_frequency(settings.silent, kind) for kind in KINDS},
    }


def _minute(time_of_day: str) -> int:
    hours, _, minutes = (time_of_day or "0:0").partition(":")
    return int(hours) * 60 + int(minutes)


def _time_of_day(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


async def end_session(request: web.Request) -> web.Response:
    """POST /account/sessions/end: session, a hash. One that is over already is no fault."""
    visitor = await require_account(request)
    form = await read_fields(request, SessionToEnd)
    await request.app[ACCOUNTS].end_session(visitor, form.session)
    if form.session != visitor.key:
        return see_other(f"{ACCOUNT}?ended#sessions-title")
    response = see_other("/sign-in")
    request.app[SITE].sessions.forget(response)
    return response


async def sign_out_everywhere(request: web.Request) -> web.Response:
    """POST /account/sign-out-everywhere."""
    site = request.app[SITE]
    await request.app[ACCOUNTS].sign_out_everywhere(await require_account(request))
    response = see_other("/sign-in")
    site.sessions.forget(response)
    return response


async def delete(request: web.Request) -> web.Response:
    """POST /account/delete: password."""
    site = request.app[SITE]
    visitor = await require_account(request)
    form = await read_fields(request, Confirmation)
    try:
        await request.app[ACCOUNTS].delete(visitor, form.password)
    except (NotAllowed, Problem) as problem:
        return await show_account(request, visitor, problem, "delete")
    response = see_other("/sign-in?deleted")
    site.sessions.forget(response)
    return response


async def export(request: web.Request) -> web.Response:
    """GET /account/export: everything that the site keeps about this person, as a JSON file."""
    site = request.app[SITE]
    visitor = await require_account(request)
    body = orjson.dumps(await own_data(site, request.app[ACCOUNTS], visitor), option=orjson.OPT_INDENT_2)
    headers = {"Content-Disposition": f'attachment; filename="fairyhouse-{visitor.user.name}.json"'}
    answer = web.Response(body=body, headers=headers, content_type="application/json", charset="utf-8")
    return compressed(answer, len(body))


async def require_account(request: web.Request, page: str = ACCOUNT) -> Visitor:
    """The person who is signed in. Redirects everybody else to the sign-in page, which leads to `page`."""
    visitor = await request.app[SITE].sessions.member(request)
    if visitor is None:
        raise web.HTTPSeeOther(f"/sign-in?next={page}")
    return visitor


async def answer(request: web.Request, template: str, problem: Refusal | None, **shown: Any) -> web.Response:
    """The page, with the status of `problem` if there is one."""
    return with_status(await as_page(request, template, problem=problem, **shown), problem)


def see_other(path: str) -> web.Response:
    """The answer that leads a browser from a form to `path`, which it then gets."""
    return web.Response(status=303, headers={"Location": path})
