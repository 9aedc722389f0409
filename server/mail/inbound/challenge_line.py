"""Reads a line that challenges somebody: "challenge Boris grand 3 days white rated". Knows no player and no variant."""

import re
from typing import Final

from server.mail.inbound.command_words import command_words
from server.mail.inbound.lines import NotACommand, rest_of, short
from server.mail.inbound.mail_commands import Challenge

USUAL_DAYS: Final = 3
COLORS: Final = ("white", "black", "random")
DAYS: Final = re.compile(r"(\d{1,2})([^\W\d_]*)", re.ASCII)
"""A number, perhaps with a letter behind it; 960 belongs to the name of a variant."""


def challenge_in(line: str) -> Challenge:
    """The challenge. The name comes first; what is neither time, colour nor "rated" is the variant, in any order.

    Raises NotACommand if something is missing or stands there twice.
    """
    name, *words = [word.strip(",.;") for word in rest_of(line).split()] or [""]
    known = command_words()
    meant = [known.get(word.lower(), "") for word in words]
    colors = [word for word in meant if word in COLORS]
    ratings = [word for word in meant if word in ("rated", "casual")]
    days = [number for word in words if (number := _days(word)) is not None]
    used = {*COLORS, "rated", "casual", "days"}
    variant = [word for word, meaning in zip(words, meant, strict=True) if meaning not in used and _days(word) is None]
    if not name or not variant or max(len(colors), len(ratings), len(days)) > 1:
        raise NotACommand("challenge_which", line=short(line))
    return Challenge(
        name=name,
        variant=" ".join(variant)[:40],
        days=days[0] if days else USUAL_DAYS,
        color=colors[0] if colors else "random",
        rated=ratings == ["rated"],
    )


def _days(word: str) -> int | None:
    """The number in "3" or "3d"; None if it is no number of days."""
    found = DAYS.fullmatch(word)
    if found is None or (found[2] and command_words().get(found[2].lower()) != "days"):
        return None
    return int(found[1])
