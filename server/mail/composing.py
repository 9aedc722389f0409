"""Writes a mail: a letter of plain values in, an EmailMessage out. Pure; knows no account and no server.

Every mail begins with one head, the name of the site and what the mail is about; links are at its foot, in the HTML
as words. Whatever the values hold, one header stays one header and one line one line: characters that are not
printable, among them every line break, become spaces.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from html import escape
from itertools import groupby
from textwrap import wrap
from typing import Final

from server.games.changes.beginning import player_for
from server.games.state import Game
from server.language import Language
from server.rules.notation.pgn_line import one_line, printable
from server.rules.variant.pieces import Color

WIDTH: Final = 76
LINK: Final = re.compile(r"(?P<page>https?://[^\s&<>]+)|\b[\w.+-]{1,100}@[\w-]+(?:\.[\w-]+)+", re.ASCII)
"""The address of a page, or of a mailbox."""
COMMAND: Final = re.compile(r"\s*([“«][^”»]*[”»](?:, [“«][^”»]*[”»])*)\s*(.*)")
"""A row of a list of commands: what to write, and what that does."""
ENCODING: Final = "quoted-printable"
"""Of each part: it leaves no = in it, so that no text can end a part."""
PROGRAM: Final = "Fairyhouse"
"""What a site is called whose host has chosen no name."""
BORDER: Final = "+---+"
"""Of a board that is drawn in letters."""
DARK: Final = (
    "@media (prefers-color-scheme:dark){.page,.answer{background:#141816!important}.sheet{background:#1d2320!important;"
    "color:#e9e6de!important}.own,.own a,.linking a{color:#86cdb4!important}"
    ".foot{color:#a9b0ab!important;border-color:#39423d!important}}"
)
"""For programs that follow the reader's wish for a dark page; the others show the light one."""
PAGE: Final = "margin:0;padding:0;background:#f4f2ec"
SHEET: Final = (
    "max-width:568px;margin:0 auto;padding:20px 16px 24px;background:#ffffff;color:#1b201d;"
    "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere"
)
MAST: Final = "margin:0 0 4px;color:#17644f;font-size:14px;font-weight:600"
TITLE: Final = "margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600"
LEAD: Final = "margin:0 0 12px;font-size:17px"
PARAGRAPH: Final = "margin:0 0 12px"
PICTURE: Final = "display:block;width:100%;max-width:400px;height:auto;border:0"
ROW: Final = "margin:0 0 4px;padding-left:20px;text-indent:-20px"
ROWS: Final = "margin:0 0 12px"
TABLE: Final = "margin:0 0 12px;font:13px/1.5 Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre-wrap"
DRAWN: Final = "margin:0 0 12px;font:12px/1.2 Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-x:auto"
ANSWER: Final = "margin:16px 0;padding:12px 14px 1px;background:#f4f2ec;border-left:4px solid #17644f"
LINK_STYLE: Final = "color:#17644f"
LINKS: Final = "margin:16px 0 0;color:#17644f"
FOOT: Final = "margin:20px 0 0;padding-top:12px;border-top:1px solid #dcd8cc;color:#5c635f;font-size:13px"
POLICY: Final = SMTP.clone(max_line_length=998)
"""Headers are not folded: the standard library would write a long address of a page as encoded words."""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What all mails of a site share: the mailbox `sender`, the `domain` in their ids, and what the site is called."""

    sender: str
    domain: str
    site: str = PROGRAM


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """Where an answer goes, and the `lines` that say how to answer, in the reader's language."""

    address: str
    lines: tuple[str, ...]


