"""A line to a MongoDB server that can be told to lose answers. It forwards bytes and knows only names of commands."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit


class BrokenLine:
    """Listens on a loopback port and forwards to the server at `address`.

    `lose`: how many answers to the command `command` are lost from now on: the server gets the command and does it,
    the connection breaks before the answer. `cut`: every connection is refused.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._target = (parts.hostname, parts.port)
        self._server = None
        self._tasks = set()
        self.command = b"update"
        self.lose = 0
        self.lost = 0
        self.cut = False

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def uri(self, original: str) -> str:
        """`original`, going through this line."""
        port = self._server.sockets[0].getsockname()[1]
        return original.replace(f"{self._target[0]}:{self._target[1]}", f"127.0.0.1:{port}")

    def drop_all(self):
        """Break every connection, and refuse new ones until `cut` is taken back."""
        self.cut = True
        for task in tuple(self._tasks):
            task.cancel()

    async def _connected(self, client_in, client_out):
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            if not self.cut:
                await self._relay(client_in, client_out)
        finally:
            self._tasks.discard(task)
            client_out.close()

    async def _relay(self, client_in, client_out):
        server_in, server_out = await asyncio.open_connection(*self._target)
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while True:
                question = await self._message(client_in)
                server_out.write(question)
                answer = await self._message(server_in)
                # The name of the command is the first key of the first document, an int32 type byte before it.
                if self.lose and b"\x02" + self.command + b"\x00" in question[:64]:
                    self.lose -= 1
                    self.lost += 1
                    break
                client_out.write(answer)
        server_out.close()

    @staticmethod
    async def _message(reader):
        size = await reader.readexactly(4)
        return size + await reader.readexactly(int.from_bytes(size, "little") - 4)
