"""The addresses that mails about games are answered to."""

import string

from hypothesis import given
from hypothesis import strategies as st

from server.mail.inbound.addresses import (
    OFFERS,
    PLIES,
    PREPARED,
    REPLY_MARK_BYTES,
    ReplyAddresses,
    ReplyToken,
    mark_of,
)
from server.rules.variant.pieces import Color

SITE = ReplyAddresses("mail.example.com", bytes(32))
TOKENS = st.builds(
    ReplyToken,
    game=st.text(string.ascii_letters + string.digits, min_size=10, max_size=10),
    color=st.sampled_from(Color),
    plies=st.integers(0, PLIES - 1),
    offers=st.integers(0, OFFERS - 1),
    mark=st.binary(min_size=REPLY_MARK_BYTES, max_size=REPLY_MARK_BYTES),
    confirms=st.booleans(),
    prepared=st.integers(0, PREPARED - 1),
)


@given(TOKENS)
def test_what_is_written_is_read_also_in_capitals(token):
    address = SITE.write_address(token)
    assert SITE.read_address(address) == SITE.read_address(address.upper()) == token
    assert len(address.partition("@")[0]) <= 64
    assert address == address.lower()


@given(TOKENS, st.data())
def test_no_character_can_be_changed(token, data):
    local, _, domain = SITE.write_address(token).partition("@")
    nth = data.draw(st.integers(len("play+"), len(local) - 1))
    other = data.draw(st.sampled_from(sorted(set(string.ascii_lowercase + "234567") - {local[nth]})))
    assert SITE.read_address(f"{local[:nth]}{other}{local[nth + 1 :]}@{domain}") is None


@given(TOKENS)
def test_other_sites_sign_otherwise(token):
    address = SITE.write_address(token)
    assert ReplyAddresses("mail.example.com", bytes(31) + b"1").read_address(address) is None
    assert ReplyAddresses("example.com", bytes(32)).read_address(address) is None


@given(st.text() | st.from_regex(r"play\+[a-z2-7]{40}@mail\.example\.com", fullmatch=True))
def test_nothing_else_is_an_address_of_ours(text):
    assert SITE.read_address(text) is None


def test_two_addresses_of_a_player_have_different_marks():
    assert mark_of("wanda@example.org") != mark_of("wanda@example.com")
