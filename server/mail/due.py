"""When news is delivered, by how often somebody wants it and when they are not to be disturbed. Pure."""

from datetime import time
from typing import Final

from server.mail.quiet_hours import QuietHours
from server.mail.wishes import Often

HOUR_MS: Final = 3_600_000
MORNING: Final = time(8)
"""When daily news are told, by the clocks of where the reader lives."""


def due_at(often: Often, now: int, quiet: QuietHours) -> int:
    """When (ms) to tell what is news at `now`: then, at the next full hour, or in the next morning; not in the quiet
    hours, but when they are over.
    """
    match often:
        case Often.HOURLY:
            at = (now // HOUR_MS + 1) * HOUR_MS
        case Often.DAILY:
            at = quiet.next_at(MORNING, now)
        case _:
            at = now
    return quiet.over(at)
