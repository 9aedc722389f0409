"""The desk's page about joining: who may register, what guests may do, invitations and requests for an account.

Plain forms that work without a script. `games.joining` says what may be chosen.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.desk import Role, Room
from server.games.errors import NotAllowed
from server.games.game_id import own_id
from server.games.joining import (
    CODE_PATTERN,
    HOUR_MS,
    LONGEST_INVITATION_NOTE,
    LONGEST_QUESTION,
    LONGEST_REASON,
    MOST_HOURS,
    MOST_INVITATIONS,
    MOST_USES,
    Answer,
    Guests,
    Invitation,
    Joining,
    JoinRequest,
    Place,
    SignUp,
    invitation_link,
    new_code,
    written,
)
from server.mail.composing import Letter
from server.realtime.play.chat import LETTER, ChatForm, clean
from server.realtime.runtime.ids import digest
from server.realtime.services.joining import answer_request, choose_joining, make_invitation, revoke_invitation
from server.realtime.services.sanctions import mark_of_address
from server.rules.errors import Refusal
from server.storage.time_slices import run_in_one_slice
from server.web.accounts.account_pages import see_other
from server.web.accounts.mail_addresses import MAIL_ADDRESSES
from server.web.desk import DESK, AtDesk, at_desk, required_seat, show_room
from server.web.forms import FIELDS, Form, parse_pairs, read_body, read_fields, validate_fields
from server.web.games.invitations import qr_svg
from server.web.languages import LANGUAGES
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site

JOINING: Final = f"{DESK}/joining"
REQUESTS_SHOWN: Final = 50
"""Requests on one page; answering some brings up the next."""
ANSWERED_SHOWN: Final = 20
NAMES_SHOWN: Final = 5
"""Names listed beside an invitation."""
HOURS: Final = (1, 24, 7 * 24, 30 * 24, MOST_HOURS)
"""The lengths of an invitation that the page offers."""
USES: Final = (1, 5, 30, MOST_USES, 0)
ONE_LINE: Final = ChatForm(2 * LONGEST_QUESTION)
TICK: Final = "tick-"
"""The prefix of the fields that name ticked requests."""
MAIL_KEPT_MS: Final = 24 * HOUR_MS
MAILED_AT_ONCE: Final = 50


class JoiningForm(Form):
    """Who may join, and the question to people who request an account."""

    sign_up: Literal["open", "asked", "invited", "closed"]
    guests: Literal["all", "link", "none"]
    question: Annotated[str, Field(max_length=2 * LONGEST_QUESTION)] = ""


class InvitationForm(Form):
    """`code`: drawn with the form, so that sending it twice makes one invitation. `uses`: 0: any number."""

    code: Annotated[str, Field(pattern=CODE_PATTERN)]
    note: Annotated[str, Field(max_length=2 * LONGEST_INVITATION_NOTE)] = ""
    uses: Annotated[str, Field(pattern=r"^[0-9]{1,3}$")]
    hours: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,4}$")]


class InvitationToEnd(Form):
    code: Annotated[str, Field(pattern=CODE_PATTERN)]


class AnswerForm(Form):
    """The answer to all ticked requests, or to the `one` whose button was pressed."""

    answer: Literal["accepted", "refused"] = "accepted"
    one: Annotated[str, Field(max_length=64)] = ""
    reason: Annotated[str, Field(max_length=2 * LONGEST_REASON)] = ""


@at_desk(Room.JOINING)
async def joining_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/joining. `?done`: after a change; `?answered=`: how many requests were answered."""
    return await show_joining(request, seat)


