"""Sanctions over HTTP: the desk's page about people, and the page on which a person reads their sanctions and appeals.

Plain forms that work without a script. A sanction is shown as the person will read it before it is imposed. The form
carries the id of the sanction, so that sending it twice imposes one. A person who is shut out counts as nobody on this
site, but can still read why on their page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.desk import Room
from server.games.errors import DecisionRefused, NotAllowed
from server.games.people import has_account
from server.games.player import Player
from server.games.sanctions import (
    LENGTHS,
    LONGEST_APPEAL,
    LONGEST_WORDS,
    NETWORK_LENGTHS,
    OF_GUESTS,
    USUAL,
    Measure,
    Reason,
    Sanction,
    check_sanction,
    end_of,
)
from server.realtime.play.chat import ChatForm, clean
from server.realtime.runtime.ids import new_id
from server.realtime.services.sanctions import appeal_sanction, impose_sanction, keep_sanction, lift_sanction
from server.rules.errors import Refusal
from server.storage.tables.table import Step
from server.web.accounts.account_pages import see_other
from server.web.accounts.export import instant
from server.web.budgets.limits import charge
from server.web.desk import DESK, AtDesk, at_desk, log_shown, required_seat, show_room
from server.web.forms import Form, read_fields
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site

PEOPLE: Final = f"{DESK}/people"
WORDS: Final = ChatForm(LONGEST_WORDS, line_breaks=True)
APPEAL: Final = ChatForm(LONGEST_APPEAL, line_breaks=True)
SHOWN: Final = 50
"""Sanctions listed on the page of people, and lines of the log about one person."""
ID: Final = r"^[0-9A-Za-z]{1,40}$"
PersonId = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,40}$")]
SanctionId = Annotated[str, Field(pattern=ID)]


class SanctionForm(Form):
    """`id`: that of the new sanction. `person`: the id of the person. `length`, `network`: keys of LENGTHS and
    NETWORK_LENGTHS. `upheld`: when the open reports about them were read (ms), which the sanction upholds; "": none.
    `sure`: it has been shown, and is to be imposed or changed. Line breaks count as two characters.
    """

    id: SanctionId
    person: PersonId
    measure: Literal["warn", "mute_here", "mute", "hide", "unrated", "tournaments", "suspend", "close"]
    reason: Literal["insult", "spam", "shaming", "cheating", "stalling", "other"]
    words: Annotated[str, Field(max_length=4 * LONGEST_WORDS)] = ""
    length: Annotated[str, Field(max_length=8)] = ""
    place: Annotated[str, Field(pattern=r"^(?:[0-9A-Za-z]{10})?$")] = ""
    network: Literal["", "1h", "1d", "7d"] = ""
    upheld: Annotated[str, Field(pattern=r"^[0-9]{0,15}$")] = ""
    sure: Literal["", "yes", "change"] = ""


class SanctionNamed(Form):
    sanction: SanctionId


class AppealForm(SanctionNamed):
    text: Annotated[str, Field(max_length=4 * LONGEST_APPEAL)] = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A sanction as the person reads it. `until`: its day in ISO 8601 and its minute, both in UTC; "" for no end."""

    sanction: Sanction
    day: str
    minute: str


def told(sanction: Sanction) -> Told:
    """The sanction with the words for its end."""
    until = instant(sanction.until) if sanction.until else ""
    return Told(sanction, until[:10], until[11:16])


