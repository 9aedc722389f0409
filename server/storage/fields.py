"""Writes records as flat fields, and reads stored fields without trusting them: a disk, a person or another program may
have changed them.

Every function that reads raises LookupError for a missing field, ValueError or TypeError for an impossible one.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]
FlatRecord = Mapping[str, int | str]
"""What is stored of a value: numbers and texts by name."""

FIRST_MS, LAST_MS = -62_135_596_800_000, 253_402_300_799_999
"""From the year 1 to the end of 9999, the range of Python's calendar."""
LONGEST_MS = LAST_MS - FIRST_MS
"""No span of time can be longer."""


def flat(record: Any, key: str = "") -> dict[str, int | str]:
    """The fields of a dataclass as they are stored, by name: flags as 1 and 0, several words as one text.

    `key`: the name of the field that is stored as `_id`, "" for none.
    """
    stored = {one.name: _flat(getattr(record, one.name)) for one in dataclasses.fields(record)}
    return {"_id": stored.pop(key), **stored} if key else stored


def _flat(value: Any) -> int | str:
    match value:
        case bool():
            return int(value)
        case tuple():
            return " ".join(value)
        case frozenset():
            return " ".join(sorted(value))
        case int() | str():
            return value
    raise TypeError(f"{value!r} is neither a number nor a text")


def number(fields: Fields, name: str) -> int:
    """A whole number. Raises KeyError, TypeError."""
    value = fields[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is no number")
    # The MongoDB driver has its own type for large ones.
    return int(value)


def number_or_none(fields: Fields, name: str, none: int) -> int | None:
    """A number; None if it is `none`, which stands for "no such number"."""
    value = number(fields, name)
    return None if value == none else value


def within(fields: Fields, name: str, most: int) -> int:
    """A number from 0 to `most`."""
    value = number(fields, name)
    if not 0 <= value <= most:
        raise ValueError(f"{name} is beyond reason")
    return value


def text(fields: Fields, name: str) -> str:
    """A text. Raises KeyError, TypeError."""
    value = fields[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    return value


def flag(fields: Fields, name: str) -> bool:
    """A bool, stored as 1 or 0."""
    value = number(fields, name)
    if value not in (0, 1):
        raise ValueError(f"{name} is neither 0 nor 1")
    return bool(value)


def instant(fields: Fields, name: str) -> int:
    """An instant in the range of the calendar, ms since the epoch."""
    return checked_instant(number(fields, name), name)


def instant_or_none(fields: Fields, name: str, none: int) -> int | None:
    """An instant; None if it is `none`, which stands for "never"."""
    value = number_or_none(fields, name, none)
    return None if value is None else checked_instant(value, name)


def checked_instant(value: int, name: str = "it") -> int:
    """`value` (ms since the epoch) if the calendar reaches so far. Raises ValueError."""
    if not FIRST_MS <= value <= LAST_MS:
        raise ValueError(f"{name} is no time")
    return value


def checked_span(ms: int, name: str = "it") -> int:
    """`ms` if it is a possible span of time, which may be negative. Raises ValueError."""
    if abs(ms) > LONGEST_MS:
        raise ValueError(f"{name} is longer than any time")
    return ms
