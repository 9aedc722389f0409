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
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from server.storage.sqlite.copy import lacks_room

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "server", "check")
"""It has the environment of this process, and so the same settings."""
GIVES_WAY: Final = 10
"""By how much it is nicer than other processes."""
SHOWN: Final = 20
"""Flaws that are kept; the command lists all."""
LONGEST: Final = 500
LONGEST_LINE: Final = 1 << 20
MOST_S: Final = 6 * 3600.0
"""For so long it may look; who comes later may ask for another."""
KILL_AFTER_S: Final = 10.0
"""What has not ended so long after it was interrupted is killed."""
ENDS_WELL: Final = (0, 1)
"""Exit codes of the command: nothing is wrong, or something."""


@dataclass(eq=False, slots=True)
class SiteCheck:
    """One at a time. `flaws`: the first things that the last one found to be wrong, each a sentence; `count`: how many
    there are, None if none has come to its end. `problem`: why it has not, "" if it has: "no_room" for a copy of the
    site's file, "failed", or "in_part", after it had found these. `file`: that file, None if the site has none.
    """

    file: Path | None

    under_way: bool = False
    flaws: Sequence[str] = ()
    count: int | None = None
    problem: str = ""
    _stopped: bool = False
    _task: asyncio.Task[Any] | None = None

    def stop(self) -> None:
        """Ends the one that is under way, and begins no more: the server stops, and does not wait for it."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> bool:
        """Looks at everything that is stored. False: that is being done already, or could not be done."""
        if self.under_way or self._stopped:
            return False
        self.under_way, self.flaws, self.count, self.problem = True, (), None, ""
        self._task = asyncio.current_task()
        said: list[str] = []
        lines, code = 0, -1
        try:
            async with asyncio.timeout(MOST_S):
                lines, code = await self._run(said)
        except TimeoutError:
            log.warning("what is stored could not be checked in %d s", MOST_S)
        except (OSError, ValueError) as error:
            log.warning("what is stored could not be checked: %s", error)
        else:
            if code not in ENDS_WELL:
                log.warning("the check of what is stored came to no end: its exit code is %d", code)
        finally:
            self.under_way, self._task = False, None
        if code not in ENDS_WELL or (code != 0 and not lines):
            self.problem = "in_part" if lines else "no_room" if await self._lacks_room() else "failed"
        else:
            self.count = lines if code else 0
        # Of an intact site it says that in a line, too.
        self.flaws = said if code else ()
        return not self.problem

    async def _lacks_room(self) -> bool:
        with suppress(OSError):
            return self.file is not None and await asyncio.to_thread(lacks_room, self.file)
        return False

    async def _run(self, said: list[str]) -> tuple[int, int]:
        """Adds the first lines that it says to `said`; how many there are, and its exit code. Raises OSError;
        ValueError for a line without an end.
        """
        nothing, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=nothing, stdout=pipe, limit=LONGEST_LINE)
        try:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, GIVES_WAY)
            assert process.stdout is not None
            lines = 0
            async for line in process.stdout:
                lines += 1
                if lines <= SHOWN:
                    said.append(line.decode(errors="replace").rstrip("\n")[:LONGEST])
            return lines, await process.wait()
        finally:
            # Whoever stops the server does not wait for it; interrupted, it removes its copy.
            if process.returncode is None:
                process.send_signal(signal.SIGINT)
                asyncio.get_running_loop().call_later(KILL_AFTER_S, _kill, process)


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()


SITE_CHECK: Final = web.AppKey("SITE_CHECK", SiteCheck)