@at_desk(Room.PEOPLE)
async def people_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/people: who is under which sanction, and appeals. `?name=`: somebody with an account; `?person=`:
    somebody by their id, who may be a guest; `&place=`: a game in which they wrote. `?done`: after something was done.
    """
    asked = request.query.get("name", "").strip()[:64]
    if asked or "person" in request.query:
        try:
            person = await find_person(request.app[SITE], request.query.get("person", "")[:40], asked)
        except Problem as problem:
            return await show_people(request, seat, problem, asked)
        place = request.query.get("place", "")[:10]
        return await show_person(request, seat, person, {"place": place if place.isalnum() else ""})
    return await show_people(request, seat)


async def show_people(
    request: web.Request, seat: AtDesk, problem: Refusal | None = None, name: str = ""
) -> web.Response:
    """The sanctions in force and the undecided appeals. `problem`: nobody has the name `name`."""
    site = request.app[SITE]
    standing = sorted(await site.store.sanctions.standing(site.now()), key=lambda one: -one.at)
    page = await show_room(
        request,
        seat,
        "desk/people.html",
        problem=problem,
        name=name,
        appeals=[told(one) for one in (await site.store.sanctions.appeals())[:SHOWN]],
        standing=[told(one) for one in standing[:SHOWN]],
        more=max(0, len(standing) - SHOWN),
        done="done" in request.query,
    )
    return with_status(page, problem)


async def find_person(site: Site, person: str, name: str = "") -> Player:
    """Somebody by their id, or by the name of their account. Raises Problem (404), Unavailable."""
    if name:
        account = await site.store.accounts.find(name)
        if account is not None:
            return Player(account.user, account.name)
    elif (user := await site.store.accounts.user(person)) is not None:
        return Player(user.id, user.name)
    raise Problem(404, "no_player")


async def show_person(
    request: web.Request, seat: AtDesk, person: Player, filled: Mapping[str, Any], problem: Refusal | None = None
) -> web.Response:
    """The sanctions of a person, and the form for another, `filled` in, with what was wrong about it."""
    site, now = request.app[SITE], request.app[SITE].now()
    own = await site.store.sanctions.of(person.id)
    log = [one for one in await site.store.desk.entries_about(person.id) if one.whom.id == person.id]
    page = await show_room(
        request,
        seat,
        "desk/person.html",
        problem=problem,
        person=person,
        has_page=has_account(person),
        standing=[told(one) for one in own if one.holds(now)],
        past=sum(not one.holds(now) for one in own),
        open_reports=await site.store.reports.count_about(person.id),
        log=log_shown(log[: -SHOWN - 1 : -1]),
        done="done" in request.query,
        deciding=form_shown(person, filled),
    )
    return with_status(page, problem)


def form_shown(person: Player, filled: Mapping[str, Any]) -> dict[str, Any]:
    """What the form about that person needs."""
    usual = {"id": new_id(), "measure": Measure.MUTE, "reason": Reason.INSULT, "words": "", "length": "1d"}
    measures = list(Measure) if has_account(person) else list(OF_GUESTS)
    if not filled.get("place"):
        measures.remove(Measure.MUTE_HERE)
    return {
        "form": {**usual, "place": "", "network": "", "upheld": "", **filled},
        "measures": measures,
        "reasons": list(Reason),
        "lengths": list(LENGTHS),
        "networks": () if has_account(person) else list(NETWORK_LENGTHS),
        "longest": LONGEST_WORDS,
    }


async def decide(request: web.Request) -> web.Response:
    """POST /host/people: imposes a sanction. Without `sure` it is only shown as the person will read it."""
    site, form = request.app[SITE], await read_fields(request, SanctionForm)
    seat, now = await required_seat(request, Room.PEOPLE), request.app[SITE].now()
    person = await find_person(site, form.person)
    filled = form.model_dump(exclude={"sure", "person"})
    if form.sure == "change":
        return await show_person(request, seat, person, filled)
    try:
        sanction = sanction_of(form, person, seat.player, now)
        if not form.sure:
            others = [one for one in await site.store.sanctions.of(person.id) if one.holds(now)]
            check_sanction(sanction, seat.desk, others)
            return await show_room(request, seat, "desk/preview.html", person=person, told=told(sanction), form=filled)
        upheld: Sequence[Step] = ()
        if form.upheld:
            await check_case(site, person.id, seat)
            upheld = (site.store.reports.decide_step(person.id, int(form.upheld), now, "upheld"),)
        network = await site.store.sanctions.network_of_guest(person.id) if form.network else ""
        until = now + NETWORK_LENGTHS[form.network]
        await impose_sanction(site.store, sanction, now, *upheld, network=network, block_until=until)
    except NotAllowed as refusal:
        # Its id may be that of another decision.
        return await show_person(request, seat, person, {**filled, "id": new_id()}, refusal)
    await site.live.sanctions.tell()
    return see_other(f"{DESK}/reports?done" if form.upheld else f"{PEOPLE}?person={person.id}&done")


async def check_case(site: Site, about: str, seat: AtDesk) -> None:
    """Raises Problem (409) while another moderator handles the reports about that person; Unavailable."""
    found = (await site.store.reports.cases()).get(about)
    if found is not None and found.taker.id != seat.player.id and site.now() < found.until:
        raise Problem(409, "case_taken", name=found.taker.name)


def sanction_of(form: SanctionForm, person: Player, by: Player, now: int) -> Sanction:
    """The sanction of the form. Raises NotAllowed if its length is not allowed, or its text too long."""
    if len(form.words.replace("\r\n", "\n").strip()) > LONGEST_WORDS:
        raise DecisionRefused("sanction_words", n=LONGEST_WORDS)
    measure, reason = Measure(form.measure), Reason(form.reason)
    until = end_of(measure, form.length or USUAL[measure], now)
    place = form.place if measure is Measure.MUTE_HERE else ""
    return Sanction(form.id, person, measure, reason, clean(form.words, WORDS), place, by, now, until)


async def lift(request: web.Request) -> web.Response:
    """POST /host/people/lift: ends `sanction`."""
    site, form = request.app[SITE], await read_fields(request, SanctionNamed)
    seat = await required_seat(request, Room.PEOPLE)
    sanction = await find_sanction(site, form.sanction)
    await lift_sanction(site.store, sanction, seat.player, site.now())
    await site.live.sanctions.tell()
    return see_other(f"{PEOPLE}?person={sanction.person.id}&done")


async def keep(request: web.Request) -> web.Response:
    """POST /host/people/keep: rejects the appeal against `sanction`."""
    site, form = request.app[SITE], await read_fields(request, SanctionNamed)
    seat = await required_seat(request, Room.PEOPLE)
    await keep_sanction(site.store, await find_sanction(site, form.sanction), seat.player, site.now())
    await site.live.sanctions.tell()
    return see_other(f"{PEOPLE}?done")


async def find_sanction(site: Site, sanction_id: str) -> Sanction:
    """Raises Problem (404), Unreadable, Unavailable."""
    found = await site.store.sanctions.find(sanction_id)
    if found is None:
        raise Problem(404, "no_sanction")
    return found


async def decisions_page(request: web.Request) -> web.Response:
    """GET /decisions: the visitor's sanctions. `?sent`: after an appeal."""
    return await show_decisions(request)


