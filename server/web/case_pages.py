"""The desk's page of reports, grouped by the person they are about, the weightiest first.

Opening a case takes it for fifteen minutes, so that no two people decide it. It leads to a sanction, which closes the
reports in the same write, or is closed without one. Plain forms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.desk import Deed, DeskEntry, Room
from server.games.people import Outcome, Report, has_account, weight_of
from server.games.player import Player
from server.games.sanctions import Reason
from server.storage.tables.reports import ReportCase
from server.web.accounts.account_pages import see_other
from server.web.accounts.export import instant
from server.web.desk import DESK, AtDesk, at_desk, required_seat, show_room
from server.web.forms import Form, read_fields
from server.web.sanctions import PersonId, check_case, form_shown
from server.web.site import SITE, Site

REPORTS: Final = f"{DESK}/reports"
MOST_WEIGHED: Final = 2_000
"""Open reports that are looked at; more wait until some of these are closed."""
SHOWN: Final = 200
"""Cases on the page, which are the weightiest."""
REASONS: Final = {"cheating": Reason.CHEATING, "insults": Reason.INSULT, "other": Reason.OTHER}
"""The reason that the form of a sanction proposes, by the kind of report."""


class CaseNamed(Form):
    """`about`: the id of a person."""

    about: PersonId


class Verdict(CaseNamed):
    """`read`: when the reports were read (ms); later ones stay open."""

    read: Annotated[str, Field(pattern=r"^[0-9]{1,15}$")]
    outcome: Literal["upheld", "not_upheld", "unclear"]


@dataclass(frozen=True, slots=True)
class Case:
    """The open `reports` about a person. `weight`: from 1 to 100. `taken`: who handles them, None for nobody."""

    about: Player
    reports: Sequence[Report]
    weight: int
    taken: ReportCase | None

    @property
    def reporters(self) -> int:
        """How many different people reported them."""
        return len({one.by.id for one in self.reports})


@at_desk(Room.REPORTS)
async def reports_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/reports: the cases. `?about=`: the case that the form takes. `?done`: after one was closed."""
    site, now = request.app[SITE], request.app[SITE].now()
    about = request.query.get("about", "")[:40]
    if about:
        reports = await site.store.reports.about(about)
        if not reports:
            return see_other(f"{REPORTS}?done")
        case = (await cases_of(site, reports))[0]
        mine = case.taken is not None and case.taken.taker.id == seat.player.id
        records = await site.store.reports.records_of({one.by.id for one in reports})
        filled = {"place": next((one.game for one in reports if one.game), ""), "upheld": str(now)}
        return await show_room(
            request,
            seat,
            "desk/case.html",
            case=case,
            person=case.about,
            has_account=has_account,
            mine=mine,
            until=instant(case.taken.until)[11:16] if case.taken else "",
            records=records,
            told=[(instant(one.at)[:16].replace("T", " "), one) for one in reports],
            said=[(instant(line.at)[11:16], line) for line in reports[-1].lines],
            past=len(await site.store.sanctions.of(about)),
            read=now,
            problem=None,
            deciding=form_shown(case.about, {**filled, "reason": REASONS[reports[-1].kind]}),
        )
    cases = await cases_of(site, await site.store.reports.open(MOST_WEIGHED))
    return await show_room(request, seat, "desk/reports.html", cases=cases[:SHOWN], done="done" in request.query)


async def cases_of(site: Site, reports: Sequence[Report]) -> Sequence[Case]:
    """The reports as cases, the weightiest first. Raises Unavailable."""
    now, taken = site.now(), await site.store.reports.cases()
    reporters = {one.by.id for one in reports}
    records = await site.store.reports.records_of(reporters)
    spread = await site.store.reports.spread_of(reporters)
    grouped: dict[str, list[Report]] = {}
    for one in reports:
        grouped.setdefault(one.about.id, []).append(one)
    cases = [_case(own, weight_of(own, records, spread), taken, now) for own in grouped.values()]
    return sorted(cases, key=lambda case: (-case.weight, case.reports[0].at))


def _case(reports: Sequence[Report], weight: int, taken: Mapping[str, ReportCase], now: int) -> Case:
    about, found = reports[0].about, taken.get(reports[0].about.id)
    return Case(about, reports, weight, found if found and now < found.until else None)


async def take_case(request: web.Request) -> web.Response:
    """POST /host/reports/take: about. Takes that person's case for fifteen minutes."""
    site, form = request.app[SITE], await read_fields(request, CaseNamed)
    seat = await required_seat(request, Room.REPORTS)
    await site.store.reports.take_case(form.about, seat.player, site.now())
    return see_other(f"{REPORTS}?about={form.about}")


async def leave_case(request: web.Request) -> web.Response:
    """POST /host/reports/leave: about. Lets others take the case."""
    site, form = request.app[SITE], await read_fields(request, CaseNamed)
    seat = await required_seat(request, Room.REPORTS)
    await site.store.reports.leave_case(form.about, seat.player.id)
    return see_other(REPORTS)


async def close_case(request: web.Request) -> web.Response:
    """POST /host/reports/close: about, read, outcome: without a decision about the person."""
    site, form = request.app[SITE], await read_fields(request, Verdict)
    seat = await required_seat(request, Room.REPORTS)
    await check_case(site, form.about, seat)
    reports = [one for one in await site.store.reports.about(form.about) if one.at <= int(form.read)]
    if reports:
        entry = DeskEntry(
            *(f"report {reports[-1].id}", site.now(), seat.player, Deed.REPORT, reports[0].about),
            detail=f"{form.outcome} {len(reports)}",
        )
        step = site.store.desk.entry_step(entry)
        await site.store.reports.decide(form.about, int(form.read), site.now(), Outcome(form.outcome), step)
    return see_other(f"{REPORTS}?done")
