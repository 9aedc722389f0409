"""`fairyhouse reports` and `reports --close ID`: what people have told the host about one another.

Works whether or not the server is running.
"""

import asyncio
import sys

from server.host.site_access import CommandRefused, carried_out
from server.settings import Settings
from server.storage.admin_commands import CloseReport, ListReports


def list_reports(settings: Settings) -> None:
    """Prints the open reports, the oldest first. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, ListReports())))


def close_report(settings: Settings, report_id: str) -> None:
    """Closes one: it is listed no longer. Raises CommandRefused, also if there is no such open report."""
    if not asyncio.run(carried_out(settings, CloseReport(report_id))):
        raise CommandRefused(f"There is no open report {report_id}. `fairyhouse reports` lists them.")
    sys.stderr.write(f"The report {report_id} is closed.\n")
