"""`fairyhouse check`, asked for in the browser: a process of its own looks at all that is stored, so that no move waits
for it, and this one keeps what it has found until the next.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from aiohttp import web

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "server", "check")
"""It has the environment of this process, and so the same settings."""
GIVES_WAY: Final = 10
"""By how much it is nicer than other processes."""
SHOWN: Final = 20
"""Flaws that are kept; the command lists all."""
LONGEST: Final = 500
LONGEST_LINE: Final = 1 << 20


@dataclass(eq=False, slots=True)
class SiteCheck:
    """One at a time. `flaws`: the first things that the last one found to be wrong, each a sentence; `count`: how many
    there are, None if none was made yet. `failed`: it could not look; the log of the server says why.
    """

    under_way: bool = False
    flaws: Sequence[str] = ()
    count: int | None = None
    failed: bool = False

    async def run(self) -> bool:
        """Looks at everything that is stored. False: that is being done already, or could not be done."""
        if self.under_way:
            return False
        self.under_way, self.flaws, self.count, self.failed = True, (), None, False
        try:
            found, code = await self._run()
        except (OSError, ValueError) as error:
            log.warning("what is stored could not be checked: %s", error)
            found, code = [], -1
        finally:
            self.under_way = False
        self.failed = code != 0 and not found
        if not self.failed:
            self.flaws, self.count = found[:SHOWN], len(found) if code else 0
        return not self.failed

    async def _run(self) -> tuple[list[str], int]:
        """What it says, line by line, and its exit code. Raises OSError; ValueError for a line without an end."""
        nothing, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=nothing, stdout=pipe, limit=LONGEST_LINE)
        try:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, GIVES_WAY)
            assert process.stdout is not None
            lines = [line.decode(errors="replace").rstrip("\n")[:LONGEST] async for line in process.stdout]
            return lines, await process.wait()
        finally:
            # Whoever stops the server does not wait for it; interrupted, it removes its copy.
            if process.returncode is None:
                process.send_signal(signal.SIGINT)


SITE_CHECK: Final = web.AppKey("SITE_CHECK", SiteCheck)
