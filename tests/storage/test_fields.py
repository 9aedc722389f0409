"""How records become flat fields."""

from dataclasses import dataclass

import pytest

from server.storage.fields import flat


@dataclass(frozen=True)
class Sample:
    name: str
    at: int
    open: bool
    words: tuple[str, ...]
    kinds: frozenset[str]
    inner: object = ""


def test_flags_are_numbers_and_words_one_text_in_an_order_that_does_not_change():
    stored = flat(Sample("a", 3, True, ("y", "x"), frozenset({"k", "b"})), key="name")
    assert stored == {"_id": "a", "at": 3, "open": 1, "words": "y x", "kinds": "b k", "inner": ""}
    assert not isinstance(stored["open"], bool)


def test_what_is_neither_number_nor_text_is_refused():
    with pytest.raises(TypeError, match="neither a number nor a text"):
        flat(Sample("a", 3, True, (), frozenset(), inner=1.5))
