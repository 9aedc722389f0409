"""Mails that nobody writes: they are refused, soon, and nothing else comes of them."""

import contextlib
from email.header import Header
from time import thread_time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.mail.inbound.received_mail import MAX_BYTES, UnreadableMail, read_mail
from tests.support.machine_speed import costs_at_most
from tests.support.mail.bounced import report
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


def attached(parameters):
    """A move, and as many attachments as a mail may have, with that behind the type of each."""
    part = b"--b\r\nContent-Type: text/plain" + parameters + b"\r\n\r\nx\r\n"
    return PLAIN + MIXED + b"--b\r\n\r\ne4\r\n" + part * 45 + b"--b--\r\n"


def test_what_stands_behind_the_types_of_parts_is_bounded_for_the_whole_mail():
    outlook = b'; name="a.png"; charset=utf-8; size=9;\r\n creation-date="x"; modification-date="y"; x=1; y=2'
    assert read_mail(attached(outlook)).lines == ("e4",)
    for parameters in (b"; a=b" * 190, b"; =" * 246):
        with pytest.raises(UnreadableMail, match="parameters"):
            read_mail(attached(parameters))


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_mail_is_read_or_refused_soon(what):
    content = STRANGE[what][:MAX_BYTES]
    began = thread_time()
    with contextlib.suppress(UnreadableMail):
        read_mail(content)
    assert costs_at_most(thread_time() - began, 1000)


@pytest.mark.parametrize("line", [b"\r\n", b"\n", b"\r", b" \r\n", b"\t\n", b"a\n", b"> \n", b"-- \n", b"\xc2\xa0\n"])
@pytest.mark.parametrize("kind", [b"", b"Content-Type: text/html\r\n", b"Content-Type: text/plain; format=flowed\r\n"])
def test_a_mail_of_empty_lines_costs_nothing(line, kind):
    head = PLAIN + kind + b"\r\n"
    content = head + line * ((MAX_BYTES - len(head)) // len(line))
    read_mail(PLAIN + b"\r\nNf3")
    took = []
    for _ in range(3):
        began = thread_time()
        with contextlib.suppress(UnreadableMail):
            read_mail(content)
        took.append(thread_time() - began)
    assert costs_at_most(min(took), 15)


@pytest.mark.parametrize(
    "header",
    [
        *("X-Apple-Action: VACATION", "X-Autoreply: yes", "Auto-Submitted: auto-replied", "X-Precedence: bulk"),
        *("X-Vacation: yes", "X-Auto-Response: 1", "Subject: Abwesend: Your move", "Subject: Undeliverable: Your move"),
        *("Subject: Autoodpowiedź: Your move", "Subject: Автоответ: Your move", "Subject: Réponse automatique"),
    ],
)
def test_an_answer_of_a_program_is_known(header):
    assert read_mail(f"Message-ID: <1@x>\r\n{header}\r\n\r\nI am away".encode()).automatic


ABSENT = [
    *("Automatic reply: Fairyhouse", "Out of Office: your move", "AUTO-REPLY Re: your move", "[Autoreply] your move"),
    *("Automatisk svar: Du er i træk", "Fraværsbesked", "Automatiskt svar: Ditt drag", "Frånvaromeddelande"),
    *("Fraværsmelding: Ditt trekk", "Automaattinen vastaus: Sinun siirtosi", "Poissaoloilmoitus"),
    *("Automatická odpověď: Váš tah", "AUTOMATICKA ODPOVED: Vas tah", "Automatyczna odpowiedź: Twój ruch"),
    *("Odpowiedź automatyczna: Twój ruch", "Otomatik yanıt: Sıra sizde", "OTOMATİK YANIT: sıra sizde"),
    *(
        "Automatikus válasz: Ön lép",
        "Házon kívül",
        "自動返信: あなたの番です",
        "【自動返信】あなたの番です",
        "不在通知",
    ),
    *("Автоответ: Ваш ход", "Автоматический ответ: Ваш ход", "自动回复：轮到你了", "自動回覆: 輪到你了"),
    *("자동 회신: 당신 차례", "자동응답 당신 차례", "Resposta automática: Sua vez", "Ausência temporária: Sua vez"),
    *("Respuesta automática: tu turno", "Fuera de oficina: tu turno", "Risposta automatica: tocca a te", "Fuori sede"),
    *("Automatisch antwoord: jouw beurt", "Afwezigheidsbericht", "Automatische Antwort: am Zug", "Abwesenheitsnotiz"),
    *("Réponse automatique : à vous", normalize("NFD", "Réponse automatique")),
]
PRESENT = [
    *("Re: Fairyhouse", "Sv: Chess against Ben: your move", "Vacation", "Vacaciones", "Auto", "Autos", "Office"),
    *("Automatic", "自動", "外出", "Poissa", "Fravær", "Urlaub", "Absence", "Re: the automatic reply that you sent"),
]


def titled(subject):
    encoded = Header(subject, "utf-8").encode(linesep="\r\n")
    return f"Message-ID: <1@x>\r\nSubject: {encoded}\r\n\r\ne4".encode()


@pytest.mark.parametrize("subject", ABSENT)
def test_an_answer_of_a_program_is_known_by_its_subject_in_many_languages(subject):
    assert read_mail(titled(subject)).automatic


def test_what_people_write_is_not_taken_for_an_answer_of_a_program():
    assert [subject for subject in PRESENT if read_mail(titled(subject)).automatic] == []


@pytest.mark.parametrize("subject", ["=?é?q?e4?=", "=?nothing?q?e4?=", "=?utf-8?b?e?=", "=?utf-8?q?=ff?="])
def test_a_mail_is_read_also_if_its_subject_cannot_be_decoded(subject):
    assert read_mail(f"Message-ID: <1@x>\r\nSubject: {subject}\r\n\r\ne4".encode()).lines == ("e4",)


def test_a_report_about_a_mail_is_automatic_whatever_it_is_called():
    assert read_mail(report().replace(b"multipart/report; report-type=delivery-status", b"multipart/mixed")).automatic


@given(st.binary(max_size=2_000), st.integers(0, len(REPLIES) - 1), st.integers(0, 3_000))
def test_a_damaged_mail_is_read_or_refused(noise, nth, at):
    content = REPLIES[nth].read_bytes()
    with contextlib.suppress(UnreadableMail):
        read_mail(content[:at] + noise + content[at:])


@given(st.binary(max_size=4_000))
def test_any_bytes_are_read_or_refused(content):
    with contextlib.suppress(UnreadableMail):
        read_mail(content)
