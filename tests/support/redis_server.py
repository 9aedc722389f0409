"""A redis-server for tests, without a disk, on a loopback port of its own: it can be killed and come back."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S

needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None,
    reason="no redis-server on the PATH: several servers at once are NOT tested; install it to run these tests",
)


class RedisServer:
    """One process at a time; `url` stays the same. `options`: more of redis-server's own. With a certificate and its
    key it speaks TLS alone.
    """

    def __init__(
        self, password: str = "", options: Sequence[str] = (), certificate: tuple[Path, Path] | None = None
    ) -> None:
        self.password = password
        self.port = free_port()
        self.process = None
        self._options = options
        self._certificate = certificate

    @property
    def url(self) -> str:
        scheme = "rediss" if self._certificate else "redis"
        return f"{scheme}://{f':{self.password}@' if self.password else ''}127.0.0.1:{self.port}/0"

    def follow(self, master: "RedisServer") -> None:
        """From its next start on it is a replica of `master`."""
        self._options = ("--replicaof", "127.0.0.1", str(master.port), "--repl-diskless-sync-delay", "0")

    def _command(self) -> Sequence[str]:
        port = ("--port", str(self.port))
        if self._certificate:
            made, key = map(str, self._certificate)
            port = ("--port", "0", "--tls-port", str(self.port), "--tls-auth-clients", "no", "--tls-cert-file", made)
            port = (*port, "--tls-key-file", key, "--tls-ca-cert-file", made)
        return (
            *("redis-server", *port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"),
            *(("--requirepass", self.password, "--masterauth", self.password) if self.password else ()),
            *self._options,
        )

    async def start(self) -> None:
        """Returns when it takes connections."""
        self.process = await asyncio.create_subprocess_exec(
            *self._command(),
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

    async def ask(self, *command: str) -> Any:
        """As `redis-cli` does. Raises RedisError."""
        async with Redis.from_url(self.url) as redis:
            return await redis.execute_command(*command)

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class SentinelServer(RedisServer):
    """The only Sentinel of a Redis that it calls `mymaster`: quick to call it dead, and to choose another."""

    def __init__(self, folder: Path, master: RedisServer, password: str = "") -> None:
        super().__init__(password)
        self._file = folder / "sentinel.conf"
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {folder}",
            f"sentinel monitor mymaster 127.0.0.1 {master.port} 1",
            "sentinel down-after-milliseconds mymaster 500",
            "sentinel failover-timeout mymaster 2000",
        ]
        if password:
            lines += [f"requirepass {password}", f"sentinel auth-pass mymaster {password}"]
        self._file.write_text("\n".join(lines) + "\n")

    def _command(self) -> Sequence[str]:
        return ("redis-server", str(self._file), "--sentinel")

    async def know_a_replica(self) -> None:
        """Returns when it has heard of somebody who can take the place of the first."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.ask("SENTINEL", "REPLICAS", "mymaster"):  # noqa: ASYNC110 - another process hears it
                await asyncio.sleep(0.02)


async def running_redis():
    """The body of a fixture: a server that runs until the test is over."""
    server = RedisServer()
    await server.start()
    yield server
    await server.kill()
