"""Writes a mail: a letter of plain values in, an EmailMessage out. Pure; knows no game, no account and no server.

Whatever the values hold, one header stays one header and one line one line: characters that are not printable, among
them every line break, become spaces.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from itertools import groupby
from textwrap import wrap
from typing import Final

from server.rules.notation.printable import one_line, printable

WIDTH: Final = 76
LINK: Final = re.compile(r"https?://[^\s&<>]+")
ENCODING: Final = "quoted-printable"
"""Of each part: it leaves no = in it, so that no text can end a part."""
POLICY: Final = SMTP.clone(max_line_length=998)
"""Headers are not folded: the standard library would write a long address of a page as encoded words."""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What all mails of a site share: the mailbox `sender`, and the `domain` in their ids."""

    sender: str
    domain: str


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """Where an answer goes, and the `lines` that say how to answer, in the reader's language."""

    address: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to the mailbox `to`, written at `at` (ms), as `lines` of text.

    `id`: as long as it is the same, mail programs take it for the same mail. `thread`: mails of the same are shown
    together, "": it stands alone. `unsubscribe`: the address where one POST ends such mail (RFC 8058), "": none.
    `auto`: what RFC 3834 calls it, which other machines do not answer. `picture`: a PNG of the board that is drawn in
    letters in the text, for programs that show pictures; none if empty.
    """

    to: str
    subject: str
    lines: tuple[str, ...]
    id: str
    at: int
    language: str
    thread: str = ""
    unsubscribe: str = ""
    reply: ReplyTo | None = None
    auto: str = "auto-generated"
    picture: bytes = b""


def compose(letter: Letter, letterhead: Letterhead) -> EmailMessage:
    """The mail as text and as HTML, in ASCII throughout, so that any server takes it."""
    message = EmailMessage(POLICY)
    message["From"] = Address("Fairyhouse", addr_spec=letterhead.sender)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = _of_one_line(letter.subject)
    message["Date"] = datetime.fromtimestamp(letter.at / 1000, UTC)
    lines = (*letter.lines, *(("", *letter.reply.lines) if letter.reply else ()))
    lines = tuple(map(printable, lines))
    message.set_content("".join(f"{row}\n" for line in lines for row in _wrapped(line)), cte=ENCODING)
    # Programs that show text in a proportional font would spoil a board.
    message.add_alternative(_as_html(lines, letter), subtype="html", cte=ENCODING)
    if letter.picture:
        _, html = message.iter_parts()
        html.add_related(letter.picture, "image", "png", cid=f"<{letter.id}@picture>", disposition="inline")
        html.set_boundary(f"=r_{letter.id}")
    message.set_boundary(f"=_{letter.id}")
    # After the content, which takes out every header about content.
    for name, value in _further_headers(letter, letterhead):
        message[name] = value
    return message


def written(letter: Letter, letterhead: Letterhead) -> str:
    """The mail as it goes over the wire."""
    return compose(letter, letterhead).as_bytes().decode("ascii")


def _of_one_line(text: str) -> str:
    """`text` for a header, where it must not begin an encoded word: the standard library would decode it, and write
    the line breaks that were encoded in it."""
    return one_line(text).replace("=?", "= ?")


def _wrapped(line: str) -> list[str]:
    """The line in rows short enough to be read anywhere; one that begins with a space is part of a drawing."""
    if line.startswith(" "):
        return [line.rstrip()]
    return wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def _as_html(lines: tuple[str, ...], letter: Letter) -> str:
    """The lines as paragraphs, with drawings as they are and links that can be followed; first the picture."""
    # What it shows is drawn in the text as well.
    parts = [f'<p><img src="cid:{letter.id}@picture" alt=""></p>\n'] if letter.picture else []
    for drawn, group in groupby(lines, key=lambda line: line.startswith(" ")):
        rows = [LINK.sub(r'<a href="\g<0>">\g<0></a>', escape(line)) for line in group]
        parts.append(
            "<pre>\n{}\n</pre>".format("\n".join(rows)) if drawn else "".join(f"<p>{row}</p>\n" for row in rows if row)
        )
    return f'<!doctype html>\n<html lang="{letter.language}"><body>\n{"".join(parts)}</body></html>\n'


def _further_headers(letter: Letter, letterhead: Letterhead) -> Iterator[tuple[str, str]]:
    yield "Message-ID", f"<{letter.id}@{letterhead.domain}>"
    if letter.thread:
        # No mail has this id: that each refers to it puts all of them into one thread, whichever of them are kept.
        for name in ("In-Reply-To", "References"):
            yield name, f"<{letter.thread}@{letterhead.domain}>"
    if letter.reply:
        yield "Reply-To", letter.reply.address
    if letter.unsubscribe:
        yield "List-Unsubscribe", f"<{letter.unsubscribe}>"
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    yield "Content-Language", letter.language
    yield "Auto-Submitted", letter.auto
    yield "X-Auto-Response-Suppress", "All"
