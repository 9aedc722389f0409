"""When an address is given up: after two mails within a week that failed for good, or one to a mailbox that is none."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.mail.delivery import TWICE_WITHIN_MS, after_failure
from server.storage.tables.addresses import MailAddress
from tests.support.games import START

FINE = MailAddress("anna", "anna@example.org", "en", START, confirmed=START)


@given(st.lists(st.tuples(st.integers(0, 30 * DAY_MS), st.sampled_from("abc")), min_size=1).map(sorted))
def test_it_is_given_up_at_the_second_mail_within_a_week_and_not_before(failures):
    address, first = FINE, None
    for after, mail in failures:
        at = START + after
        expected = False
        if first is None or at - first[0] > TWICE_WITHIN_MS:
            first = (at, mail)
        else:
            expected = mail != first[1]
        address = after_failure(address, mail, at, no_mailbox=False)
        assert address.in_effect is not expected
        if expected:
            assert address.refused == at
            return


@pytest.mark.parametrize("before", [FINE, replace(FINE, bounced=START, bounced_mail="a")])
def test_an_address_without_a_mailbox_is_given_up_at_once(before):
    assert after_failure(before, "a", START + 5, no_mailbox=True).refused == START + 5


def test_what_is_given_up_stays_as_it_is():
    gone = replace(FINE, refused=START)
    assert after_failure(gone, "a", START + 5, no_mailbox=True) == gone
