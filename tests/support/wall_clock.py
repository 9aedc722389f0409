"""The wall clock of a server in its own process, set by hand with libfaketime."""

from pathlib import Path

import pytest

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


needs_faketime = pytest.mark.skipif(
    LIBRARY is None, reason="libfaketime is not here; Debian has it: apt install libfaketime"
)


class WallClock:
    """The wall clock that the server's process sees. Its monotonic clock stays the machine's, as with NTP."""

    def __init__(self, file):
        self._file = file
        self.set(0)

    def set(self, ms):
        self._file.write_text(f"{ms / 1000:+.0f}")

    @property
    def environment(self):
        return {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
