"""Addresses for bounces: written by this site alone, for one mail to one address, for a while."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.games.game_id import game_id
from server.mail.inbound.addresses import KEPT_DAYS, PersonalAddresses, ReturnPaths, mark_of_mail
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import OutboxMail
from tests.support.games import START

DOMAIN, KEY = "play.example.org", bytes(range(32))
BOX = MailAddress("f4Ke0wN3rX", "anna@example.org", "en", START, confirmed=START)
MAIL = OutboxMail("m1", BOX.owner, BOX.address, "", "", START, START, START)


def paths(now=START, key=KEY):
    return ReturnPaths(DOMAIN, key, lambda: now)


@given(st.integers(0, 60**10 - 1).map(game_id), st.text(min_size=1, max_size=200), st.booleans())
def test_it_says_whose_address_and_which_mail_it_was_however_it_is_spelt(owner, mail_id, capitals):
    box = replace(BOX, owner=owner)
    written = paths().write_address(replace(MAIL, id=mail_id), box)
    assert len(written.partition("@")[0]) <= 64
    token = paths().read_address(written.upper() if capitals else written)
    assert (token.owner, token.mail, token.is_of(box)) == (owner, mark_of_mail(mail_id), True)


def test_it_is_good_for_two_weeks():
    written = paths().write_address(MAIL, BOX)
    assert paths(START + KEPT_DAYS * DAY_MS).read_address(written) is not None
    late = paths(START + (KEPT_DAYS + 1) * DAY_MS)
    assert late.read_address(written) is None
    assert late.knows_address(written)


@pytest.mark.parametrize("changes", [{"address": "b@example.org"}, {"confirmed": START + 1}, {"owner": "ben"}])
def test_it_is_of_no_other_address_nor_of_the_same_when_that_was_confirmed_anew(changes):
    assert not paths().read_address(paths().write_address(MAIL, BOX)).is_of(replace(BOX, **changes))


@given(st.data())
def test_what_this_site_has_not_written_is_not_read(data):
    written = paths().write_address(MAIL, BOX)
    place = data.draw(st.integers(len("bounce+"), written.index("@") - 1))
    letter = data.draw(
        st.sampled_from("abcdefghijklmnopqrstuvwxyz234567+@ é").filter(lambda one: one != written[place])
    )
    assert not paths().knows_address(written[:place] + letter + written[place + 1 :])


def test_addresses_of_other_sites_and_for_other_purposes_are_not_read():
    assert not paths(key=bytes(32)).knows_address(paths().write_address(MAIL, BOX))
    personal = PersonalAddresses(DOMAIN, KEY).write_address("Anna", BOX)
    for address in (personal, personal.replace("me+", "bounce+"), f"bounce@{DOMAIN}", f"bounce+@{DOMAIN}", ""):
        assert not paths().knows_address(address)
