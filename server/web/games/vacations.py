"""One's own vacations: the form on the page of one's games, which works without a script, and the API.

Days are those of UTC. What somebody may take is decided in `games.vacations`, what it does in
`realtime.services.vacations`.
"""

from datetime import date
from typing import Annotated, Final

from aiohttp import web
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from server.games.clocks.vacations import Allowance, NoVacation
from server.mail.inbound.mail_commands import AskVacation, TakeVacation
from server.web.accounts.account_pages import see_other
from server.web.accounts.accounts import ACCOUNTS
from server.web.budgets.limits import charge
from server.web.forms import Form, read_fields, read_form
from server.web.games.your_games import own_games_page
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site

MINE: Final = "/games/mine"


def iso_day(text: str) -> str:
    """Raises ValueError for what is no day such as 2026-08-03."""
    date.fromisoformat(text)
    return text


class LastDay(Form):
    """`until`: the last day of a vacation, as 2026-08-03."""

    until: Annotated[str, Field(min_length=10, max_length=10), AfterValidator(iso_day)]


class VacationJson(TypedDict):
    """`until`: the last day of the present vacation, null for who is here; `days`, `left`: in this year.

    `latest`: the last day that the present vacation, or one that begins now, may have; null: none.
    """

    until: str | None
    latest: str | None
    days: int
    left: int


@described(answers={200: VacationJson})
async def read_vacation(request: web.Request) -> web.Response:
    """GET /api/me/vacation: until when one is on vacation, and how many days are left."""
    return await _answer(request.app[SITE], await _owner(request))


@described(body=LastDay, answers={200: VacationJson})
async def take_vacation(request: web.Request) -> web.Response:
    """POST /api/me/vacation: go away, or change until when."""
    form = await read_form(request, LastDay)
    owner = await _owner(request)
    await _go_away(request.app[SITE], owner, date.fromisoformat(form.until))
    return await _answer(request.app[SITE], owner)


@described(answers={200: VacationJson}, refused=(400,))
async def end_vacation(request: web.Request) -> web.Response:
    """DELETE /api/me/vacation: come back; does nothing for who is here."""
    owner = await _owner(request)
    await _come_back(request.app[SITE], owner)
    return await _answer(request.app[SITE], owner)


async def take_vacation_by_form(request: web.Request) -> web.Response:
    """POST /games/mine/vacation: until."""
    form = await read_fields(request, LastDay)
    owner = await _owner(request)
    try:
        await _go_away(request.app[SITE], owner, date.fromisoformat(form.until))
    except (NoVacation, Problem) as problem:
        return await own_games_page(request, problem)
    return see_other(MINE)


async def end_vacation_by_form(request: web.Request) -> web.Response:
    """POST /games/mine/vacation/end"""
    await _come_back(request.app[SITE], await _owner(request))
    return see_other(MINE)


async def vacation_by_mail(site: Site, owner: str, wanted: TakeVacation | AskVacation) -> Allowance:
    """Does what somebody with an account (an id) writes by mail. Raises NoVacation, Problem (429), Unavailable."""
    match wanted:
        case TakeVacation(None):
            await _come_back(site, owner)
        case TakeVacation(date() as last):
            await _go_away(site, owner, last)
        case _:
            pass
    return await site.live.vacations.allowance_of(owner)


async def _owner(request: web.Request) -> str:
    """The id of whoever has an account. Raises Problem (403)."""
    visitor = await request.app[SITE].sessions.find(request)
    if visitor is None:
        raise Problem(403, "not_registered")
    return (await request.app[ACCOUNTS].of(visitor)).user


async def _go_away(site: Site, owner: str, last: date) -> None:
    charge(site.limits.vacations, owner, site.now())
    await site.live.vacations.go_away(owner, last)


async def _come_back(site: Site, owner: str) -> None:
    charge(site.limits.vacations, owner, site.now())
    await site.live.vacations.come_back(owner)


async def _answer(site: Site, owner: str) -> web.Response:
    return as_json(_as_json(await site.live.vacations.allowance_of(owner)))


def _as_json(allowance: Allowance) -> VacationJson:
    return {
        "until": allowance.last.isoformat() if allowance.last else None,
        "latest": allowance.latest.isoformat() if allowance.latest else None,
        "days": allowance.allowed,
        "left": allowance.left,
    }