async def show_joining(
    request: web.Request, seat: AtDesk, problem: Refusal | None = None, about: str = ""
) -> web.Response:
    """The page. `problem`: what was wrong about the form named `about`."""
    site = request.app[SITE]
    store, now = site.store, site.now()
    joining = (await store.site_settings.read()).joining
    waiting = await store.joining.requests(Answer.WAITING, REQUESTS_SHOWN)
    accepted = await store.joining.requests(Answer.ACCEPTED, ANSWERED_SHOWN)
    refused = await store.joining.requests(Answer.REFUSED, ANSWERED_SHOWN)
    marks = {one.id: await mark_of_address(store.addresses, one.mailbox) for one in waiting if one.mailbox}
    kept_out = await store.sanctions.kept_out(marks.values(), now) if marks else {}
    page = await show_room(
        request,
        seat,
        "desk/joining.html",
        problem=problem,
        about=about,
        joining=joining,
        may_choose=seat.role is Role.HOST,
        sign_ups=list(SignUp),
        guests=list(Guests),
        waiting=[(age(now - one.asked), one) for one in waiting],
        shut_out={id for id, mark in marks.items() if mark in kept_out},
        waiting_in_all=await store.joining.count_waiting(),
        accepted=accepted,
        refused=refused,
        invitations=await invitations_shown(site, now),
        new_code=new_code(),
        hours=HOURS,
        uses=USES,
        most_uses=MOST_USES,
        longest_note=LONGEST_INVITATION_NOTE,
        longest_question=LONGEST_QUESTION,
        longest_reason=LONGEST_REASON,
        tick=TICK,
        done="done" in request.query,
        answered=read_number(request.query.get("answered", "")),
    )
    return with_status(page, problem)


def read_number(text: str) -> int:
    """The number in an address; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def age(ms: int, *, up: bool = False) -> tuple[str, int]:
    """A time span in its largest unit: ("days", 3). `up`: rounded up to the next hour."""
    hours = max(0, ms) // HOUR_MS
    hours += up and hours > 0 and ms % HOUR_MS > 0
    if hours >= 24:
        return "days", hours // 24
    return ("hours", hours) if hours else ("minutes", max(0, ms) // 60_000)


async def invitations_shown(site: Site, now: int) -> list[dict[str, object]]:
    """The invitations, each with the people who registered by it."""
    found = await site.store.joining.invitations(MOST_INVITATIONS)
    places = await site.store.joining.places(*(one.code for one in found)) if found else []
    names = await site.store.accounts.names_of({one.user for one in places if one.user}) if places else {}
    return [invitation_shown(one, [place for place in places if place.code == one.code], names, now) for one in found]


def invitation_shown(one: Invitation, places: Sequence[Place], names: Mapping[str, str], now: int) -> dict[str, object]:
    """An invitation as the page shows it. `places`: those taken by it. `names`: of people with an account, by id."""
    came = [names[place.user] for place in places if place.user in names]
    return {
        "code": one.code,
        "written": written(one.code),
        "note": one.note,
        "by": one.by,
        "uses": one.uses,
        "taken": len(places),
        "good": now < one.until and (not one.uses or len(places) < one.uses),
        "over": now >= one.until,
        "left": age(one.until - now, up=True),
        "came": came[:NAMES_SHOWN],
        "more": max(0, len(came) - NAMES_SHOWN),
    }


async def change_joining(request: web.Request) -> web.Response:
    """POST /host/joining: sign_up, guests, question. For hosts only."""
    site, form = request.app[SITE], await read_fields(request, JoiningForm)
    seat = await required_seat(request, Room.JOINING)
    if seat.role is not Role.HOST:
        raise Problem(403, "not_at_desk")
    question = clean(form.question, ONE_LINE)
    if len(question) > LONGEST_QUESTION:
        return await show_joining(request, seat, Problem(400, "question_too_long", n=LONGEST_QUESTION), "choice")
    chosen = Joining(SignUp(form.sign_up), Guests(form.guests), question)
    await choose_joining(site.store, chosen, seat.player, site.now())
    return see_other(f"{JOINING}?done")


async def invite(request: web.Request) -> web.Response:
    """POST /host/joining/invitations: code, note, uses, hours."""
    site, form = request.app[SITE], await read_fields(request, InvitationForm)
    seat = await required_seat(request, Room.JOINING)
    note, uses, hours = clean(form.note, ONE_LINE)[:LONGEST_INVITATION_NOTE], int(form.uses), int(form.hours)
    if uses > MOST_USES or hours > MOST_HOURS:
        bad = Problem(400, "bad_invitation", n=MOST_USES)
        return await show_joining(request, seat, bad, "invitation")
    now = site.now()
    try:
        await make_invitation(site.store, Invitation(form.code, note, seat.player, uses, now, now + hours * HOUR_MS))
    except NotAllowed as refusal:
        return await show_joining(request, seat, refusal, "invitation")
    return see_other(f"{JOINING}/invitations/{form.code}")


@at_desk(Room.JOINING)
async def invitation_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/joining/invitations/{code}: its link, for a chat and for paper."""
    site, now = request.app[SITE], request.app[SITE].now()
    one = await site.store.joining.invitation(request.match_info["code"])
    if one is None:
        raise Problem(404, "no_invitation")
    places = await site.store.joining.places(one.code)
    names = await site.store.accounts.names_of({place.user for place in places if place.user})
    link = invitation_link(site.settings.address, one.code)
    picture = await run_in_one_slice(partial(qr_svg, link))
    return await show_room(
        request,
        seat,
        "desk/invitation.html",
        one=invitation_shown(one, places, names, now),
        everybody=sorted(names.values()),
        link=link,
        picture=f"data:image/svg+xml;base64,{b64encode(picture).decode()}",
    )


