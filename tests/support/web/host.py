"""Whoever runs the server, for tests: a process of its own on a free port."""

import asyncio
import os
import signal
import sys
import tempfile

from server.setting_sources import PREFIX
from server.settings import Settings
from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S
from tests.support.web.forked import ForkedServer


def _full(name):
    """The whole name of a setting; what is none stays as it is."""
    return PREFIX + name if name.lower() in Settings.model_fields else name


class Host:
    """Whoever runs the server on a free port, with a data folder that outlives each process. Settings are given without
    their prefix.
    """

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.site = f"http://127.0.0.1:{self.port}"
        self.process = None
        # A file and not a pipe: a server that has much to say would stand still in front of a full one.
        self._errors = folder / f"errors-{self.port}"

    async def run(self, **settings):
        """Starts the server; does not wait until it is ready."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        chosen = {"PORT": str(self.port), "DATA_DIR": str(self.folder / "data"), **settings}
        environment = kept | {_full(name): value for name, value in chosen.items()}
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._errors.open("wb") as errors:
            self.process = await self._started(environment, errors)
        return self.process

    async def _started(self, environment, errors):
        command = (sys.executable, "-m", "server")
        return await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=errors
        )

    async def start(self, **settings):
        await self.run(**settings)
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
        address = settings.get("PUBLIC_URL", f"http://localhost:{self.port}")
        assert line == f"Fairyhouse is running at {address}\n".encode(), await self.end()
        return self

    async def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return await self.end()

    async def end(self):
        """Returns the exit code and what was written to standard error."""
        await asyncio.wait_for(self.process.communicate(), PATIENCE_S)
        return self.process.returncode, self._errors.read_text()

    async def kill(self):
        """Leaves nothing behind."""
        if self.process is not None:
            if self.process.returncode is None:
                self.process.kill()
            await self.process.communicate()


class QuickHost(Host):
    """Has loaded everything already: the same server without the wait for its start, for whoever does not time that.

    Nor does it bring puzzles, which take seconds and memory after the start.
    """

    async def _started(self, environment, errors):
        environment = {"FAIRYHOUSE_SHIPPED_PUZZLES": "false", **environment}
        # What else is told by the environment is for Python or the machine, and would come too late.
        if any(not name.startswith(PREFIX) and name not in ("PATH", "HOME", "LANG") for name in environment):
            return await super()._started(environment, errors)
        return await ForkedServer.start(environment, errors)


async def command(host, *arguments):
    """The exit code, what was written, and what was said about it."""
    environment = {"FAIRYHOUSE_DATA_DIR": str(host.folder / "data"), "PATH": "/usr/bin:/bin"}
    with tempfile.TemporaryFile() as errors:
        process = await ForkedServer.start(environment, errors, *arguments)
        said, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
        errors.seek(0)
        return process.returncode, said.decode(), errors.read().decode()
