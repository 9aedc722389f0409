"""Lessons on the rules pages: what they show, how a reader's moves are judged, and what somebody has done already.

server/words/<language>/lessons/<lesson>.toml translates one: `[[intro]]` for each step in order, `[tasks.<id>]` for
each task, with `name`, `say` and `well`. Whatever is missing there is taken from the lesson's own file. What solves a
task is decided in `server/rules/lesson`.
"""

import asyncio
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.language import FOLDER, InvalidWords
from server.rules.diagrams.diagram import Diagram
from server.rules.lesson.judging import Why, solutions, why_not
from server.rules.lesson.lesson import Goal, Lesson, Step
from server.rules.lesson.lessons import lesson_of
from server.rules.movegen.legal import in_check, legal_ucis, play
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant
from server.storage.tables.lessons import StepDone
from server.web.budgets.callers import address_key
from server.web.budgets.heavy import HEAVY
from server.web.forms import Form, read_form
from server.web.languages import language_of, names_for
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, charge_visitor
from server.web.variant_words import capitalised


@dataclass(frozen=True, slots=True)
class StepWords:
    """What is said about a step: its name, what to do, and what is said when it is done."""

    name: str
    say: str
    well: str


LessonWords = Mapping[str, StepWords]
"""By the id of a step."""

TaskNames = Mapping[str, Sequence[tuple[str, str]]]
"""Id and name of each task, by lesson; without lessons that have none."""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One step as a page shows it, also without scripts."""

    id: str
    name: str
    say: str
    diagram: Diagram
    solutions: tuple[str, ...]
    """In SAN."""
    facts: Mapping[str, Any]
    """What the board needs, JSON-able."""


@dataclass(frozen=True, slots=True)
class ShownLesson:
    id: str
    intro: tuple[ShownStep, ...]
    tasks: tuple[ShownStep, ...]

    @property
    def facts(self) -> dict[str, Any]:
        """What the script of the page needs, JSON-able."""
        return {
            "id": self.id,
            "intro": [step.facts for step in self.intro],
            "tasks": [step.facts for step in self.tasks],
        }


@dataclass(frozen=True, slots=True)
class LessonBook:
    """The lessons of a site. What a page shows of one is composed at first need: finding solutions takes time."""

    lessons: Mapping[str, Lesson]
    """By id."""
    kept: dict[tuple[str, str], ShownLesson] = field(default_factory=dict)
    """What pages show, by language and lesson. Never more than there are lessons."""
    named: dict[str, TaskNames] = field(default_factory=dict)
    """What the tasks are called, by language."""

    def find_lesson(self, variant: Variant, chess960: bool) -> Lesson | None:
        """The lesson of a form; None if it has none."""
        return lesson_of(self.lessons, variant, chess960)

    def task_names(self, language: str) -> TaskNames:
        """The names of all tasks. Reads files the first time, so call it in a thread."""
        if language not in self.named:
            self.named[language] = {
                lesson.id: [(task.id, words[task.id].name) for task in lesson.tasks]
                for lesson in self.lessons.values()
                if lesson.tasks
                for words in (lesson_words(language, lesson),)
            }
        return self.named[language]

    def compose_lesson(self, language: str, lesson: Lesson) -> ShownLesson:
        """The lesson as a page shows it. Takes up to a second the first time, so call it in a thread."""
        key = (language, lesson.id)
        if key not in self.kept:
            words = lesson_words(language, lesson)
            intro, tasks = (tuple(_shown_step(step, words) for step in steps) for steps in (lesson.intro, lesson.tasks))
            self.kept[key] = ShownLesson(lesson.id, intro, tasks)
        return self.kept[key]


LESSONS = web.AppKey("LESSONS", LessonBook)


def _shown_step(step: Step, words: LessonWords) -> ShownStep:
    position, said = step.position, words[step.id]
    moves = solutions(step)
    fen = format_fen(position)
    facts = {
        "id": step.id,
        "name": said.name,
        "say": said.say,
        "well": said.well,
        "fen": fen,
        "check": in_check(position),
        "last": step.last,
        "legal": legal_ucis(position),
        "show": moves[0].uci if moves else "",
    }
    sans = tuple(format_san(position, move) for move in moves)
    return ShownStep(step.id, said.name, said.say, Diagram(position.variant, fen, position.chess960), sans, facts)


def lesson_words(language: str, lesson: Lesson, folder: Path = FOLDER) -> LessonWords:
    """The words of one lesson. Raises InvalidWords if the file speaks of a step that the lesson does not have."""
    path = folder / language / "lessons" / f"{lesson.id}.toml"
    said = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    tables = {f"step-{number}": table for number, table in enumerate(said.get("intro", []), 1)} | said.get("tasks", {})
    steps = {step.id: step for step in (*lesson.intro, *lesson.tasks)}
    if odd := tables.keys() - steps.keys():
        raise InvalidWords(f"{language}/lessons/{path.name}: the lesson has no step {sorted(odd)[0]}.")
    return MappingProxyType({id: _words(step, tables.get(id, {})) for id, step in steps.items()})


def _words(step: Step, said: Mapping[str, Any]) -> StepWords:
    return StepWords(said.get("name", step.name), said.get("say", step.say), said.get("well", step.well))


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
    charge_visitor(request, visitor, site.limits.tries)
    move = parse_uci(step.position, tried.move)
    async with request.app[HEAVY].alone(key):
        # In a thread, as it may look at every reply to the move.
        why = await asyncio.to_thread(why_not, goal, step.position, move)
    if why is None and visitor is not None and not visitor.user.guest:
        await site.store.lessons.note(StepDone(visitor.user.id, lesson, step.id, site.now()))
    return as_json(_judged(request, lesson, step, move, why))


def _step(request: web.Request) -> tuple[str, Step, Goal]:
    """The step that the address names. Raises Problem (404)."""
    lesson = request.app[LESSONS].lessons.get(request.match_info["lesson"])
    step = lesson.step(request.match_info["step"]) if lesson else None
    if lesson is None or step is None or step.goal is None:
        raise Problem(404, "no_task")
    return lesson.id, step, step.goal


def _judged(request: web.Request, lesson: str, step: Step, move: Move, why: Why | None) -> Judged:
    book, language = request.app[LESSONS], language_of(request)
    after = play(step.position, move)
    if why is None:
        said = lesson_words(language.code, book.lessons[lesson])[step.id].well
    else:
        names = names_for(request)[step.position.variant.id]
        pieces = {key: names.with_article(role) for key, role in why.pieces.items()}
        said = capitalised(language.plain(f"lessons.{why.id}", **why.texts, **pieces))
    reply: AfterMove | None = None
    if why is not None and why.reply:
        answer = parse_uci(after, why.reply)
        reply = _position(play(after, answer), answer)
    return {**_position(after, move), "solved": why is None, "said": said, "reply": reply}


def _position(position: Position, move: Move) -> AfterMove:
    return {"uci": move.uci, "fen": format_fen(position), "check": in_check(position)}


@described(answers={200: Progress})
async def own_progress(request: web.Request) -> web.Response:
    """GET /api/me/lessons: the steps that whoever is signed in has done, by lesson."""
    return as_json({"done": await steps_done(request)})


async def steps_done(request: web.Request) -> dict[str, list[str]]:
    """The steps that whoever is signed in has done, by lesson. Raises Unavailable."""
    site, found = request.app[SITE], dict[str, list[str]]()
    if (visitor := await site.sessions.member(request)) is not None:
        for one in await site.store.lessons.of(visitor.user.id):
            found.setdefault(one.lesson, []).append(one.step)
    return found
