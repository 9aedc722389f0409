"""The words of lessons in each language. Their own files are in English, or in the language of the host.

server/words/<language>/lessons/<lesson>.toml says the same: `[[intro]]` for each step in order, `[tasks.<id>]` for each
task, with `name`, `say` and `well`. Whatever is missing there is taken from the lesson's own file. Knows no page.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from server.language import FOLDER, InvalidWords
from server.rules.lesson.lesson import Lesson, Step


@dataclass(frozen=True, slots=True)
class StepWords:
    """What is said about a step: its name, what to do, and what is said when it is done."""

    name: str
    say: str
    well: str


LessonWords = Mapping[str, StepWords]
"""By the id of a step."""


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
