"""What people have told the host about one another, in a store.

All times are ms since the epoch.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from server.games.people.reports import Report, ReportKind
from server.games.player import Player
from server.storage.fields import Fields, instant, number, text


class ReportStore(Protocol):
    """All methods raise Unavailable."""

    async def add(self, report: Report) -> None:
        """Raises Duplicate too."""

    async def open(self, limit: int) -> Sequence[Report]:
        """Those that the host has not closed, the oldest first, at most `limit`."""

    async def by(self, person: str) -> Sequence[Report]:
        """Those that this person (an id) has made, the oldest first."""

    async def close(self, report_id: str, at: int) -> bool:
        """Notes that the host has dealt with it. False: there is no such open report."""

    async def hand_over(self, user: str, heir: Player) -> None:
        """Makes `heir` of `user` in all reports. Repeating it changes nothing."""

    async def forget(self, person: str) -> None:
        """Deletes the reports by this person, and those about them."""

    async def expire(self, closed_before: int) -> None:
        """Deletes those that were closed before then."""


def to_document(report: Report) -> Mapping[str, int | str]:
    return {
        "_id": report.id,
        "owner": report.by.id,
        "owner_name": report.by.name,
        "about": report.about.id,
        "about_name": report.about.name,
        "kind": report.kind.value,
        "game": report.game,
        "text": report.text,
        "at": report.at,
        "closed": report.closed,
    }


def report_of(fields: Fields) -> Report:
    """The report of stored fields. Raises as `fields` says."""
    by, about = (Player(text(fields, one), text(fields, f"{one}_name")) for one in ("owner", "about"))
    return Report(
        text(fields, "_id"),
        by,
        about,
        ReportKind(text(fields, "kind")),
        text(fields, "game"),
        text(fields, "text"),
        instant(fields, "at"),
        number(fields, "closed"),
    )
