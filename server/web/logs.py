"""How the log is written: one JSON object on one line per event, whatever text is in it. Knows nothing of events.

So a line break or a colour code that somebody sends cannot forge a line, and other programs can read the log.
"""

import logging
from datetime import UTC, datetime

import orjson
from aiohttp.http_exceptions import HttpProcessingError


class OneLine(logging.Formatter):
    """Time (UTC), level, where, message, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


def not_a_strangers_noise(record: logging.LogRecord) -> bool:
    """Is it worth a line? What is not even HTTP has been answered with 400, and is the sender's mistake."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


def start_logging() -> None:
    """To standard error, from INFO upward."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("aiohttp.server").addFilter(not_a_strangers_noise)
