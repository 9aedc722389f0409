"""Reads lines of conditional moves: "if e5 then Nf3 if Nc6 then Bb5". Knows no position.

Mail programs break long lines. A line that cannot end where it does goes on in the next. But where it may have been
broken before another "if", the rest would be a line of its own with another meaning, so that is refused.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from server.mail.inbound.reading.command_words import command_words
from server.mail.inbound.reading.lines import MAX_LINE, MOVE, NotACommand, command_of, first_word, rest_of, short
from server.mail.inbound.reading.mail_commands import Conditional

PERHAPS_BROKEN: Final = 60
"""No program breaks a line that is shorter than that, with a little to spare for its next word."""


def conditional_in(line: str) -> Conditional:
    """The conditional moves of one line. Raises NotACommand."""
    if command_words().get(rest_of(line).lower()) == "off":
        return Conditional(())
    words = _if_or_then().split(line)
    # What stands between the words, which must be "if" and "then" by turns: "", "if", "e5", "then", "Nf3", …
    moves = [MOVE.fullmatch(one.strip(" ,;:")) for one in words[2::2]]
    turns = ["if", "then"] * (len(moves) // 2)
    if words[0] or [command_words()[word.lower()] for word in words[1::2]] != turns or not all(moves):
        raise NotACommand("if_which", line=short(line))
    return Conditional((tuple(move["move"] for move in moves if move),))


def unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """`lines` with each line of conditional moves in one piece. Raises NotACommand where that may be wrong."""
    open_line, last, saying = "", "", False
    for line in lines:
        saying = bool(line) and (saying or command_of(line) == "say")
        if open_line and line and not saying and _goes_on(open_line, line):
            open_line, last = f"{open_line} {line}", line
            continue
        if open_line:
            if command_of(line) == "if" and len(last) > PERHAPS_BROKEN:
                raise NotACommand("if_broken", line=short(line))
            yield open_line
            open_line = ""
        if command_of(line) == "if" and not saying:
            open_line = last = line
        else:
            yield line
    if open_line:
        yield open_line


def _goes_on(begun: str, line: str) -> bool:
    """Is `begun`, of conditional moves, not at its end before `line`? One that is too long is refused as it is."""
    if len(begun) > MAX_LINE:
        return False
    if command_words().get(first_word(line).lower()) == "then":
        return True
    *_, word, rest = ["", *_if_or_then().split(f"{begun} ")]
    return command_words().get(word.lower()) == "then" and not rest.strip()


@cache
def _if_or_then() -> re.Pattern[str]:
    words = "|".join(word for word, meaning in command_words().items() if meaning in ("if", "then"))
    return re.compile(rf"(?:^|(?<=[\s,;]))({words})(?=[\s:])", re.IGNORECASE)