Linked = tuple[str, str]
"""Words, and the address that they lead to."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to the mailbox `to`, written at `at` (ms), as `lines` of text. How to answer it stands below them.

    `links`: to game and rules, and `foot`: to end such mail, each as words and an address. `headings`: those of the
    lines that head what follows.

    `id`: as long as it is the same, mail programs take it for the same mail. `thread`: mails of the same are shown
    together, "": it stands alone. `unsubscribe`: the address where one POST ends such mail (RFC 8058), "": none.
    `auto`: what RFC 3834 calls it, which other machines do not answer. `picture`: a PNG of the board that takes the
    place of what is drawn first in the text, for programs that show pictures; none if empty. `picture_words` are shown
    by those that show HTML and no pictures.
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
    picture_words: str = ""
    links: tuple[Linked, ...] = ()
    foot: tuple[Linked, ...] = ()
    headings: frozenset[str] = frozenset()


def compose(letter: Letter, letterhead: Letterhead) -> EmailMessage:
    """The mail as text and as HTML, in ASCII throughout, so that any server takes it."""
    message = EmailMessage(POLICY)
    message["From"] = Address(_of_one_line(letterhead.site), addr_spec=letterhead.sender)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = _of_one_line(letter.subject)
    message["Date"] = datetime.fromtimestamp(letter.at / 1000, UTC)
    message.set_content(
        "".join(f"{row}\n" for line in _text(letter, letterhead) for row in _wrapped(line)), cte=ENCODING
    )
    # Programs that show text in a proportional font would spoil a board.
    message.add_alternative(_as_html(letter, letterhead), subtype="html", cte=ENCODING)
    if letter.picture:
        _, html = message.iter_parts()
        html.add_related(letter.picture, "image", "png", cid=f"<{letter.id}@picture>", disposition="inline")
        html.set_boundary(f"=r_{letter.id}")
    message.set_boundary(f"=_{letter.id}")
    # After the content, which takes out every header about content.
    for name, value in _further_headers(letter, letterhead):
        message[name] = value
    return message


def compose_text(letter: Letter, letterhead: Letterhead) -> str:
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


def _head(letter: Letter) -> str:
    """What the mail is about: its subject."""
    return printable(letter.subject.removeprefix("Re: "))


def _text(letter: Letter, letterhead: Letterhead) -> Iterator[str]:
    """The lines of the mail as text. The first is recognised where it is quoted (`written_lines`)."""
    yield f"{printable(letterhead.site)} · {_head(letter)}"
    for lines in (
        letter.lines,
        letter.reply.lines if letter.reply else (),
        [f"{words}: {address}" for words, address in letter.links],
        [f"{words}: {address}" for words, address in letter.foot],
    ):
        if lines:
            yield ""
            yield from map(printable, lines)


def _as_html(letter: Letter, letterhead: Letterhead) -> str:
    """The same as HTML: paragraphs, and drawings as they are, or the picture instead of the first."""
    alt = escape(printable(letter.picture_words), quote=True)
    picture = f'<img src="cid:{letter.id}@picture" alt="{alt}" style="{PICTURE}">'
    pictures = [picture] if letter.picture else []
    site = escape(printable(letterhead.site))
    parts = [f'<p class="own" style="{MAST}">{site}</p>\n<h1 style="{TITLE}">{escape(_head(letter))}</h1>\n']
    parts += _paragraphs(letter.lines, pictures, letter.headings)
    if letter.reply and letter.reply.lines:
        answer = "".join(_paragraphs(letter.reply.lines, []))
        parts.append(f'<div class="answer" style="{ANSWER}">\n{answer}</div>\n')
    for linked, name, style in ((letter.links, "own", LINKS), (letter.foot, "foot", FOOT)):
        if linked:
            shown = " &nbsp; ".join(
                f'<a href="{escape(address, quote=True)}" style="color:inherit">{escape(printable(words))}</a>'
                for words, address in linked
            )
            parts.append(f'<p class="{name}" style="{style}">{shown}</p>\n')
    head = '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
    return (
        f'<!doctype html>\n<html lang="{letter.language}"><head>{head}<style>{DARK}</style></head>\n'
        f'<body class="page" style="{PAGE}">\n'
        f'<div class="sheet" style="{SHEET}">\n{"".join(parts)}</div>\n</body></html>\n'
    )


def _paragraphs(lines: Iterable[str], pictures: list[str], headings: Set[str] = frozenset()) -> list[str]:
    """The lines as HTML: those between empty ones are one paragraph. Takes the pictures that it shows."""
    parts: list[str] = []
    for indented, group in groupby(map(printable, lines), key=lambda line: " " if line.startswith(" ") else bool(line)):
        rows = list(group)
        if indented == " ":
            parts += _drawing(rows, pictures)
        elif indented:
            style = PARAGRAPH if parts else LEAD
            shown = f"<br>{chr(10)}".join(f"<b>{escape(row)}</b>" if row in headings else _linked(row) for row in rows)
            parts.append(f'<p class="linking" style="{style}">{shown}</p>\n')
    return parts


def _drawing(rows: Sequence[str], pictures: list[str]) -> Iterator[str]:
    """A board, for which there may be a picture; or rows of commands and of tables, which may be broken."""
    if any(BORDER in row for row in rows):
        shown = pictures.pop() if pictures else None
        yield f"<p>{shown}</p>\n" if shown else f'<pre style="{DRAWN}">\n{_escaped(rows)}\n</pre>\n'
        return
    for is_command, group in groupby(rows, key=lambda row: COMMAND.fullmatch(row) is not None):
        if is_command:
            yield f'<div style="{ROWS}">\n{"".join(map(_command_row, group))}</div>\n'
        else:
            yield f'<div style="{TABLE}">{_escaped(group)}</div>\n'


def _escaped(rows: Iterable[str]) -> str:
    return "\n".join(map(escape, rows))


def _linked(row: str) -> str:
    """The row with each address in it as a link."""

    def link(found: re.Match[str]) -> str:
        address = found[0] if found["page"] else f"mailto:{found[0]}"
        return f'<a href="{address}" style="{LINK_STYLE}">{found[0]}</a>'

    return LINK.sub(link, escape(row))


def _command_row(row: str) -> str:
    found = COMMAND.fullmatch(row)
    assert found is not None
    command, does = map(escape, found.groups())
    return f'<p style="{ROW}"><b>{command}</b>&nbsp; {does}</p>\n'


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


def game_subject(game: Game, color: Color, language: Language, called: str) -> str:
    """For the player of `color`: "Grand Chess against Ben (dTv2QzwC0u)". `called`: the name of the variant."""
    opponent = player_for(game, color.other)
    if opponent is None:
        # Nobody has taken that seat, and who was asked is not known any more.
        return language.plain("mail.unplayed_subject", variant=called)
    name = language.person(opponent.name)
    return language.plain("mail.game_subject", variant=called, name=name, game=game.id)


def test_message(sender: str, address: str) -> str:
    """A mail by which a host tries the mail server; it says only what it is."""
    message = EmailMessage()
    message["From"], message["To"] = sender, address
    message["Subject"] = "Fairyhouse can send mail"
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("The host of a Fairyhouse site has sent this by `fairyhouse mail test`. It works.\n")
    return message.as_string()