async def show_decisions(request: web.Request, problem: Refusal | None = None, text: str = "") -> web.Response:
    """The sanctions in force. `problem`: what was wrong about their appeal, `text`."""
    site, now = request.app[SITE], request.app[SITE].now()
    visitor = await site.sessions.find_even_shut_out(request)
    own = await site.store.sanctions.of(visitor.user.id) if visitor else ()
    holding = [one for one in own if one.holds(now)]
    page = await as_page(
        request,
        "people/decisions.html",
        decisions=[told(one) for one in holding],
        waits=any(one.waits_for_answer for one in own),
        problem=problem,
        text=text,
        longest=LONGEST_APPEAL,
        sent="sent" in request.query,
    )
    return with_status(page, problem)


async def confirm_decision(request: web.Request) -> web.Response:
    """POST /decisions/read: the visitor has read `sanction`."""
    site, form = request.app[SITE], await read_fields(request, SanctionNamed)
    visitor = await site.sessions.find_even_shut_out(request)
    if visitor is None:
        raise Problem(403, "not_yours")
    await site.store.sanctions.confirm(form.sanction, visitor.user.id, site.now())
    await site.live.sanctions.tell()
    return see_other("/decisions")


async def appeal(request: web.Request) -> web.Response:
    """POST /decisions/appeal: sanction, text."""
    site, form = request.app[SITE], await read_fields(request, AppealForm)
    visitor = await site.sessions.find_even_shut_out(request)
    if visitor is None:
        raise Problem(403, "not_yours")
    written = form.text.replace("\r\n", "\n").strip()
    try:
        if len(written) > LONGEST_APPEAL:
            raise DecisionRefused("appeal_text", n=LONGEST_APPEAL)
        charge(site.limits.reports, visitor.user.id, site.now())
        await appeal_sanction(site.store, form.sanction, visitor.user.id, clean(written, APPEAL), site.now())
    except Refusal as refusal:
        return await show_decisions(request, refusal, form.text)
    return see_other("/decisions?sent")
