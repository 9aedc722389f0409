"""The pages and forms about mail: one's addresses, and where the links in mails lead. They work without a script.

A GET changes nothing, since scanners of mail open every link. A link's token stands behind its #, where no log sees
it; a script puts it into the form, and without scripts people paste it. Only the link that ends mail has its token in
the path, as RFC 8058 wants it; all that it can do is end mail.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.mail.tokens import LONGEST_TOKEN
from server.mail.wishes import KINDS, Frequency, wishes_for
from server.settings import LONGEST_MAILBOX
from server.web.accounts.account_pages import ACCOUNT, answer, require_account, see_other, show_account
from server.web.accounts.credentials import SHORTEST, BadPassword
from server.web.accounts.mail_addresses import MAIL_ADDRESSES, RECOVERY
from server.web.forms import Form, NameField, Password, read_body, read_fields
from server.web.languages import language_of
from server.web.rendering.problems import Problem

AddressField = Annotated[str, Field(max_length=LONGEST_MAILBOX)]
Token = Annotated[str, Field(max_length=LONGEST_TOKEN)]
ChosenFrequency = Literal["", "on", "at_once", "hourly", "daily", "never"]
"""How often to tell. "on": at once, as pages said that were opened before there was a choice; "": they said nothing."""
OnTime = Literal["", "at_once", "never"]
"""The same for what cannot wait."""
ONE_CLICK: Final = (b"List-Unsubscribe", b"One-Click")
"""The field and its value, in either encoding of forms (RFC 8058, 3.2)."""


class WishesForm(Form):
    """What to tell at an address."""

    address: AddressField
    turns: ChosenFrequency = ""
    reminders: OnTime = ""
    messages: ChosenFrequency = ""
    results: ChosenFrequency = ""
    challenges: ChosenFrequency = ""
    letters: Literal["", "pbmserv"] = ""

    def chosen(self) -> tuple[str, ...]:
        """The wishes as they are stored."""
        kinds = (self.turns, self.reminders, self.messages, self.results, self.challenges)
        asked = dict(zip(KINDS, kinds, strict=True))
        chosen = {kind: "at_once" if how == "on" else how for kind, how in asked.items() if how}
        return wishes_for({kind: Frequency(how) for kind, how in chosen.items()})


class NewAddress(WishesForm):
    password: Password


class OneAddress(Form):
    address: AddressField


class WithToken(Form):
    token: Token


class NewPasswordByToken(Form):
    token: Token
    new: Password


class Forgotten(Form):
    name: NameField


async def add_address(request: web.Request) -> web.Response:
    """POST /account/mail: address, password, and what is to be told there."""
    visitor = await require_account(request)
    form = await read_fields(request, NewAddress)
    try:
        added = await request.app[MAIL_ADDRESSES].add_address(
            visitor, form.address, form.password, form.chosen(), form.letters, language_of(request)
        )
    except Problem as problem:
        return await show_account(request, visitor, problem, "mail")
    return see_other(ACCOUNT if added.in_effect else f"{ACCOUNT}?mailed")


async def choose_wishes(request: web.Request) -> web.Response:
    """POST /account/mail/wishes: address, and what is to be told there."""
    visitor = await require_account(request)
    form = await read_fields(request, WishesForm)
    await request.app[MAIL_ADDRESSES].choose_wishes(visitor, form.address, form.chosen(), form.letters)
    return see_other(ACCOUNT)


async def remove_address(request: web.Request) -> web.Response:
    """POST /account/mail/remove: address."""
    visitor = await require_account(request)
    form = await read_fields(request, OneAddress)
    await request.app[MAIL_ADDRESSES].remove_address(visitor, form.address)
    return see_other(ACCOUNT)


async def confirm_page(request: web.Request) -> web.Response:
    """GET /mail/confirm"""
    return await answer(request, "accounts/mail_confirm.html", None, done=False)


async def confirm(request: web.Request) -> web.Response:
    """POST /mail/confirm: token."""
    form = await read_fields(request, WithToken)
    try:
        await request.app[MAIL_ADDRESSES].confirm_address(form.token.strip())
    except Problem as problem:
        return await answer(request, "accounts/mail_confirm.html", problem, done=False)
    return await answer(request, "accounts/mail_confirm.html", None, done=True)


async def forgotten_page(request: web.Request) -> web.Response:
    """GET /forgotten"""
    return await answer(request, "accounts/forgotten.html", None, done=False)


async def forgotten(request: web.Request) -> web.Response:
    """POST /forgotten: name. The answer does not tell whether there is such an account."""
    form = await read_fields(request, Forgotten)
    request.app[RECOVERY].send_link(form.name, language_of(request))
    return await answer(request, "accounts/forgotten.html", None, done=True)


async def password_page(request: web.Request) -> web.Response:
    """GET /mail/password"""
    return await answer(request, "accounts/mail_password.html", None, done=False, shortest=SHORTEST)


async def set_password(request: web.Request) -> web.Response:
    """POST /mail/password: token, new."""
    form = await read_fields(request, NewPasswordByToken)
    try:
        await request.app[RECOVERY].set_password(form.token.strip(), form.new)
    except (BadPassword, Problem) as problem:
        return await answer(request, "accounts/mail_password.html", problem, done=False, shortest=SHORTEST)
    return see_other("/sign-in?recovered")


async def unsubscribe_page(request: web.Request) -> web.Response:
    """GET /mail/unsubscribe/{token}"""
    return await answer(request, "accounts/unsubscribe.html", None, done=False)


async def unsubscribe(request: web.Request) -> web.Response:
    """POST /mail/unsubscribe/{token}"""
    return await end_by_one_click(request, "accounts/unsubscribe.html", request.app[MAIL_ADDRESSES].unsubscribe)


async def end_by_one_click(request: web.Request, page: str, end: Callable[[str], Awaitable[None]]) -> web.Response:
    """Ends some kind of mail. The body is List-Unsubscribe=One-Click, sent by a mail program (RFC 8058) or the page."""
    body = await read_body(request)
    if not all(part in body for part in ONE_CLICK):
        raise Problem(400, "bad_request", detail="The body is List-Unsubscribe=One-Click.")
    try:
        await end(request.match_info["token"])
    except Problem as problem:
        return await answer(request, page, problem, done=False)
    return await answer(request, page, None, done=True)
