"""What the lessons ask of the server: whether a move does what a step asks, and what somebody has done already."""

import asyncio
from typing import Annotated

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.rules.lesson.judging import why_not
from server.rules.lesson.lesson import Goal, Step
from server.rules.lesson.why_not import Why
from server.rules.movegen.legal import in_check, play
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.rules.notation.uci import parse_uci
from server.storage.tables.lessons import StepDone
from server.web.budgets.callers import address_key
from server.web.budgets.heavy import HEAVY
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.forms.forms import Form, read_form
from server.web.languages import language_of, names_for
from server.web.lessons.lesson_book import LESSONS
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.variant_words import Names


class Tried(Form):
    """A reader's move, in UCI."""

    move: Annotated[str, Field(min_length=2, max_length=12)]


class AfterMove(TypedDict):
    """A position and the move that led to it."""

    uci: str
    fen: str
    check: bool


class Judged(AfterMove):
    """`solved`: the move does what the step asks. `reply`: what refutes it, null if there is nothing to show."""

    solved: bool
    said: str
    reply: AfterMove | None


class Progress(TypedDict):
    """The steps that somebody has done, by lesson."""

    done: dict[str, list[str]]


@described(body=Tried, answers={200: Judged})
async def try_step(request: web.Request) -> web.Response:
    """POST /api/lessons/{lesson}/{step}: judge a move. A step that is done is kept for a signed-in reader."""
    lesson, step, goal = _step(request)
    tried = await read_form(request, Tried)
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    key = address_key(request, site.settings)
    charge_address(request, site.limits.tries_by_address)
    charge(site.limits.tries, visitor.key if visitor else key, site.now())
    move = parse_uci(step.position, tried.move)
    async with request.app[HEAVY].alone(key):
        # In a thread, as it may look at every reply to the move.
        why = await asyncio.to_thread(why_not, goal, step.position, move)
    if why is None and visitor is not None and not visitor.user.guest:
        await site.store.lessons.note(StepDone(visitor.user.id, lesson, step.id, site.now()))
    return as_json(_answer(request, lesson, step, move, why))


def _step(request: web.Request) -> tuple[str, Step, Goal]:
    """The step that the address names. Raises Problem (404)."""
    lesson = request.app[LESSONS].lessons.get(request.match_info["lesson"])
    step = lesson.step(request.match_info["step"]) if lesson else None
    if lesson is None or step is None or step.goal is None:
        raise Problem(404, "no_task")
    return lesson.id, step, step.goal


def _answer(request: web.Request, lesson: str, step: Step, move: Move, why: Why | None) -> Judged:
    book, language = request.app[LESSONS], language_of(request)
    after = play(step.position, move)
    if why is None:
        said = book.words(language.code, book.lessons[lesson])[step.id].well
    else:
        names = names_for(request)[step.position.variant.id]
        said = language.plain(f"lessons.{why.id}", **why.texts, **_called(why, names))
    reply: AfterMove | None = None
    if why is not None and why.reply:
        answer = parse_uci(after, why.reply)
        reply = _position(play(after, answer), answer)
    return {**_position(after, move), "solved": why is None, "said": said, "reply": reply}


def _called(why: Why, names: Names) -> dict[str, str]:
    return {key: names.roles[role] for key, role in why.pieces.items()}


def _position(position: Position, move: Move) -> AfterMove:
    return {"uci": move.uci, "fen": format_fen(position), "check": in_check(position)}


@described(answers={200: Progress})
async def own_progress(request: web.Request) -> web.Response:
    """GET /api/me/lessons: the steps that whoever is signed in has done, by lesson."""
    return as_json({"done": await done_by(request)})


async def done_by(request: web.Request) -> dict[str, list[str]]:
    """The steps that whoever is signed in has done, by lesson. Raises Unavailable."""
    site, found = request.app[SITE], dict[str, list[str]]()
    if (visitor := await site.sessions.member(request)) is not None:
        for one in await site.store.lessons.of(visitor.user.id):
            found.setdefault(one.lesson, []).append(one.step)
    return found
