"""The life of a game. Which commands it takes in which status, the commands say."""

from enum import StrEnum


class Status(StrEnum):
    """OPEN: a seat is empty. LIVE: both sit and play. ADJOURNED: by consent. OVER: there is an outcome."""

    OPEN = "open"
    LIVE = "live"
    ADJOURNED = "adjourned"
    OVER = "over"
