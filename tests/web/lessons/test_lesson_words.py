"""The words of the lessons are complete in every language, and speak of squares that the board has."""

import re

import pytest

from server.language import FOLDER, InvalidWords
from server.rules.lesson.lessons import load_lessons
from server.web.lessons import lesson_words
from tests.support.failures import failures
from tests.support.rules.built_in import VARIANTS

LESSONS = load_lessons(VARIANTS)
LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if (path / "lessons").is_dir())


def steps(*languages):
    """What each step says in each language and in the lesson itself, by name."""
    return {
        f"{language} {lesson.id} {step.id}": (step, said[step.id], own[step.id])
        for language in languages
        for lesson in LESSONS.values()
        for said, own in ((lesson_words(language, lesson), lesson_words("none", lesson)),)
        for step in (*lesson.intro, *lesson.tasks)
    }


def test_nothing_is_left_untranslated():
    def check(step, said, own):
        assert said.say != own.say
        assert said.well != own.well
        assert bool(said.name) == bool(own.name)
        assert said.name != own.name or not step.name

    assert failures(check, steps(*LANGUAGES)) == {}


def test_squares_in_the_words_are_on_the_board_and_the_same_in_every_language():
    def check(step, said, own):
        squares = [re.findall(r"\b[a-p]\d{1,2}\b", f"{one.say} {one.well}") for one in (said, own)]
        assert sorted(squares[0]) == sorted(squares[1])
        assert all(step.position.variant.geometry.parse(square) is not None for square in squares[0])

    assert failures(check, steps("none", *LANGUAGES)) == {}


def test_words_about_a_step_that_is_not_there_are_refused(tmp_path):
    (tmp_path / "xx" / "lessons").mkdir(parents=True)
    (tmp_path / "xx" / "lessons" / "chess.toml").write_text('[tasks.nothing]\nsay = "?"\n')
    with pytest.raises(InvalidWords, match="no step nothing"):
        lesson_words("xx", LESSONS["chess"], tmp_path)
