"""The account pages: plain forms that work without a script. accounts.py decides what they do.

A refused form is shown again with the reason and what was typed, but never a password; an accepted one redirects with
303, so that reloading does nothing twice.
"""

from typing import Any

import orjson
from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.mail.wishes import CHOICES, KINDS, how_often
from server.refusal import Refusal
from server.storage.tables.addresses import MailAddress
from server.web.accounts import notification_settings
from server.web.accounts.account_names import BadName
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.export import instant, own_data
from server.web.accounts.passwords import LONGEST, SHORTEST, BadPassword
from server.web.accounts.personal_addresses import write_to
from server.web.forms.page_forms import (
    Confirmation,
    Credentials,
    FlaggingChoice,
    NewPassword,
    local_address,
    read_fields,
)
from server.web.preferences.kept import bring_along
from server.web.rendering.answers import as_page, compressed
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE, with_cookie

ACCOUNT = "/account"


async def register_page(request: web.Request) -> web.Response:
    """GET /register: a name and a password, nothing else."""
    return await credentials_page(request, "accounts/register.html")


async def sign_in_page(request: web.Request) -> web.Response:
    """GET /sign-in. `?deleted`: after an account was deleted; `?recovered`: after a new password was chosen by mail."""
    return await credentials_page(request, "accounts/sign_in.html")


async def credentials_page(request: web.Request, template: str) -> web.Response:
    """The form; whoever is signed in is redirected to the account."""
    if await request.app[SITE].sessions.member(request) is not None:
        raise web.HTTPSeeOther(ACCOUNT)
    return await show_credentials(request, template)


async def register(request: web.Request) -> web.Response:
    """POST /register: name, password, next. Without a next page, the front page says that there is an account."""
    site = request.app[SITE]
    form = await read_fields(request, Credentials)
    try:
        visitor = await request.app[ACCOUNTS].register(request, form.name, form.password)
    except (BadName, BadPassword, Problem) as problem:
        return await show_credentials(request, "accounts/register.html", problem, form)
    await bring_along(request, site.store, visitor)
    return with_cookie(site, visitor, see_other(form.next or "/?registered"))


async def sign_in(request: web.Request) -> web.Response:
    """POST /sign-in: name, password, next. After a reset by the host, people choose a password first."""
    site = request.app[SITE]
    form = await read_fields(request, Credentials)
    try:
        visitor = await request.app[ACCOUNTS].sign_in(request, form.name, form.password)
    except Problem as problem:
        return await show_credentials(request, "accounts/sign_in.html", problem, form)
    account = await request.app[ACCOUNTS].of(visitor)
    return with_cookie(site, visitor, see_other(form.next or "/" if account.password else ACCOUNT))


async def account_page(request: web.Request) -> web.Response:
    """GET /account. `?changed`: after a new password; `?saved`: of choices for games; `?mailed`: after a link was
    sent to a new mail address.
    """
    visitor = await require_account(request)
    return await show_account(request, visitor)


async def change_password(request: web.Request) -> web.Response:
    """POST /account/password: old, new."""
    site = request.app[SITE]
    visitor = await require_account(request)
    form = await read_fields(request, NewPassword)
    try:
        changed = await request.app[ACCOUNTS].change_password(visitor, form.old, form.new)
    except (BadPassword, Problem) as problem:
        return await show_account(request, visitor, problem, "password")
    return with_cookie(site, changed, see_other(f"{ACCOUNT}?changed"))


async def choose_notification_settings(request: web.Request) -> web.Response:
    """POST /account/notifications: zone, quiet_from, quiet_until; turns, reminders, results, challenges by web push."""
    visitor = await require_account(request)
    try:
        await notification_settings.choose(request, request.app[SITE], visitor.user.id)
    except Problem as problem:
        return await show_account(request, visitor, problem, "told")
    return see_other(ACCOUNT)


async def choose_flagging(request: web.Request) -> web.Response:
    """POST /account/games: by_hand."""
    visitor = await require_account(request)
    form = await read_fields(request, FlaggingChoice)
    await request.app[ACCOUNTS].choose_flagging(visitor, by_hand=form.by_hand == "yes")
    return see_other(f"{ACCOUNT}?saved#games-title")


async def sign_out(request: web.Request) -> web.Response:
    """POST /sign-out: signs this browser out."""
    site = request.app[SITE]
    visitor = await site.sessions.member(request)
    response = see_other("/")
    if visitor is not None:
        await request.app[ACCOUNTS].sign_out(visitor)
        site.sessions.forget(response)
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
    except Problem as problem:
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


async def show_credentials(
    request: web.Request, template: str, problem: Refusal | None = None, form: Credentials | None = None
) -> web.Response:
    """The form, filled in as in `form` with what was wrong about it."""
    name, path = (form.name, form.next) if form else ("", local_address(request.query.get("next", "")))
    shown = {"shortest": SHORTEST, "longest": LONGEST}
    shown |= {"deleted": "deleted" in request.query, "recovered": "recovered" in request.query}
    return await answer(request, template, problem, name=name, next=path, **shown)


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
            "here": one.token_hash == visitor.key,
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
        "mail_choices": CHOICES,
        "addresses": [address_shown(one) for one in own],
        "write_to": write_to(request, account.name, own),
        "ties": await site.store.ties.of(account.user),
        "told": notification_settings.shown(await site.store.notification_settings.of(account.user)),
        "shortest": SHORTEST,
        "longest": LONGEST,
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


async def answer(request: web.Request, template: str, problem: Refusal | None, **shown: Any) -> web.Response:
    """The page, with the status of `problem` if there is one."""
    return with_status(await as_page(request, template, problem=problem, **shown), problem)


def see_other(path: str) -> web.Response:
    """The answer that leads a browser from a form to `path`, which it then gets."""
    return web.Response(status=303, headers={"Location": path})
