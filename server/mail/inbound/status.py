"""The answers to the mail server that hands over mail."""

from enum import StrEnum
from typing import Protocol


class SmtpStatus(StrEnum):
    """As RFC 5321 and RFC 3463 have it."""

    DONE = "250 2.0.0 Done"
    UNKNOWN = "550 5.1.1 There is no such address here"
    UNREADABLE = "554 5.6.0 This mail cannot be read"
    TOO_MANY = "451 4.7.1 Too many mails; try again later"
    LATER = "451 4.3.0 The site cannot take it now; try again later"


class Limit(Protocol):
    def take(self, key: str, now: int, cost: int = 1) -> int:
        """Takes `cost` at `now` (ms) and returns 0, or takes nothing and returns how many seconds to wait."""

    def wait(self, key: str, now: int, cost: int = 1) -> int:
        """How many seconds to wait at `now` (ms) until `cost` can be taken; 0: none. Takes nothing."""
