"""`fairyhouse reports` and `reports --close ID`: what people have told the host about one another.

Works whether or not the server is running.
"""

import asyncio
import sys

from server.host.site_access import CommandRefused, opened_store, run_on_server
from server.realtime.process.now import Now
from server.settings import Settings
from server.storage.admin_commands import CloseReport, ListReports
from server.storage.errors import InUse
from server.web.people.report_list import MOST, report_list


def list_reports(settings: Settings) -> None:
    """Prints the open reports, the oldest first. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(_list(settings)))


def close_report(settings: Settings, report_id: str) -> None:
    """Closes one: it is listed no longer. Raises CommandRefused, also if there is no such open report."""
    if not asyncio.run(_close(settings, report_id)):
        raise CommandRefused(f"There is no open report {report_id}. `fairyhouse reports` lists them.")
    sys.stderr.write(f"The report {report_id} is closed.\n")


async def _list(settings: Settings) -> str:
    try:
        async with opened_store(settings) as store:
            return report_list(await store.reports.open(MOST), settings.address)
    except InUse as error:
        return await run_on_server(settings, ListReports(), str(error))


async def _close(settings: Settings, report_id: str) -> bool:
    try:
        async with opened_store(settings) as store:
            return await store.reports.close(report_id, Now()())
    except InUse as error:
        return bool(await run_on_server(settings, CloseReport(report_id), str(error)))
