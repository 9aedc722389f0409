"""Lesson files: what is refused, and what the message says."""

import tomllib

import pytest

from server.rules.errors import InvalidVariant
from server.rules.lesson.lesson import KEEP
from server.rules.lesson.lessons import load_lessons, prove_lesson, read_lesson
from tests.support.rules.built_in import VARIANTS

TASK = """
[[tasks]]
id = "mate"
name = "Mate"
fen = "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1"
say = "Give mate."
goal = { wins = "checkmate" }
well = "Yes."
"""


def lesson(text, variant="chess"):
    return read_lesson("own.toml", "own", VARIANTS[variant], False, tomllib.loads(text))


def test_a_lesson_is_read():
    found = lesson(TASK + '[[intro]]\nsay = "Look."\nmoves = "e4 e5"\n')
    assert found.step("mate").goal.wins == "checkmate"
    assert found.step("step-1").goal is None
    assert found.step("step-1").last == "e7e5"
    assert found.step("nothing") is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("say =", "saay ="), "tasks 1.say: is missing"),
        (('name = "Mate"\n', ""), "tasks 1.name: is missing"),
        (('id = "mate"', 'id = "Mate!"'), "tasks 1.id: must be small letters"),
        (('id = "mate"', 'id = "step-1"'), "no number of a step"),
        (('wins = "checkmate"', 'wins = "luck"'), "tasks 1.goal.wins: must be one of"),
        (('wins = "checkmate"', 'piece = "x"'), "there is no piece 'x'"),
        (('wins = "checkmate"', 'to = "d9"'), "there is no square 'd9'"),
        (('wins = "checkmate"', "checks = false"), "asks for nothing"),
        (('wins = "checkmate"', "cheks = true"), "tasks 1.goal.cheks: unknown key"),
        (('goal = { wins = "checkmate" }\n', ""), "tasks 1.goal: a task needs one"),
        (("\n[[tasks]]", "\n[[other]]\n[[tasks]]"), "other: unknown key"),
    ],
)
def test_a_mistake_is_refused_with_its_place(change, said):
    assert change[0] in TASK
    with pytest.raises(InvalidVariant) as error:
        lesson(TASK.replace(*change))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("6k1/5ppp", "6k1/5pppp"), "mate.fen: is no position of this variant"),
        (('say = "G', 'moves = "Rd9"\nsay = "G'), "mate.moves: cannot be played (illegal move='Rd9')"),
        (('say = "G', 'moves = "Rd8"\nsay = "G'), "mate.fen: nobody could go on from there"),
    ],
)
def test_a_position_that_nobody_can_go_on_from_is_no_task(change, said):
    assert change[0] in TASK
    with pytest.raises(InvalidVariant) as error:
        prove_lesson("own.toml", lesson(TASK.replace(*change)))
    assert said in str(error.value)


def test_two_tasks_of_one_name_and_an_empty_file_are_refused():
    for text, said in ((TASK * 2, "two of them have the same id"), ("", "there is nothing to do")):
        with pytest.raises(InvalidVariant, match=said):
            lesson(text)


@pytest.mark.parametrize("goal", ['wins = "stalemate"', f'promotes = "{KEEP}"'])
def test_a_task_that_nothing_or_everything_solves_is_no_task(goal):
    with pytest.raises(InvalidVariant, match="some legal move must do it"):
        prove_lesson("own.toml", lesson(TASK.replace('wins = "checkmate"', goal)))


def test_a_host_adds_lessons_beside_their_variants(tmp_path):
    (tmp_path / "lessons").mkdir()
    own = {**VARIANTS, "queens": VARIANTS["chess"]}
    assert "queens" not in load_lessons(own, tmp_path)
    for name, text, said in (
        ("chess", TASK, "has a lesson already"),
        ("nobody", TASK, "there is no variant of that name"),
        ("gothic", TASK.replace('"checkmate"', '"stalemate"'), "has a lesson already"),
    ):
        place = tmp_path / "lessons" / f"{name}.toml"
        place.write_text(text)
        with pytest.raises(InvalidVariant, match=said):
            load_lessons(own, tmp_path)
        place.unlink()
