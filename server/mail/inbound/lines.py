"""One line of a mail: the word that it begins with and the rest, and what is said when it is no command."""

import re

from server.refusal import Refusal


class NotACommand(Refusal):
    """The line cannot be carried out as it is written, so nothing is."""

    area = "replies"
    code = "bad_mail"


def first_word(line: str) -> str:
    """As it is written, up to a space or colon."""
    return re.split(r"[\s:]", line, maxsplit=1)[0]


def rest_of(line: str) -> str:
    """What follows the first word, without the full stop that phones put there."""
    return line[len(first_word(line)) :].lstrip(" :").rstrip(" .")


def short(line: str) -> str:
    """The line, cut for an answer."""
    return line if len(line) <= 60 else f"{line[:60]}…"
