"""Reading the fields of what is stored, trusting none of them: a disk, a hand or another program may have changed one.

Every function raises LookupError for a field that is missing, ValueError or TypeError for one that cannot be.
"""

from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]

FIRST_MS, LAST_MS = -62_135_596_800_000, 253_402_300_799_999
"""From the year 1 to the end of 9999: no calendar can show what lies outside."""
LONGEST_MS = LAST_MS - FIRST_MS
"""No time that is left, given or taken can be longer."""


def number(fields: Fields, name: str) -> int:
    value = fields[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is no number")
    # The driver of MongoDB has a type of its own for large ones.
    return int(value)


def number_or_none(fields: Fields, name: str, none: int) -> int | None:
    """`none` is the number that stands for "no such number"."""
    value = number(fields, name)
    return None if value == none else value


def text(fields: Fields, name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    return value


def flag(fields: Fields, name: str) -> bool:
    """A yes or no, stored as 1 or 0."""
    value = number(fields, name)
    if value not in (0, 1):
        raise ValueError(f"{name} is neither 0 nor 1")
    return bool(value)


def instant(fields: Fields, name: str) -> int:
    """A time that a calendar can show, ms since the epoch."""
    return checked_instant(number(fields, name), name)


def instant_or_none(fields: Fields, name: str, none: int) -> int | None:
    value = number_or_none(fields, name, none)
    return None if value is None else checked_instant(value, name)


def checked_instant(value: int, name: str = "it") -> int:
    if not FIRST_MS <= value <= LAST_MS:
        raise ValueError(f"{name} is no time")
    return value


def checked_span(ms: int, name: str = "it") -> int:
    """A span of time in ms, which may be negative. Raises ValueError."""
    if abs(ms) > LONGEST_MS:
        raise ValueError(f"{name} is longer than any time")
    return ms
