"""What is read in the reports of mail servers, and what becomes of the addresses that they are about."""

import base64
import contextlib
import quopri
from dataclasses import replace
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.mail.inbound.addresses import KEPT_DAYS, ReturnPaths
from server.mail.inbound.received_mail import MAX_BYTES, UnreadableMail, read_mail
from server.mail.inbound.replies import Bounces, SmtpStatus, failure_in
from server.mail.inbound.worker import MailWorker
from server.storage.sqlite.store import SqliteStore
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import OutboxMail
from tests.support.games import START, VARIANTS
from tests.support.machine_speed import costs_at_most
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


def wrapped(part, kind=b"mixed", boundary=b"o"):
    """A mail whose second part is `part`, after the words of a gateway."""
    opening = b"Content-Type: multipart/%b; boundary=%b\r\n\r\n" % (kind, boundary)
    said = b"Content-Type: text/plain\r\n\r\nThis mail came from outside."
    return opening + b"".join(b"--%b\r\n%b\r\n" % (boundary, one) for one in (said, part)) + b"--%b--\r\n" % boundary


NO_REPORTS = {
    "late": report(status="4.4.1", action="delayed"),
    "given up for now": report(status="4.4.7"),
    "delivered": report(status="2.1.5", action="delivered"),
    "permanent, but only late": report(action="delayed"),
    "no status": report(status="five"),
    "a reply with the words of a report": b"Subject: Re\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n",
    "an absence": b"Auto-Submitted: auto-replied\r\n\r\nStatus: 5.1.1\r\nAction: failed\r\n",
    "another report": report().replace(b"message/delivery-status", b"message/disposition-notification"),
    "a report in a mail that somebody forwards": wrapped(b"Content-Type: message/rfc822\r\n\r\n" + report()),
    "a report in a digest": wrapped(b"\r\n" + report(), kind=b"digest"),
    "nothing": b"",
}


@pytest.mark.parametrize("status", ["5.1.1", "5.2.2", "5.7.26", "5.0.0"])
def test_the_status_of_a_mail_that_has_failed_for_good_is_read(status):
    assert failure_in(report(status=status)) == status


def test_a_report_need_not_be_called_one():
    """OpenSMTPD and Domino write so."""
    assert failure_in(report().replace(b"multipart/report; report-type=delivery-status", b"multipart/mixed")) == "5.1.1"


SENT = "\n\nReturn-Path: <bounce@mail.example.com>\nSubject: Chess\n\nStatus 5.1.1 is no report\n"
QMAIL = """\
From: MAILER-DAEMON@example.org
Subject: failure notice

Hi. This is the qmail-send program at example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@example.org>:
{said}

--- Below this line is a copy of the message."""
EXIM = """\
From: Mail Delivery System <Mailer-Daemon@example.org>
X-Failed-Recipients: anna@example.org
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  anna@example.org
    {said}

------ This is a copy of the message, including all the headers. ------"""


@pytest.mark.parametrize(
    ("form", "said", "code"),
    [
        (QMAIL, "Sorry, no mailbox here by that name. (#5.1.1)", "5.1.1"),
        (QMAIL, "Sorry, I couldn't find any host named example.org. (#5.1.2)", "5.1.2"),
        (QMAIL, "192.0.2.7 does not like recipient.\nRemote host said: 550 5.2.1 disabled\nGiving up.", "5.2.1"),
        (QMAIL, "192.0.2.55 does not like recipient.\nRemote host said: 550 no such user", "5.0.0"),
        (QMAIL, "I'm not going to try again; this message has been in the queue too long. (#4.4.7)", None),
        (QMAIL.replace("qmail-send program", "deliver program"), "No such user (#5.1.1)", "5.1.1"),
        (EXIM, "SMTP error from remote mail server after RCPT TO:<anna@example.org>:\n    550 5.1.1 unknown", "5.1.1"),
        (EXIM, "host mx.example.org [192.0.2.5]\n    SMTP error: 552 5.2.2 mailbox full", "5.2.2"),
        (EXIM, "host mx.example.org [192.0.2.5]\n    SMTP error: 550 Unknown user", "5.0.0"),
        (EXIM, "retry timeout exceeded", None),
        (EXIM, "451 4.7.1 try again later", None),
        (EXIM.replace("X-Failed-Recipients: anna@example.org\n", ""), "550 5.1.1 unknown", None),
    ],
)
def test_servers_that_report_in_words_are_understood(form, said, code):
    assert failure_in((form.format(said=said) + SENT).replace("\n", "\r\n").encode()) == code
    assert read_mail((form.format(said=said) + SENT).encode()).automatic


OF_OTHERS = {
    "sendmail": report().replace(
        b"Status: 5.1.1", b"Status: 5.1.1\r\nLast-Attempt-Date: Mon, 23 Nov 2026 10:00:00 GMT"
    ),
    "exchange": wrapped(
        b"Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n<p>No</p>\r\n--r--"
    ).replace(b"--o--\r\n", b"")
    + report()
    .partition(b"=_b\r\nContent-Description: Delivery report\r\n")[2]
    .replace(b"--=_b", b"--o")
    .join([b"--o\r\n", b""]),
    "gmail": report().replace(b"Action: failed", b"Action: failed\r\nFinal-Log-ID: x").replace(b"us-ascii", b"utf-8"),
    "in german": report().replace(
        b"I'm sorry to have to inform you", "Ihre Nachricht ließ sich nicht zustellen".encode()
    ),
    "in japanese": report().replace(b"I'm sorry", "メールを配信できませんでした".encode("iso-2022-jp")),
    "with bare line feeds": report().replace(b"\r\n", b"\n"),
    "with tabs": report().replace(b"Action: failed", b"Action:\tfailed").replace(b"Status: ", b"Status:\t"),
    "with capitals": report()
    .replace(b"Action: failed", b"ACTION: FAILED")
    .replace(b"message/delivery", b"MESSAGE/DELIVERY"),
}


