"""Servers forked from a process that has loaded their code (`tests.support.web.forker`), one for all tests here."""

import asyncio
import atexit
import functools
import json
import os
import signal
import socket
import subprocess
import sys


@functools.cache
def forker():
    """The socket at which it is asked for a server. It ends with this process."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    process = subprocess.Popen([sys.executable, "-m", "tests.support.web.forker"], stdin=theirs)
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


class Pipe:
    """What another process writes, line by line."""

    @classmethod
    async def open(cls):
        """The pipe, and the descriptor for who writes."""
        pipe, (here, there) = cls(), os.pipe()
        pipe._reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(pipe._reader)
        loop = asyncio.get_running_loop()
        pipe._transport, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(here, "rb", 0))
        return pipe, there

    async def readline(self):
        return await self._reader.readline()

    async def rest(self):
        """All until the other end is closed."""
        said = await self._reader.read()
        self._transport.close()
        await asyncio.sleep(0)  # it is closed in the next round of the loop
        return said


class ForkedServer:
    """As `asyncio.subprocess.Process`, as far as tests need one."""

    def __init__(self, pid, stdout, told):
        self.pid = pid
        self.stdout = stdout
        self.returncode = None
        self._end = asyncio.create_task(self._learn_its_end(told))

    @classmethod
    async def start(cls, environment, errors, *arguments):
        """With nothing else in its environment; standard error goes to the file `errors`."""
        (stdout, out), (told, end) = await Pipe.open(), await Pipe.open()
        socket.send_fds(forker(), [json.dumps([environment, arguments]).encode()], [out, errors.fileno(), end])
        os.close(out)
        os.close(end)
        return cls(int(await told.readline()), stdout, told)

    async def _learn_its_end(self, told):
        self.returncode = int(await told.readline())
        await told.rest()

    def send_signal(self, number):
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    async def communicate(self):
        """What it still said; returns when it has ended. Standard error is in its file."""
        said = await self.stdout.rest()
        await self._end
        return said, None
