"""The lessons of a site: which form has which, what it says in each language, and how a page shows it.

Composed when first needed, as finding the solutions takes a moment; knows no request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from server.rules.diagrams.diagram import Diagram
from server.rules.lesson.judging import solutions
from server.rules.lesson.lesson import Lesson, Step
from server.rules.lesson.lessons import lesson_of
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.notation.fen import format_fen
from server.rules.notation.san import format_san
from server.rules.variant.variant import Variant
from server.web.lessons.words import LessonWords, lesson_words


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


TaskNames = Mapping[str, Sequence[tuple[str, str]]]
"""Id and name of each task, by lesson; without lessons that have none."""


@dataclass(frozen=True, slots=True)
class LessonBook:
    lessons: Mapping[str, Lesson]
    """By id."""
    kept: dict[tuple[str, str], ShownLesson] = field(default_factory=dict)
    """What pages show, by language and lesson."""
    named: dict[str, TaskNames] = field(default_factory=dict)
    """What the tasks are called, by language."""

    def of(self, variant: Variant, chess960: bool) -> Lesson | None:
        """The lesson of a form; None if it has none."""
        return lesson_of(self.lessons, variant, chess960)

    def words(self, language: str, lesson: Lesson) -> LessonWords:
        return lesson_words(language, lesson)

    def tasks(self, language: str) -> TaskNames:
        """Reads files the first time, so call it in a thread."""
        if language not in self.named:
            self.named[language] = {
                lesson.id: [(task.id, words[task.id].name) for task in lesson.tasks]
                for lesson in self.lessons.values()
                if lesson.tasks
                for words in (self.words(language, lesson),)
            }
        return self.named[language]

    def shown(self, language: str, lesson: Lesson) -> ShownLesson:
        """Takes up to a second the first time, so call it in a thread."""
        key = (language, lesson.id)
        if key not in self.kept:
            words = self.words(language, lesson)
            intro, tasks = (tuple(_shown(step, words) for step in steps) for steps in (lesson.intro, lesson.tasks))
            self.kept[key] = ShownLesson(lesson.id, intro, tasks)
        return self.kept[key]


LESSONS = web.AppKey("LESSONS", LessonBook)


def _shown(step: Step, words: LessonWords) -> ShownStep:
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