@pytest.mark.parametrize("content", OF_OTHERS.values(), ids=OF_OTHERS)
def test_reports_of_many_servers_are_read(content):
    assert failure_in(content) == "5.1.1"


def test_a_report_that_a_gateway_has_wrapped_is_read():
    assert failure_in(wrapped(report())) == "5.1.1"
    assert failure_in(wrapped(wrapped(TWO, boundary=b"i"))) == "5.2.2"


def test_a_report_wrapped_again_and_again_is_refused():
    content = report()
    for level in range(1_000):
        content = b"Content-Type: multipart/mixed; boundary=l%d\r\n\r\n--l%d\r\n" % (level, level) + content
        if level == 20:
            assert failure_in(content) == "5.1.1"
    with pytest.raises(UnreadableMail):
        failure_in(content)


@pytest.mark.parametrize("name", [b"message/global-delivery-status", b"\r\n Message/Global-Delivery-Status; x=y"])
def test_a_report_about_an_address_beyond_ascii_is_read(name):
    """RFC 6533, as postfix writes it if the mail was sent with SMTPUTF8."""
    said = report().replace(b"message/delivery-status", name)
    said = said.replace(b"rfc822; anna@", "utf-8; añña@".encode()).replace(b"no\r\n", "no sé\r\n".encode())
    assert failure_in(said) == "5.1.1"
    assert failure_in(wrapped(said)) == "5.1.1"


ENCODERS = {b"base64": base64.encodebytes, b"quoted-printable": lambda text: quopri.encodestring(text, quotetabs=True)}


@pytest.mark.parametrize("name", [b"message/delivery-status", b"message/global-delivery-status"])
@pytest.mark.parametrize("encoding", ENCODERS)
def test_a_report_that_was_encoded_on_its_way_is_read(encoding, name):
    head, begin, rest = report().partition(b"Content-Type: message/delivery-status\r\n\r\n")
    fields, end, rest = rest.partition(b"--=_b")
    # So that nothing of it can be read as it is.
    encoded = ENCODERS[encoding](fields).replace(b"5.1.1", b"5=2E1=2E1").replace(b"failed", b"f=61iled")
    begin = b"Content-Type: %b\r\nContent-Transfer-Encoding: %b\r\n\r\n" % (name, encoding)
    said = head + begin + encoded + end + rest
    assert failure_in(said) == "5.1.1"
    assert failure_in(wrapped(said)) == "5.1.1"
    assert read_mail(said.replace(b"multipart/report; report-type=delivery-status", b"multipart/mixed")).automatic
    with contextlib.suppress(UnreadableMail):
        assert failure_in(head + begin + b"====\r\n" + end + rest) is None


def test_a_report_about_very_many_recipients_is_read_as_far_as_it_may_be():
    fields = b"Reporting-MTA: dns; x\n\n" + b"a\n\n" * 11_000 + b"Action: failed\nStatus: 5.1.1\n"
    began = thread_time()
    part = b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(fields)
    assert failure_in(b"Content-Type: message/delivery-status\r\n" + part) is None
    assert failure_in(wrapped(b"Content-Type: message/delivery-status\r\n" + part)) is None
    assert costs_at_most(thread_time() - began, 1000)


def test_a_report_that_repeats_a_large_mail_is_read():
    large = report().replace(b"--=_b--", b"a line of the mail that failed\r\n" * 5_000 + b"--=_b--")
    assert len(large) > 2 * MAX_BYTES
    assert failure_in(large) == "5.1.1"


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
    await store.addresses.add(BOX)
    worker = MailWorker()
    yield Bounces(ReturnPaths("play.example.org", bytes(32), clock), store.addresses, worker, Unlimited(), Unlimited())
    worker.close()


@pytest.fixture
def bounced(bounces, store, clock):
    """A report about that mail arrives; gives what the store then has of the address."""

    async def come(mail="m1", to=BOX, path=None, **said):
        sent = OutboxMail(mail, to.owner, to.address, "", "", START, START, START)
        path = path or ReturnPaths("play.example.org", bytes(32), clock).write_address(sent, to)
        assert await bounces.take_mail(path, report(path, **said), clock()) is SmtpStatus.DONE
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
    forged = ReturnPaths("play.example.org", bytes(31) + b"1", clock).write_address(mail, BOX)
    assert await bounced(path=forged) == BOX
    assert await bounced(path="bounce+f4ke@play.example.org") == BOX


async def test_a_report_that_comes_too_late_changes_nothing(bounced, bounces, clock):
    mail = OutboxMail("m1", BOX.owner, BOX.address, "", "", START, START, START)
    path = ReturnPaths("play.example.org", bytes(32), clock).write_address(mail, BOX)
    clock.turn((KEPT_DAYS + 1) * DAY_MS)
    assert await bounced(path=path) == BOX
