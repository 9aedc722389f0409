"""All lessons: those of this package, and those in the folder `lessons` beside the host's own variants.

A lesson's file is named as the address of its rules page: "chess.toml", "chess960.toml" for the 960 form. Whatever in
it is unknown or impossible is refused. It has steps of an introduction (`[[intro]]`) and tasks (`[[tasks]]`), each with

    say     what the reader is told, and what to do
    well    what is said when it is done (with a goal)
    fen     the position; the start when left out
    moves   in SAN, played from there: "e4 e5 Nf3/H"
    goal    what the reader's move must do: a table, see _goal; a task must have one
    id      of a task, part of its address: "gate-while-castling"; and its `name`

Moves are never listed as solutions: the rules find them. The position must be one to go on from, and at least one legal
move must solve, and one must not, which `prove_lesson` shows: that takes up to 0.1 s a task, and so the tests do it for
the files of this package.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from server.rules.catalogue import read_folder
from server.rules.endings import Reason, outcome
from server.rules.errors import InvalidFen, InvalidVariant, RulesError
from server.rules.lesson.judging import solutions
from server.rules.lesson.lesson import KEEP, NOWHERE, Goal, Lesson, Step
from server.rules.movegen.legal import king_can_be_taken, legal_moves
from server.rules.variant.variant import Variant
from server.rules.variant.variant_file import TableReader

BUILT_IN: Final = Path(__file__).parent.parent / "data" / "lessons"
OWN: Final = "lessons"
"""The host's own, in the folder of their variants."""
SHUFFLED: Final = "960"
MOST: Final = 20
"""Steps of each kind."""
_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")
_INTRO = re.compile(r"step-\d+")
_WINS: Final = (Reason.CHECKMATE, Reason.STALEMATE, Reason.BARE_KING, Reason.GOAL, Reason.CHECKS)


def load_lessons(variants: Mapping[str, Variant], extra: Path | None = None) -> Mapping[str, Lesson]:
    """All lessons by id. `extra`: the folder with the host's own variants. Raises InvalidVariant."""
    forms = {one.id + SHUFFLED * form: (one, form) for one in variants.values() for form in {False, one.chess960}}
    found = {name: _lesson(f"{name}.toml", name, forms, content) for name, content in read_folder(BUILT_IN).items()}
    if extra is None or not (extra / OWN).is_dir():
        return MappingProxyType(found)
    for name, content in read_folder(extra / OWN).items():
        file = f"{OWN}/{name}.toml"
        if name in found:
            raise InvalidVariant(file, "file name", "this variant has a lesson already")
        found[name] = _lesson(file, name, forms, content)
        prove_lesson(file, found[name])
    return MappingProxyType(found)


def _lesson(file: str, name: str, forms: Mapping[str, tuple[Variant, bool]], content: Mapping[str, Any]) -> Lesson:
    if name not in forms:
        raise InvalidVariant(file, "file name", "there is no variant of that name")
    return read_lesson(file, name, *forms[name], content)


def lesson_of(lessons: Mapping[str, Lesson], variant: Variant, chess960: bool) -> Lesson | None:
    """The lesson of a form: its own, or else that of the variant's usual form."""
    return lessons.get(variant.id + SHUFFLED * chess960) or lessons.get(variant.id)


def read_lesson(file: str, lesson_id: str, variant: Variant, chess960: bool, content: Mapping[str, Any]) -> Lesson:
    """The lesson that the content describes. Raises InvalidVariant."""
    top = TableReader(file, "", content)
    intro = tuple(_step(one, f"step-{number}", variant, chess960) for number, one in enumerate(_list(top, "intro"), 1))
    tasks = tuple(_task(one, variant, chess960) for one in _list(top, "tasks"))
    top.done()
    if len({task.id for task in tasks}) < len(tasks):
        raise top.refuse("tasks", "two of them have the same id")
    if not intro and not tasks:
        raise top.refuse("tasks", "there is nothing to do")
    return Lesson(lesson_id, intro, tasks)


