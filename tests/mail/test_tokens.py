"""Signed tokens: what was signed comes back, and nothing else is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.mail.tokens import LONGEST_TOKEN, BadToken, read_token, sign_token

KEY = bytes(range(32))
NOW = 1_700_000_000_000
TOKEN = sign_token(KEY, "confirm", ("anna", "mark"), NOW + 1)


def test_a_token_says_what_was_signed_until_its_time_is_over():
    assert read_token(KEY, "confirm", TOKEN, NOW) == ("anna", "mark")
    with pytest.raises(BadToken):
        read_token(KEY, "confirm", TOKEN, NOW + 1)


def test_a_token_is_good_for_one_purpose_and_one_site():
    for key, purpose in ((KEY, "recover"), (KEY[::-1], "confirm")):
        with pytest.raises(BadToken):
            read_token(key, purpose, TOKEN, NOW)


def test_it_can_stand_in_an_address_of_a_page():
    token = sign_token(KEY, "confirm", ("ñ?/&#", "\u2028"), NOW + 1)
    assert set(token) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert read_token(KEY, "confirm", token, NOW) == ("ñ?/&#", "\u2028")


@given(st.integers(0, len(TOKEN) - 1), st.characters())
def test_no_character_can_be_changed(at, sign_):
    changed = TOKEN[:at] + sign_ + TOKEN[at + 1 :]
    if changed != TOKEN:
        with pytest.raises(BadToken):
            read_token(KEY, "confirm", changed, NOW)


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a.b", "é.é", "x" * (LONGEST_TOKEN + 1), TOKEN + "=", TOKEN + ".", "\ud800."]
)
def test_what_is_no_token_is_refused(text):
    with pytest.raises(BadToken):
        read_token(KEY, "confirm", text, NOW)
