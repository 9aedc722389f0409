"""Reads lines that challenge somebody, or two others to play each other. Knows no player and no variant.

challenge Boris grand 3 days white rated
pair Anna Boris grand 5 days
"""

import re
from collections.abc import Sequence
from typing import Final

from server.mail.inbound.reading.command_words import command_words
from server.mail.inbound.reading.lines import NotACommand, rest_of, short
from server.mail.inbound.reading.mail_commands import Challenge

USUAL_DAYS: Final = 3
COLORS: Final = ("white", "black", "random")
DAYS: Final = re.compile(r"(\d{1,2})([^\W\d_]*)", re.ASCII)
"""A number, perhaps with a letter behind it; 960 belongs to the name of a variant."""
BANK: Final = re.compile(r"(\d{1,2})\+(\d{1,2})(?:/(\d{1,2}))?[^\W\d_]*", re.ASCII)
"""A time bank: "10+1", "10+1/30d"."""


def challenge_in(line: str) -> Challenge:
    """The challenge. The name comes first; what is neither time, colour nor "rated" is the variant, in any order.

    Raises NotACommand if something is missing or stands there twice.
    """
    name, *words = _words(line) or [""]
    found = _terms(name, "", words)
    if found is None:
        raise NotACommand("challenge_which", line=short(line))
    return found


def pairing_in(line: str) -> Challenge:
    """The game proposed to two others, whose names come first. Raises NotACommand."""
    name, other, *words = [*_words(line), "", ""]
    found = _terms(name, other, [word for word in words if word])
    if found is None:
        raise NotACommand("pair_which", line=short(line))
    return found


def _words(line: str) -> list[str]:
    return [word.strip(",.;") for word in rest_of(line).split()]


def _terms(name: str, other: str, words: Sequence[str]) -> Challenge | None:
    """The challenge with the terms in `words`; None if something is missing or stands there twice."""
    known = command_words()
    meant = [known.get(word.lower(), "") for word in words]
    colors = [word for word in meant if word in COLORS]
    ratings = [word for word in meant if word in ("rated", "casual")]
    days = [number for word in words if (number := _days(word)) is not None]
    banks = [found for word in words if (found := BANK.fullmatch(word)) is not None]
    used = {*COLORS, "rated", "casual", "days"}
    variant = [
        word
        for word, meaning in zip(words, meant, strict=True)
        if meaning not in used and _days(word) is None and BANK.fullmatch(word) is None
    ]
    if not name or not variant or max(len(colors), len(ratings), len(days) + len(banks)) > 1:
        return None
    return Challenge(
        name=name,
        variant=" ".join(variant)[:40],
        days=days[0] if days else USUAL_DAYS,
        color=colors[0] if colors else "random",
        rated=ratings == ["rated"],
        other=other,
        bank=(int(banks[0][1]), int(banks[0][2]), int(banks[0][3] or 0)) if banks else None,
    )


def _days(word: str) -> int | None:
    """The number in "3" or "3d"; None if it is no number of days."""
    found = DAYS.fullmatch(word)
    if found is None or (found[2] and command_words().get(found[2].lower()) != "days"):
        return None
    return int(found[1])
