"""A redis-server for tests, without a disk, on a loopback port of its own: it can be killed and come back."""

import asyncio
import shutil
from contextlib import suppress

import pytest
from redis.asyncio import Redis

from tests.support.free_port import free_port

needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None,
    reason="no redis-server on the PATH: several servers at once are NOT tested; install it to run these tests",
)


class RedisServer:
    """One process at a time; `url` stays the same."""

    def __init__(self, password: str = "") -> None:
        self.password = password
        self.port = free_port()
        self.process = None

    @property
    def url(self) -> str:
        return f"redis://{f':{self.password}@' if self.password else ''}127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        """Returns when it takes connections."""
        self.process = await asyncio.create_subprocess_exec(
            *("redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"),
            *(("--requirepass", self.password) if self.password else ()),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        for _ in range(200):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                await writer.wait_closed()
                return
            await asyncio.sleep(0.02)
        raise AssertionError("redis-server did not start")

    async def ask(self, *command: str) -> None:
        """As `redis-cli` does. Raises RedisError."""
        async with Redis.from_url(self.url) as redis:
            await redis.execute_command(*command)

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


async def running_redis():
    """The body of a fixture: a server that runs until the test is over."""
    server = RedisServer()
    await server.start()
    yield server
    await server.kill()