def prove_lesson(file: str, lesson: Lesson) -> None:
    """Raises InvalidVariant for a step that has no such position, or that nothing solves, or everything."""
    for step in (*lesson.intro, *lesson.tasks):
        _check_position(file, step)
        if step.goal is not None and not 0 < len(solutions(step)) < len(legal_moves(step.position)):
            raise InvalidVariant(file, f"{step.id}.goal", "some legal move must do it, and another must not")


def _check_position(file: str, step: Step) -> None:
    try:
        position = step.position
    except InvalidFen as error:
        raise InvalidVariant(file, f"{step.id}.fen", f"is no position of this variant ({error})") from None
    except RulesError as error:
        raise InvalidVariant(file, f"{step.id}.moves", f"cannot be played ({error})") from None
    if outcome(position) is not None or king_can_be_taken(position):
        raise InvalidVariant(file, f"{step.id}.fen", "nobody could go on from there")


def _list(top: TableReader, key: str) -> list[TableReader]:
    """The tables of a list, each to be read."""
    value = top.rest.pop(key, [])
    if not isinstance(value, list) or len(value) > MOST:
        raise top.refuse(key, f"must be a list of at most {MOST}")
    return [TableReader(top.file, f"{key} {number}", one) for number, one in enumerate(value, 1)]


def _task(table: TableReader, variant: Variant, chess960: bool) -> Step:
    task_id, name = table.text("id"), table.text("name")
    if not _ID.fullmatch(task_id) or _INTRO.fullmatch(task_id):
        raise table.refuse("id", "must be small letters, digits and hyphens, and no number of a step")
    step = _step(table, task_id, variant, chess960, name)
    if step.goal is None:
        raise table.refuse("goal", "a task needs one")
    return step


def _step(table: TableReader, step_id: str, variant: Variant, chess960: bool, name: str = "") -> Step:
    goal = table.table("goal")
    step = Step(
        id=step_id,
        variant=variant,
        chess960=chess960,
        fen=table.text("fen", variant.start_fen),
        moves=tuple(table.text("moves", "").split()),
        say=table.text("say"),
        goal=None if goal is None else _goal(goal, variant),
        name=name,
        well=table.text("well", None if goal is not None else ""),
    )
    table.done()
    return step


def _goal(table: TableReader, variant: Variant) -> Goal:
    wins = table.text("wins", "")
    if wins and wins not in _WINS:
        raise table.refuse("wins", f"must be one of {', '.join(_WINS)}")
    goal = Goal(
        castles=table.flag("castles"),
        drops=table.flag("drops"),
        piece=_role(table, "piece", variant),
        takes=_role(table, "takes", variant),
        promotes=_role(table, "promotes", variant, KEEP),
        gates=_role(table, "gates", variant),
        gate_at=next(iter(_squares(table, "gate_at", variant)), NOWHERE),
        to=_squares(table, "to", variant),
        wins=wins,
        checks=table.flag("checks"),
        attacks=_squares(table, "attacks", variant),
        safe=table.flag("safe"),
        holds=table.flag("holds"),
    )
    table.done()
    if goal == Goal():
        raise table.refuse("wins", "the goal asks for nothing")
    return goal


def _role(table: TableReader, key: str, variant: Variant, other: str = "") -> str:
    role = table.text(key, "")
    if role and role != other and role not in {one.id for one in variant.roles}:
        raise table.refuse(key, f"there is no piece {role!r}")
    return role


def _squares(table: TableReader, key: str, variant: Variant) -> tuple[int, ...]:
    """Written with spaces between them: "e1 h1"."""
    found = []
    for name in table.text(key, "").split():
        square = variant.geometry.parse(name)
        if square is None:
            raise table.refuse(key, f"there is no square {name!r}")
        found.append(square)
    return tuple(found)
