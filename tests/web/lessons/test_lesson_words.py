"""The words of the lessons are complete in every language, and speak of squares that the board has."""

import re

import pytest

from server.language import FOLDER, InvalidWords
from server.rules.lesson.lessons import load_lessons
from server.web.lessons.words import lesson_words
from tests.support.rules.built_in import VARIANTS

LESSONS = load_lessons(VARIANTS)
LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if (path / "lessons").is_dir())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_nothing_is_left_untranslated(lesson, language):
    said, own = lesson_words(language, lesson), lesson_words("none", lesson)
    for step in (*lesson.intro, *lesson.tasks):
        assert said[step.id].say != own[step.id].say
        assert said[step.id].well != own[step.id].well
        assert bool(said[step.id].name) == bool(own[step.id].name)
        assert said[step.id].name != own[step.id].name or not step.name


@pytest.mark.parametrize("language", ["none", *LANGUAGES])
@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_squares_in_the_words_are_on_the_board_and_the_same_in_every_language(lesson, language):
    said, own = lesson_words(language, lesson), lesson_words("none", lesson)
    for step in (*lesson.intro, *lesson.tasks):
        squares = [re.findall(r"\b[a-p]\d{1,2}\b", f"{one.say} {one.well}") for one in (said[step.id], own[step.id])]
        assert sorted(squares[0]) == sorted(squares[1])
        assert all(step.position.variant.geometry.parse(square) is not None for square in squares[0])


def test_words_about_a_step_that_is_not_there_are_refused(tmp_path):
    (tmp_path / "xx" / "lessons").mkdir(parents=True)
    (tmp_path / "xx" / "lessons" / "chess.toml").write_text('[tasks.nothing]\nsay = "?"\n')
    with pytest.raises(InvalidWords, match="no step nothing"):
        lesson_words("xx", LESSONS["chess"], tmp_path)
