"""What it means that nothing has come over a socket for some time. Pure: reads no socket and no clock.

Silence is counted in beats and not in seconds, so a server that stood still has not counted; and no socket is judged at
a beat that came late, as what the peer said meanwhile may lie unread.
"""

from enum import Enum, auto
from typing import Final

BEAT_SECONDS: Final = 2.5
ASK_BEATS: Final = 2
"""After so many beats without a word a peer is asked at each one whether it is there. A page's own pings come as often
as the beats, so hardly any page has to be asked."""
SILENT_BEATS: Final = 3
"""After so many, 5 to 7.5 s, its person counts as not there until something comes."""
GONE_BEATS: Final = 9
"""After so many the socket is given up."""
LATE_MS: Final = 250
"""A beat that comes so much later than it should was held up."""


class Silence(Enum):
    """What is to be done about a socket at a beat."""

    NONE = auto()
    ASKED = auto()
    UNANSWERED = auto()
    GONE = auto()


def judged(quiet: int, late: bool) -> Silence:
    """The silence of a socket on which nothing came for `quiet` beats, the last of which came `late`."""
    if quiet >= GONE_BEATS:
        return Silence.GONE
    if quiet >= SILENT_BEATS and not late:
        return Silence.UNANSWERED
    return Silence.ASKED if quiet >= ASK_BEATS else Silence.NONE


def is_late(since_last_ms: int) -> bool:
    """Was a beat held up that comes `since_last_ms` after the one before?"""
    return since_last_ms > BEAT_SECONDS * 1000 + LATE_MS
