"""How the log is written: one JSON object on one line per event, or for eyes where a terminal shows it.

Whatever text is in an event stays inside it: a line break or a colour code that somebody sends can forge no line.
Knows nothing of events.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

from aiohttp.http_exceptions import HttpProcessingError


class OneLine(logging.Formatter):
    """`ts` (UTC), `lvl`, `at`: which part says it, `evt`: which event, the same text each time it happens; `msg`: that
    with its particulars; `error`: the traceback if there is one. Nothing but ASCII.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "lvl": record.levelname.lower(),
            "at": record.name,
            "evt": str(record.msg),
            "msg": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # The one control character that JSON leaves as it is.
        return json.dumps(line).replace("\x7f", "\\u007f")


class ForEyes(logging.Formatter):
    """Time of day, level, message; tracebacks below, each line with a bar before it."""

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
    """Is it worth a line? What is not even HTTP has been answered with 400, and is the sender's mistake."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


def start_logging(stream: TextIO = sys.stderr) -> None:
    """From INFO upward, warnings of Python included."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(ForEyes() if stream.isatty() else OneLine())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.captureWarnings(True)
    logging.getLogger("aiohttp.server").addFilter(not_a_strangers_noise)
