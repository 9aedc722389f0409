"""What people prefer, as a text and as attributes: nothing is lost on the way, and nothing strange gets in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from server.pictures.theme import BOARDS
from server.web.preferences import (
    CHOICES,
    LETTERS,
    SWITCHES,
    USUAL,
    Preferences,
    format_preferences,
    page_attributes,
    parse_preferences,
    with_changes,
)

VALUES = {
    **CHOICES,
    **dict.fromkeys(SWITCHES, ("on", "off")),
    "size": tuple(range(50, 101, 5)),
    "volume": tuple(range(10, 101, 10)),
    "language": ("", "en", "es", "pt-BR"),
}
ANYBODYS = st.builds(Preferences, **{name: st.sampled_from(values) for name, values in VALUES.items()})


def test_every_field_can_be_chosen_and_boards_and_sets_are_those_that_can_be_drawn():
    assert VALUES.keys() == Preferences.model_fields.keys()
    assert CHOICES["board"] == tuple(BOARDS)
    assert CHOICES["pieces"][-1] == LETTERS
    assert all(getattr(USUAL, name) in values for name, values in VALUES.items())


@given(ANYBODYS)
def test_what_is_written_is_read_again_and_fits_a_cookie_of_any_browser(preferences):
    text = format_preferences(preferences)
    assert parse_preferences(text) == preferences
    assert len(text) < 1_000
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:|_-")


def test_somebody_who_chose_the_defaults_has_chosen():
    assert format_preferences(USUAL) != ""
    assert parse_preferences("") == parse_preferences(format_preferences(USUAL)) == USUAL


@given(ANYBODYS, st.sampled_from(sorted(VALUES)), st.data())
def test_one_change_changes_one_thing(preferences, name, data):
    value = data.draw(st.sampled_from(VALUES[name]))
    after = with_changes(preferences, {name: str(value)})
    assert getattr(after, name) == value
    assert after == preferences.model_copy(update={name: value})


@given(ANYBODYS, st.sampled_from(sorted(VALUES)), st.text(max_size=30))
def test_what_is_no_choice_is_refused_and_read_as_not_chosen(preferences, name, text):
    if text in map(str, VALUES[name]) or name == "language":
        return
    try:
        allowed = getattr(with_changes(preferences, {name: text}), name)
    except ValidationError:
        others = format_preferences(preferences.model_copy(update={name: getattr(USUAL, name)}))
        if "|" not in text and ":" not in text:
            assert parse_preferences(f"{others}|{name}:{text}") == parse_preferences(others)
    else:
        assert allowed in VALUES[name], "a number may be written in several ways"


@pytest.mark.parametrize("name", ["bord", "", "_id", "model_fields"])
def test_an_unknown_field_is_refused_and_read_over(name):
    with pytest.raises(ValidationError):
        with_changes(USUAL, {name: "on"})
    assert parse_preferences(f"1|{name}:on|board:slate") == Preferences(board="slate")


@given(st.text(max_size=2_000))
def test_any_text_is_read(text):
    assert isinstance(parse_preferences(text), Preferences)


@given(ANYBODYS)
def test_the_attributes_name_what_differs_from_the_defaults_but_no_language(preferences):
    text = str(page_attributes(preferences))
    for name in VALUES:
        value = getattr(preferences, name)
        shown = f' data-{name}="{value}"'
        assert (shown in text) == (value != getattr(USUAL, name) and name != "language")


def test_the_usual_look_has_no_attributes():
    assert page_attributes(USUAL) == ""
