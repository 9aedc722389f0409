"""Telling the host about somebody: a short form, of a person by name or of a player of a game, who may be a guest.

Nobody else reads what is written. Works without a script.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.clocks.time_control import DAY_MS
from server.games.game_id import own_id
from server.games.people import LONGEST_REPORT, Report, ReportKind, SaidLine, TieKind, check_report
from server.games.player import Player
from server.realtime.play.chat import ChatForm, clean
from server.realtime.runtime.ids import digest
from server.rules.errors import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate
from server.web.accounts.account_pages import see_other
from server.web.budgets.callers import address_key
from server.web.budgets.limits import charge
from server.web.forms import Form, read_fields, read_page_query
from server.web.people.ties import tie_shown
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site, round_of, with_cookie

TEXT: Final = ChatForm(LONGEST_REPORT, line_breaks=True)
ATTACHED: Final = 20
"""Lines of the chat of the game that a report takes along: they are kept with it, whatever becomes of the game."""
SIDES: Final = {"white": Color.WHITE, "black": Color.BLACK}


class SubjectForm(Form):
    """`name`: a registered person; or `game` and `side`: whoever plays that side in it."""

    name: Annotated[str, Field(max_length=20)] = ""
    game: Annotated[str, Field(pattern=r"^(?:[0-9A-Za-z]{10})?$")] = ""
    side: Literal["", "white", "black"] = ""


class ReportForm(SubjectForm):
    """The form as it is sent. `also_block`: the other is to be blocked, too. Line breaks count as two characters."""

    kind: Literal["cheating", "insults", "other"]
    text: Annotated[str, Field(max_length=4 * LONGEST_REPORT)] = ""
    also_block: Literal["", "yes"] = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a report is about, and in which game ("" for none)."""

    about: Player
    game: str


async def report_page(request: web.Request) -> web.Response:
    """GET /report?name= or ?game=&side=; `?sent`: after a report was taken."""
    if "sent" in request.query:
        return await as_page(request, "people/report.html", sent=True, problem=None)
    whom = read_page_query(request, SubjectForm)
    return await show_form(request, await subject_of(request, whom), whom)


async def report(request: web.Request) -> web.Response:
    """POST /report: name, or game and side; kind, text, also_block."""
    site = request.app[SITE]
    form = await read_fields(request, ReportForm)
    subject = await subject_of(request, form)
    visitor = await site.sessions.require(request)
    try:
        await take(request, site, visitor, form, subject)
    except Refusal as refusal:
        return with_cookie(site, visitor, await show_form(request, subject, form, refusal, form.text))
    return with_cookie(site, visitor, see_other("/report?sent"))


async def take(request: web.Request, site: Site, visitor: Visitor, form: ReportForm, subject: Subject) -> None:
    """Stores what was told. Raises NotAllowed, Problem (429), Unavailable."""
    now, written = site.now(), form.text.replace("\r\n", "\n").strip()
    if len(written) > LONGEST_REPORT:
        raise Problem(400, "report_too_long", most=LONGEST_REPORT)
    same = (visitor.user.id, subject.about.id, form.kind, subject.game, str(now // DAY_MS), written)
    # The id is that of the words, so that a form that is sent again is one report.
    report_id = own_id(int(digest("\n".join(same)), 16))
    said = await site.store.chat(subject.game, ATTACHED) if subject.game else ()
    told = Report(
        *(report_id, visitor.player, subject.about, ReportKind(form.kind), subject.game, clean(written, TEXT)),
        at=now,
        lines=tuple(SaidLine(line.at, line.player, line.name, line.text) for line in said),
    )
    check_report(told)
    charge(site.limits.reports, visitor.user.id, now, shared_by=address_key(request, site.settings))
    charge(site.limits.reports_in_all, address_key(request, site.settings), now)
    if form.also_block:
        await site.live.ties.make_tie(visitor.user.id, TieKind.BLOCKS, subject.about)
    with suppress(Duplicate):
        await site.store.reports.add(told)


async def subject_of(request: web.Request, whom: SubjectForm) -> Subject:
    """Raises Problem (404; 429 for guessing games) if there is nobody like that, or no longer; Unavailable."""
    site, about = request.app[SITE], None
    if whom.game and whom.side:
        about = (await round_of(request, whom.game)).game.player(SIDES[whom.side])
    elif whom.name and (account := await site.store.accounts.find(whom.name)) is not None:
        about = Player(account.user, account.name)
    if about is None or not about.id or about.deleted:
        raise Problem(404, "no_player")
    return Subject(about, whom.game)


async def show_form(
    request: web.Request, subject: Subject, whom: SubjectForm, problem: Refusal | None = None, text: str = ""
) -> web.Response:
    """`problem`: why what was written, `text`, was not taken."""
    site = request.app[SITE]
    tie = await tie_shown(site, await site.sessions.find(request), subject.about.id)
    page = await as_page(
        request,
        "people/report.html",
        sent=False,
        problem=problem,
        about=subject.about.name,
        blocked=tie.blocks,
        whom=whom,
        text=text,
        kinds=list(ReportKind),
        longest=LONGEST_REPORT,
    )
    return with_status(page, problem)
