"""Mails that nobody writes: they are refused, soon, and nothing else comes of them."""

import contextlib
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.mail.inbound.reading.received_mail import MAX_BYTES, UnreadableMail, read_mail
from tests.support.mail.corpus import REPLIES

PLAIN = b"Message-ID: <1@x>\r\n"
MIXED = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def test_a_mail_that_is_too_large_is_refused():
    assert read_mail(PLAIN + b"\r\n" + b"e4\r\n" * 1000).lines[0] == "e4"
    with pytest.raises(UnreadableMail):
        read_mail(PLAIN + b"\r\n" + b"x" * MAX_BYTES)


STRANGE = {
    "many headers": b"".join(b"A%d: b\r\n" % n for n in range(5_000)) + b"\r\ne4",
    "many parts": PLAIN + MIXED + b"--b\r\n\r\ne4\r\n" * 5_000,
    "parts in parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(900)
    ),
    "long type": PLAIN + b"Content-Type: text/plain; " + b"a*0=b; " * 8_000 + b"\r\n\r\ne4",
    "nested comments": PLAIN + b"Content-Type: " + b"(" * 60_000 + b"\r\n\r\ne4",
    "long id": b"Message-ID: " + b"<" * 60_000 + b"\r\n\r\ne4",
    "long charset": PLAIN + b"Content-Type: text/plain; charset=" + b"x" * 1_500 + b"\r\n\r\ne4",
    "nul in charset": PLAIN + b'Content-Type: text/plain; charset="a\0b"\r\n\r\ne4',
    "punycode": PLAIN + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a-" + b"9" * 60_000,
    "deep html": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<div>" * 12_000,
    "unmatched ends": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<b>" * 120 + b"</i>" * 12_000,
    "one long tag": PLAIN + b"Content-Type: text/html\r\n\r\n<a " + b"b=c " * 15_000,
    "unfinished tags": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<a" * 30_000,
    "unfinished values": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<a b='" * 10_000 + b">",
    "unfinished declarations": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<!a" * 16_000 + b">",
    "unfinished instructions": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<?" * 16_000,
    "unfinished ends": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"</a" * 16_000 + b">",
    "unfinished sections": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<![" * 16_000 + b">",
    "ampersands": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"&" * 60_000,
    "long type in a part": PLAIN + MIXED + b"--b\r\nContent-Type: text/plain; " + b"a*0=b; " * 8_000 + b"\r\n\r\ne4",
    "unfinished comments": PLAIN + b"Content-Type: text/html\r\n\r\n" + b"<!--" * 16_000,
    "many short lines": PLAIN + b"\r\n" + b"a\r\n" * 21_000,
    "one long line": PLAIN + b"\r\n" + b"On a" * 16_000,
    "almost an attribution": PLAIN + b"\r\n" + (b"On " + b"wrote " * 200 + b"\r\n") * 50,
    "one long rule": PLAIN + b"\r\n" + b"-" * 60_000 + b":",
    "many signs of an address": PLAIN + b"\r\n2026-11-22 1<a" + b"@a" * 29_000 + b":",
    "encoded words": b"Message-ID: <1@x>\r\nSubject: " + b"=?utf-8?q?a?= " * 4_000 + b"\r\n\r\ne4",
}


def test_a_mail_in_very_many_parts_is_not_taken_apart():
    with pytest.raises(UnreadableMail, match="boundaries"):
        read_mail(STRANGE["parts in parts"][:MAX_BYTES])


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_mail_is_read_or_refused_soon(what):
    content = STRANGE[what][:MAX_BYTES]
    began = thread_time()
    with contextlib.suppress(UnreadableMail):
        read_mail(content)
    assert thread_time() - began < 1.0


@given(st.binary(max_size=2_000), st.integers(0, len(REPLIES) - 1), st.integers(0, 3_000))
def test_a_damaged_mail_is_read_or_refused(noise, nth, at):
    content = REPLIES[nth].read_bytes()
    with contextlib.suppress(UnreadableMail):
        read_mail(content[:at] + noise + content[at:])


@given(st.binary(max_size=4_000))
def test_any_bytes_are_read_or_refused(content):
    with contextlib.suppress(UnreadableMail):
        read_mail(content)
