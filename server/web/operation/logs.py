"""How the log is written: one JSON object per line and event, or plain lines on a terminal.

Text in an event stays inside it: a line break or a colour code that somebody sends cannot forge a line. Knows nothing
of events.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO, TypeAlias

from aiohttp.http_exceptions import HttpProcessingError


class JsonFormatter(logging.Formatter):
    """`ts` (UTC), `lvl`, `at`: the module, `evt`: the event, the same text each time it happens; `msg`: the event with
    its details; `left_out`: how many of the same were not written; `error`: the traceback, if there is one. ASCII only.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "lvl": record.levelname.lower(),
            "at": record.name,
            "evt": str(record.msg),
            "msg": record.getMessage(),
        }
        if left_out := getattr(record, "left_out", 0):
            line["left_out"] = left_out
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # The only control character that JSON does not escape.
        return json.dumps(line).replace("\x7f", "\\u007f")


class ConsoleFormatter(logging.Formatter):
    """Time of day, level, message; tracebacks below, each line after a bar."""

    def format(self, record: logging.LogRecord) -> str:
        time = f"{datetime.fromtimestamp(record.created).astimezone():%H:%M:%S}"
        lines = [f"{time} {record.levelname.lower():<7} {visible(record.getMessage())}"]
        if record.exc_info:
            lines += [f"  | {visible(line)}" for line in self.formatException(record.exc_info).split("\n")]
        return "\n".join(lines)


def visible(text: str) -> str:
    """`text` with every character that would not be seen written out, as \\n or \\x1b."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def not_a_strangers_noise(record: logging.LogRecord) -> bool:
    """Whether a record is worth a line. Input that is not even HTTP got a 400 and is the sender's mistake."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


Counts: TypeAlias = dict[tuple[str, ...], tuple[float, int]]
"""When the period of an event began, and how often it has come since."""


class RepeatFilter(logging.Filter):
    """Lets the same event through AT_MOST times in PERIOD_S, so that nobody can fill the disk by causing it.

    The next one after that says how many were left out (`left_out`). Events that are logged with an address in `apart`
    are counted for each address, so that none hides the others, and let through AT_MOST_IN_ALL times for all of them.
    """

    AT_MOST = 20
    AT_MOST_IN_ALL = 300
    PERIOD_S = 60.0
    MAX_EVENTS = 1_000

    def __init__(self) -> None:
        super().__init__()
        self._events: Counts = {}
        self._of_addresses: Counts = {}

    def filter(self, record: logging.LogRecord) -> bool:
        event, apart = (record.name, str(record.msg)), getattr(record, "apart", "")
        if not apart:
            return self._count(record, self._events, event, self.AT_MOST)
        # In this order, so that an address that repeats itself takes nothing from the others.
        return self._count(record, self._of_addresses, (*event, apart), self.AT_MOST) and self._count(
            record, self._events, event, self.AT_MOST_IN_ALL
        )

    def _count(self, record: logging.LogRecord, seen: Counts, key: tuple[str, ...], most: int) -> bool:
        """Counts the record in `seen`; is it one of the first `most` of its period?"""
        began, count = seen.get(key, (record.created, 0))
        if record.created - began >= self.PERIOD_S:
            if count > most:
                record.left_out = getattr(record, "left_out", 0) + count - most
            began, count = record.created, 0
        if len(seen) >= self.MAX_EVENTS:
            seen.clear()
        seen[key] = began, count + 1
        return count < most


def start_logging(level: str, form: str, stream: TextIO = sys.stderr) -> None:
    """Starts logging, including Python's warnings. `level`, `form`: as the settings have them."""
    handler = logging.StreamHandler(stream)
    handler.addFilter(RepeatFilter())
    plain = stream.isatty() if form == "auto" else form == "text"
    handler.setFormatter(ConsoleFormatter() if plain else JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler])
    logging.captureWarnings(True)
    logging.getLogger("aiohttp.server").addFilter(not_a_strangers_noise)
