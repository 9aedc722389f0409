"""What it means that nothing has arrived on a socket for some time. Pure: reads no socket and no clock.

Silence is counted in beats, not seconds, so time in which the server stood still does not count; and no socket is
judged at a late beat, because what the peer sent meanwhile may still be unread.
"""

from enum import Enum, auto
from typing import Final

BEAT_SECONDS: Final = 2.5
ASK_BEATS: Final = 2
"""After this many beats without a message a peer is pinged at each beat. A page's own pings come as often as the beats,
so hardly any page has to be pinged."""
SILENT_BEATS: Final = 3
"""After this many, 5 to 7.5 s, its person counts as away until something arrives."""
GONE_BEATS: Final = 9
"""After this many the socket is given up."""
LATE_MS: Final = 250
"""A beat that comes this much too late was held up."""


class Silence(Enum):
    """What to do about a socket at a beat."""

    NONE = auto()
    ASKED = auto()
    UNANSWERED = auto()
    GONE = auto()


def judged(quiet: int, late: bool) -> Silence:
    """What to do about a socket on which nothing has arrived for `quiet` beats; `late`: the last beat was held up."""
    if quiet >= GONE_BEATS:
        return Silence.GONE
    if quiet >= SILENT_BEATS and not late:
        return Silence.UNANSWERED
    return Silence.ASKED if quiet >= ASK_BEATS else Silence.NONE


def is_late(since_last_ms: int) -> bool:
    """Whether a beat that comes `since_last_ms` after the previous one was held up."""
    return since_last_ms > BEAT_SECONDS * 1000 + LATE_MS
