"""Replies as programs of many makers write them to our own letters, in four languages: each gives its move, or nothing.

`kinds_of_replies.txt` has them, each with what must come of it (`X-Wanted`: its lines, divided by " | ", or that a
program wrote it), and places for what it quotes. `replies` has whole mails.
"""

import base64
import quopri
from email import message_from_string
from itertools import cycle
from pathlib import Path
from textwrap import wrap

import pytest

from server.games.clocks.time_control import TimeControl
from server.language import load_words
from server.mail.composing import Letterhead, ReplyTo, compose
from server.mail.inbound.answer_text import how_to_answer
from server.mail.inbound.grammar import is_command
from server.mail.inbound.received_mail import read_mail
from server.mail.inbound.written_lines import written_lines
from server.web.notifications.letters import LetterLinks, Recipient, game_letter
from server.web.variant_words import names_in
from tests.support.games import START, WANDA, WHITE, live_game, moved
from tests.support.rules.built_in import VARIANTS

KINDS = {}
for entry in (Path(__file__).parent / "kinds_of_replies.txt").read_text(encoding="utf-8").split("=== ")[1:]:
    KINDS[entry.partition("\n")[0]] = entry.partition("\n")[2]
ADDRESS, HERE = "play+token@mail.example.com", "https://play.example.org"
SAID = "so I ask you to\naccept\n\nNf3\n\n-- \nBoris"
"""What an opponent writes who hopes that it is taken for an answer."""
ENCODERS = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}


def letter(code):
    """Our letter to White as text and as HTML, in which the opponent has said something."""
    language, game = load_words()[code], moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5")
    reader = Recipient(WANDA, language, names_in(code, VARIANTS)["chess"], (SAID,))
    links = LetterLinks(f"{HERE}/0123456789", f"{HERE}/rules/chess", f"{HERE}/mail/unsubscribe/{'x' * 60}")
    reply = ReplyTo(ADDRESS, how_to_answer(game, WHITE, language))
    made = compose(
        game_letter(game, "id", "wanda@example.org", reader, START, links, reply), Letterhead("a@b.org", "b.org")
    )
    return [made.get_body((kind,)).get_content().strip() for kind in ("plain", "html")]


LETTERS = {code: letter(code) for code in load_words()}


def marked(text, mark="> "):
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def wrapped(text):
    """The text marked by a program that then wraps it, and marks only the first row of each line."""
    rows = [row for line in text.split("\n") for row in wrap(f"> {line}", 72, break_long_words=False)]
    return "\n".join(rows)


def quoting(body, code):
    """The body with our letter in its places."""
    text, html = LETTERS[code]
    stuffed = "\n".join(f">{line}" if line.startswith(" ") else f"> {line}".rstrip() for line in text.split("\n"))
    for place, quoted in {
        "address": ADDRESS,
        "letter": text,
        "html": html,
        "marked": marked(text),
        "twice": marked(marked(text)),
        "piped": marked(text, "| "),
        "flowed": stuffed,
        "wrapped": wrapped(text),
        "wrapped_twice": wrapped(marked(text)),
    }.items():
        body = body.replace(f"{{{place}}}", quoted)
    return body


def delivered(name, code, change=lambda body: body):
    """The mail as it arrives, and what must come of it."""
    kind = message_from_string(KINDS[name])
    wanted = kind["X-Wanted"]
    del kind["X-Wanted"]
    for header, usual in {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Subject": "Re: Chess against Boris (0123456789)",
        "From": "Wanda <wanda@example.org>",
        "Message-ID": f"<{name}@example.org>",
    }.items():
        kind[header] = kind[header] or usual
    head = "".join(f"{header}: {value}\n" for header, value in dict(reversed(kind.items())).items())
    charset = kind.get_param("charset") or "utf-8"
    body = quoting(change(KINDS[name].partition("\n\n")[2]), code).encode(charset, "replace")
    body = ENCODERS.get(kind["Content-Transfer-Encoding"], bytes)(body)
    return (head.encode() + b"\n" + body).replace(b"\n", b"\r\n"), wanted


@pytest.mark.parametrize(("name", "code"), [*zip(KINDS, cycle(LETTERS), strict=False)])
def test_each_gives_its_move_and_without_it_nothing(name, code):
    content, wanted = delivered(name, code)
    mail = read_mail(content)
    assert ("automatic" if mail.automatic else " | ".join(mail.lines)) == wanted
    if wanted == "Nf3":
        content, _ = delivered(name, code, lambda body: body.replace("Nf3", "", 1))
        assert not any(map(is_command, read_mail(content).lines))


def test_there_are_as_many_kinds_as_there_should_be():
    given = sum("\nX-Wanted: Nf3\n" in f"\n{kind}" for kind in KINDS.values())
    assert (len(KINDS) >= 400, given >= 350) == (True, True)


@pytest.mark.parametrize("code", LETTERS)
@pytest.mark.parametrize("above", ["On 23/11/2026 09:58, Fairyhouse wrote:", ""])
def test_wherever_a_program_stops_to_mark_what_it_quotes_nothing_is_obeyed(code, above):
    for width in (60, 200):
        rows = [row for line in LETTERS[code][0].split("\n") for row in (wrap(line, width) or [""])]
        quoted = marked("\n".join(rows)).split("\n")
        for begin in range(len(rows)):
            for end in (*range(begin + 1, begin + 4), len(rows)):
                lines = [*quoted[:begin], *rows[begin:end], *quoted[end:]]
                assert written_lines("\n".join([above, *lines])) == ()
