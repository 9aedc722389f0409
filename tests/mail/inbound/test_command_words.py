"""The words of commands in all languages: each means one thing, and every command has a word in every language."""

from dataclasses import replace

import pytest

from server.language import InvalidWords, load_words
from server.mail.inbound.reading.command_words import COMMANDS, meanings
from server.mail.inbound.reading.grammar import WORDS
from server.mail.inbound.reading.typed_moves import plain

LANGUAGES = load_words()


def test_no_word_may_mean_two_things():
    spanish = LANGUAGES["es"]
    for word in ("tablas", "accept"):
        odd = replace(spanish, texts={**spanish.texts, "mail_words.games": (f"partidas {word}",)})
        with pytest.raises(InvalidWords, match=word):
            meanings({**LANGUAGES, "es": odd})


def test_every_command_is_read():
    assert {*WORDS, "say"} == {*COMMANDS}


def test_words_are_written_as_they_are_compared():
    for word in meanings(LANGUAGES):
        assert word == word.lower() == plain(word)
