"""When an imported game was played, according to its PGN tags. Knows nothing else about the game."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

DATE = re.compile(r"(\d{4})[.-](\d\d|\?\?)[.-](\d\d|\?\?)", re.ASCII)
TIME_OF_DAY = re.compile(r"(\d\d):(\d\d):(\d\d)", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def date_of(tags: Mapping[str, str], now: int) -> int:
    """Ms since the epoch. Unknown parts of a date count as the first; without a date in the past, `now`."""
    written = DATE.fullmatch(tags.get("UTCDate", "")) or DATE.fullmatch(tags.get("Date", ""))
    if written is None:
        return now
    year, month, day = (int(part) if part.isdigit() else 1 for part in written.groups())
    clock = TIME_OF_DAY.fullmatch(tags.get("UTCTime", ""))
    hour, minute, second = map(int, clock.groups()) if clock else (0, 0, 0)
    try:
        played = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return now
    return min(now, (played - EPOCH) // MILLISECOND)
