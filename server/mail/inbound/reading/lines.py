"""One line of a mail: the word that it begins with and the rest, and what is said when it is no command."""

import re
from typing import Final

from server.mail.inbound.reading.command_words import COMMANDS, command_words
from server.refusal import Refusal

MOVE: Final = re.compile(
    r"(?:\d{1,4}\s*(?:\.{1,3}|…)\s*)?(?P<move>\S{2,20}(?: ?[x:–—‐‑-]? ?[a-p]\d{1,2}\S{0,3})?)",
    re.IGNORECASE,
)
"""With or without its number: "12. Nf3", "12... e7 e5"."""

MAX_LINE: Final = 4_000
"""Characters of the longest line that is looked into."""


class NotACommand(Refusal):
    """The line cannot be carried out as it is written, so nothing is."""

    area = "replies"
    code = "bad_mail"


def first_word(line: str) -> str:
    """The first word as it is written, up to a space or colon."""
    return re.split(r"[\s:]", line, maxsplit=1)[0]


def command_of(line: str) -> str:
    """The English word for the command that the line begins with; "" if it begins with none."""
    meaning = command_words().get(first_word(line).rstrip(".!").lower(), "")
    return meaning if meaning in COMMANDS else ""


def rest_of(line: str) -> str:
    """What follows the first word, without the full stop that phones put there."""
    return line[len(first_word(line)) :].lstrip(" :").rstrip(" .")


def short(line: str) -> str:
    """The line, cut for an answer."""
    return line if len(line) <= 60 else f"{line[:60]}…"
