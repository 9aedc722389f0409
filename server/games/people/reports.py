"""Reports: what somebody tells the host about another person. Pure; knows no store."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.errors import NotAllowed
from server.games.player import Player

LONGEST: Final = 1_000
"""Characters of the text of a report."""


class ReportKind(StrEnum):
    CHEATING = "cheating"
    INSULTS = "insults"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Report:
    """`by` tells the host about `about`, perhaps in `game` (an id, "" for none).

    `at`: ms since the epoch. `closed`: when the host has dealt with it; 0: it is open.
    """

    id: str
    by: Player
    about: Player
    kind: ReportKind
    game: str
    text: str
    at: int
    closed: int = 0


def check_report(report: Report) -> None:
    """Raises NotAllowed if it is about whoever makes it, or says nothing."""
    if report.by.id == report.about.id:
        raise NotAllowed("report_oneself")
    if not report.text:
        raise NotAllowed("report_empty")
