"""The two servers under test as processes, and what they cost: CPU and memory as the kernel counts them (Linux)."""

import asyncio
import os
import sys
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

import aiohttp

from tests.support.web.host import Host

SITE = "https://bench.test"
"""An address behind a proxy: so each client can have a network address of its own, and the limits stay on."""


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a process has had since its start."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """One server process. `ready_s`: from its start to its first answer."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.host = Host(folder)
        self.settings = settings
        self.port: int = self.host.port
        self.ready_s = 0.0

    async def __aenter__(self) -> Self:
        started = perf_counter()
        await self.start()
        self.ready_s = perf_counter() - started
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.host.kill()

    async def start(self) -> None:
        raise NotImplementedError

    @property
    def cpu_s(self) -> float:
        """Seconds of CPU since the start."""
        return cpu_s(self.host.process.pid)

    @property
    def rss_mb(self) -> float:
        pages = int(Path(f"/proc/{self.host.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Fairyhouse(Server):
    """As a host runs it, with its store on disk and every limit in force."""

    async def start(self) -> None:
        await self.host.start(PUBLIC_URL=SITE, **self.settings)
        async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{self.port}/") as page:
            assert page.status == 200
            await page.read()


class Relay(Server):
    async def start(self) -> None:
        self.host.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.live.relay", str(self.port)),
            stdout=asyncio.subprocess.PIPE,
            # It does not catch what an attacker makes it raise.
            stderr=asyncio.subprocess.DEVNULL,
        )
        await self.host.process.stdout.readline()
