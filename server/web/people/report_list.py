"""The open reports as the host reads them in a terminal. Pure: what people wrote was cleaned before it was stored."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from server.games.people.reports import Report

MOST: Final = 200
"""Reports listed at once; closing some shows the next."""
NONE: Final = "There are no open reports.\n"


def report_list(reports: Sequence[Report], address: str) -> str:
    """The oldest first, each with its id, day, people and game as links to the site at `address`."""
    return "\n".join("\n".join(_lines(one, address)) + "\n" for one in reports) or NONE


def _lines(report: Report, address: str) -> Iterator[str]:
    day = datetime.fromtimestamp(report.at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield f"{report.id}  {day}  {report.kind}"
    yield f"  about {report.about.name} ({report.about.id}): {address}/@/{quote(report.about.name)}"
    yield f"  by {report.by.name} ({report.by.id})"
    if report.game:
        yield f"  game: {address}/{report.game}"
    for line in report.text.split("\n"):
        yield f"  | {line}"
