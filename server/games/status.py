"""The status of a game. Commands say in which statuses they are allowed."""

from enum import StrEnum


class Status(StrEnum):
    """OPEN: a seat is empty. LIVE: both seats are taken. ADJOURNED: by agreement. OVER: there is an outcome."""

    OPEN = "open"
    LIVE = "live"
    ADJOURNED = "adjourned"
    OVER = "over"
