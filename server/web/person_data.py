"""What people may ask of a host about their data when they cannot sign in: to have it, to have their address
corrected, and to be deleted.

A page of the desk for hosts alone, by their password; what was done is in the log, before it is done. A plain form for
each, which works without a script.
"""

from typing import Annotated, Final

import orjson
from aiohttp import web
from pydantic import Field

from server.games.desk import Deed, DeskEntry, Room
from server.games.errors import NotAllowed
from server.games.player import Player
from server.realtime.runtime.ids import new_id
from server.rules.errors import Refusal
from server.settings import parse_mailbox
from server.storage.tables.accounts import Account
from server.web.accounts.account_pages import see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.export import data_of
from server.web.accounts.mail_addresses import MAIL_ADDRESSES
from server.web.budgets.heavy import HEAVY
from server.web.desk import DESK, AtDesk, DeedId, at_desk, line_key, required_seat, show_room
from server.web.forms import Form, NameField, Password, read_fields
from server.web.languages import language_of
from server.web.rendering.answers import compressed
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE

DATA: Final = f"{DESK}/people/data"


class DataForm(Form):
    """`id`: of the deed. `person`: whose data, an id. `password`: of the host."""

    id: DeedId
    person: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,40}$")]
    password: Password


class AddressForm(DataForm):
    """`old`: the address that goes, "" for none; `new`: the one that their owner is asked to confirm, "" for none."""

    old: Annotated[str, Field(max_length=300)] = ""
    new: Annotated[str, Field(max_length=300)] = ""


class DeletionForm(DataForm):
    """`name`: of the account, typed once more."""

    name: NameField


@at_desk(Room.ROLES)
async def data_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/people/data: what can be done about somebody's data. `?person=`: whose. `?done`: what was done."""
    account = await find_account(request, request.query.get("person", "")[:40])
    return await show_data(request, seat, account)


async def find_account(request: web.Request, person: str) -> Account:
    """Raises Problem (404): nobody with an account has that id; Unavailable."""
    found = await request.app[SITE].store.accounts.of_user(person)
    if found is None:
        raise Problem(404, "no_player")
    return found


async def show_data(
    request: web.Request, seat: AtDesk, account: Account, problem: Refusal | None = None, about: str = ""
) -> web.Response:
    """The forms, with what was wrong `about` one of them."""
    own = await request.app[SITE].store.addresses.of(account.user) if MAIL_ADDRESSES in request.app else None
    page = await show_room(
        request,
        seat,
        "desk/data.html",
        problem=problem,
        about=about,
        account=account,
        id=new_id(),
        addresses=None if own is None else [one.address for one in own],
        bearer=seat.desk.role_of(account.user) is not None,
        done=request.query.get("done", "")[:20],
    )
    return with_status(page, problem)


async def _begin(
    request: web.Request, form: DataForm, deed: Deed, about: str
) -> tuple[AtDesk, Account, web.Response | None]:
    """Who does it, to whose data, and what is answered instead if the password is wrong; else it is in the log now."""
    site, seat = request.app[SITE], await required_seat(request, Room.ROLES)
    account = await find_account(request, form.person)
    try:
        await request.app[ACCOUNTS].confirmed(seat.visitor, seat.account, form.password)
        if deed is Deed.DELETED and seat.desk.role_of(account.user) is not None:
            raise Problem(403, "data_of_bearer")
    except Problem as problem:
        return seat, account, await show_data(request, seat, account, problem, about)
    whom, now = Player(account.user, account.name), site.now()
    said = orjson.dumps(form.model_dump(exclude={"id", "password"})).decode()
    key = await line_key(site.store, f"{deed} {form.id}", seat.player, now, said)
    await site.store.desk.record(DeskEntry(key, now, seat.player, deed, whom))
    return seat, account, None


async def export_data(request: web.Request) -> web.Response:
    """POST /host/people/data/export: all that the site keeps about somebody, as a JSON file."""
    site, form = request.app[SITE], await read_fields(request, DataForm)
    _, account, refused = await _begin(request, form, Deed.EXPORTED, "export")
    if refused is not None:
        return refused
    async with request.app[HEAVY].alone("exports"):
        sessions = await site.store.accounts.sessions(account.user)
        found = await data_of(site.store, site.settings.address, account, sessions, site.now())
    body = orjson.dumps(found, option=orjson.OPT_INDENT_2)
    headers = {"Content-Disposition": f'attachment; filename="fairyhouse-{account.name}.json"'}
    answer = web.Response(body=body, headers=headers, content_type="application/json", charset="utf-8")
    return compressed(answer, len(body))


async def correct_address(request: web.Request) -> web.Response:
    """POST /host/people/data/address: one address goes, and their owner is asked to confirm another one."""
    form = await read_fields(request, AddressForm)
    if MAIL_ADDRESSES not in request.app:
        raise Problem(404, "not_found")
    seat = await required_seat(request, Room.ROLES)
    account = await find_account(request, form.person)
    try:
        new = parse_mailbox(form.new) if form.new.strip() or not form.old else ""
    except ValueError:
        return await show_data(request, seat, account, Problem(400, "bad_mailbox"), "address")
    _, account, refused = await _begin(request, form, Deed.CORRECTED, "address")
    if refused is not None:
        return refused
    try:
        await request.app[MAIL_ADDRESSES].correct_address(account, form.old, new, language_of(request))
    except Problem as problem:
        return await show_data(request, seat, account, problem, "address")
    return see_other(f"{DATA}?person={account.user}&done=address")


async def delete_person(request: web.Request) -> web.Response:
    """POST /host/people/data/delete: the account is deleted as if its owner had done so."""
    form = await read_fields(request, DeletionForm)
    seat = await required_seat(request, Room.ROLES)
    account = await find_account(request, form.person)
    if form.name.casefold() != account.name.casefold():
        return await show_data(request, seat, account, Problem(400, "data_other_name"), "delete")
    _, account, refused = await _begin(request, form, Deed.DELETED, "delete")
    if refused is not None:
        return refused
    try:
        await request.app[ACCOUNTS].delete_for_owner(account, seat.player)
    except (NotAllowed, Problem) as problem:
        return await show_data(request, seat, account, problem, "delete")
    return see_other(f"{DESK}/people?done")
