"""When news are told, by how often somebody wants to be told of such. Pure."""

from typing import Final

from server.games.clock import DAY_MS
from server.mail.wishes import Often

HOUR_MS: Final = 3_600_000
MORNING_MS: Final = 8 * HOUR_MS
"""In the day, when daily news are told."""


def due_at(often: Often, now: int) -> int:
    """When (ms) to tell what is news at `now`: then, at the next full hour, or in the next morning (UTC)."""
    match often:
        case Often.HOURLY:
            return (now // HOUR_MS + 1) * HOUR_MS
        case Often.DAILY:
            return ((now - MORNING_MS) // DAY_MS + 1) * DAY_MS + MORNING_MS
        case _:
            return now