async def revoke(request: web.Request) -> web.Response:
    """POST /host/joining/invitations/end: code."""
    site, form = request.app[SITE], await read_fields(request, InvitationToEnd)
    seat = await required_seat(request, Room.JOINING)
    await revoke_invitation(site.store, form.code, seat.player, site.now())
    return see_other(f"{JOINING}?done#invitations-title")


async def answer_requests(request: web.Request) -> web.Response:
    """POST /host/joining/answer: answer, reason, and the requests: tick-{id} for each, or one."""
    site = request.app[SITE]
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    pairs = parse_pairs(await read_body(request), REQUESTS_SHOWN + 4)
    ticked = [name.removeprefix(TICK) for name in pairs if name.startswith(TICK)]
    form = validate_fields({name: value for name, value in pairs.items() if not name.startswith(TICK)}, AnswerForm)
    seat = await required_seat(request, Room.JOINING)
    reason = clean(form.reason, LETTER) if form.answer == "refused" else ""
    if len(reason) > LONGEST_REASON:
        return await show_joining(request, seat, Problem(400, "reason_too_long", n=LONGEST_REASON), "answer")
    chosen = [form.one] if form.one else ticked
    if not chosen:
        return await show_joining(request, seat, Problem(400, "nothing_ticked"), "answer")
    answered, problem = 0, None
    for one in chosen:
        try:
            await answer_request(site.store, one, Answer(form.answer), seat.player, site.now(), reason)
        except NotAllowed as refusal:
            # The others are answered all the same.
            problem = refusal
            continue
        answered += 1
    if problem is not None:
        return await show_joining(request, seat, problem, "answer")
    return see_other(f"{JOINING}?answered={answered}")


async def mail_answers(app: web.Application) -> None:
    """Mails the answer of a request, whichever page gave it, once to each person who left an address. What cannot go
    into the outbox now goes the next time. Raises Unavailable.
    """
    mailer, store = app[MAIL_ADDRESSES].mailer, app[SITE].store.joining
    for one in await store.untold(MAILED_AT_ONCE):
        if not await mailer.post_letter(answer_letter(app, one), "", MAIL_KEPT_MS):
            return
        await store.note_told(one)


def answer_letter(app: web.Application, answered: JoinRequest) -> Letter:
    """The mail about the answer. Writing it again gives it the same id, which nobody can guess without the salt."""
    site, languages = app[SITE], app[LANGUAGES]
    language = languages.get(answered.language) or languages["en"]
    accepted = answered.answer is Answer.ACCEPTED
    lines = [language.plain("mail.join_accepted" if accepted else "mail.join_refused", site=site.settings.address)]
    if answered.reason:
        lines += ["", answered.reason]
    if accepted:
        lines += ["", f"{site.settings.address}/sign-in"]
    subject = language.plain("mail.join_subject", site=site.settings.address, name=answered.name)
    letter_id = own_id(int(digest(f"join {answered.asked} {answered.id} {answered.rev} {answered.password}"), 16))
    return Letter(answered.mailbox, subject, tuple(lines), id=letter_id, at=site.now(), language=language.code)
