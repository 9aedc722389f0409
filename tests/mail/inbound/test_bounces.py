"""What is read in the reports of mail servers, and what becomes of the addresses that they are about."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.mail.inbound.addresses.return_path import KEPT_DAYS, ReturnPaths
from server.mail.inbound.bounces import Bounces, failure_in
from server.mail.inbound.reading.received_mail import UnreadableMail
from server.mail.inbound.status import SmtpStatus
from server.mail.inbound.worker import MailWorker
from server.storage.protocols.outbox import OutboxMail
from server.storage.sqlite.store import SqliteStore
from server.storage.tables.addresses import MailAddress
from tests.support.games import START, VARIANTS
from tests.support.mail.bounced import report
from tests.support.realtime.hand_clock import HandClock

BOX = MailAddress("f4Ke0wN3rX", "anna@example.org", "en", START, confirmed=START)
TWO = (
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: text/plain\r\n\r\nSorry\r\n--b\r\n"
    b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
    b"Final-Recipient: rfc822; a@b.c\r\nAction: relayed\r\nStatus: 2.0.0\r\n\r\n"
    b"Final-Recipient: rfc822; d@e.f\r\nACTION: Failed\r\nStatus:  5.2.2 (mailbox full)\r\n--b--\r\n"
)
NO_REPORTS = {
    "late": report(status="4.4.1", action="delayed"),
    "given up for now": report(status="4.4.7"),
    "delivered": report(status="2.1.5", action="delivered"),
    "permanent, but only late": report(action="delayed"),
    "no status": report(status="five"),
    "a reply with the words of a report": b"Subject: Re\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n",
    "an absence": b"Auto-Submitted: auto-replied\r\n\r\nStatus: 5.1.1\r\nAction: failed\r\n",
    "another report": report().replace(b"message/delivery-status", b"message/disposition-notification"),
    "a report in a mail": report().replace(b"multipart/report", b"multipart/mixed"),
    "nothing": b"",
}


@pytest.mark.parametrize("status", ["5.1.1", "5.2.2", "5.7.26", "5.0.0"])
def test_the_status_of_a_mail_that_has_failed_for_good_is_read(status):
    assert failure_in(report(status=status)) == status


def test_of_several_recipients_the_one_counts_that_failed():
    assert failure_in(TWO) == "5.2.2"


@pytest.mark.parametrize("content", NO_REPORTS.values(), ids=NO_REPORTS)
def test_what_says_nothing_of_a_permanent_failure_says_nothing(content):
    assert failure_in(content) is None


@given(st.data())
def test_whatever_arrives_is_read_or_refused_and_nothing_else(data):
    content = bytearray(data.draw(st.sampled_from([report(), TWO])))
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=30))
    try:
        found = failure_in(bytes(content))
    except UnreadableMail:
        return
    assert found is None or found.startswith("5.")


class Unlimited:
    def take(self, *_):
        return 0


@pytest.fixture
def clock():
    return HandClock(START)


@pytest.fixture
async def store(tmp_path):
    store = await SqliteStore.open(tmp_path / "games.sqlite3", VARIANTS)
    yield store
    await store.close()


@pytest.fixture
async def bounces(store, clock):
    """Those of a site where Anna has an address."""
    await store.addresses.keep(BOX)
    worker = MailWorker()
    yield Bounces(ReturnPaths("play.example.org", bytes(32), clock), store.addresses, worker, Unlimited())
    worker.close()


@pytest.fixture
def bounced(bounces, store, clock):
    """A report about that mail arrives; gives what the store then has of the address."""

    async def come(mail="m1", to=BOX, path=None, **said):
        sent = OutboxMail(mail, to.owner, to.address, "", "", START, START, START)
        path = path or ReturnPaths("play.example.org", bytes(32), clock).write(sent, to)
        assert await bounces.take(path, report(path, **said), clock()) is SmtpStatus.DONE
        return (await store.addresses.of(BOX.owner))[0]

    return come


async def test_one_report_that_there_is_no_mailbox_is_enough(bounced, clock):
    assert await bounced() == replace(BOX, refused=clock())


async def test_of_other_failures_it_takes_two_mails_within_a_week(bounced, clock):
    assert (await bounced(status="5.2.2")).in_effect
    assert (await bounced(status="5.2.2")).in_effect
    clock.turn(8 * DAY_MS)
    assert (await bounced("m2", status="5.2.2")).in_effect
    clock.turn(6 * DAY_MS)
    assert (await bounced("m3", status="5.2.2")).refused == clock()


async def test_a_report_about_another_or_an_older_address_changes_nothing(bounced):
    assert await bounced(to=replace(BOX, address="other@example.org")) == BOX
    assert await bounced(to=replace(BOX, confirmed=START - 5)) == BOX
    assert await bounced(to=replace(BOX, owner="nobody")) == BOX


async def test_a_forged_report_changes_nothing(bounced, clock):
    mail = OutboxMail("m1", BOX.owner, BOX.address, "", "", START, START, START)
    forged = ReturnPaths("play.example.org", bytes(31) + b"1", clock).write(mail, BOX)
    assert await bounced(path=forged) == BOX
    assert await bounced(path="bounce+f4ke@play.example.org") == BOX


async def test_a_report_that_comes_too_late_changes_nothing(bounced, bounces, clock):
    mail = OutboxMail("m1", BOX.owner, BOX.address, "", "", START, START, START)
    path = ReturnPaths("play.example.org", bytes(32), clock).write(mail, BOX)
    clock.turn((KEPT_DAYS + 1) * DAY_MS)
    assert await bounced(path=path) == BOX
