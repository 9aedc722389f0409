"""The words of commands in all languages: each means one thing, and every command has a word in every language."""

from dataclasses import replace

import pytest

from server.language import InvalidWords, load_words
from server.mail.inbound.command_words import COMMANDS, word_meanings
from server.mail.inbound.grammar import WORDS
from server.rules.notation.move_reader import tidy_move

LANGUAGES = load_words()


def test_no_word_may_mean_two_things():
    spanish = LANGUAGES["es"]
    for word in ("tablas", "accept"):
        odd = replace(spanish, texts={**spanish.texts, "mail_words.games": (f"partidas {word}",)})
        with pytest.raises(InvalidWords, match=word):
            word_meanings({**LANGUAGES, "es": odd})


def test_every_command_is_read():
    assert {*WORDS, "say"} == {*COMMANDS}


def test_words_are_written_as_they_are_compared():
    for word in word_meanings(LANGUAGES):
        assert word == word.lower() == tidy_move(word)
