"""Runs an application whose requests all come in through the edge. Knows addresses and ports, but no page."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from server.realtime.process.loop_throttle import LoopThrottle
from server.web.edge.heads import MAX_HEADERS, MAX_IN_LINE
from server.web.edge.http_connection import HttpConnection

KEEP_ALIVE_S = 30
"""How long a connection stays open after its start or its last answer while the next head is incomplete."""
UNREAD_S = 2.0
"""The most that the rest of a small unread body may take."""
SHUTDOWN_S = 3
BACKLOG = 1_024
REQUESTS_PER_ITERATION = 1
"""Requests started per round of the event loop. A page takes about 2 ms, an empty round some hundredths of one."""
READ_AHEAD = 65_536
"""Bytes of a body that may wait for the handler; at twice as many the sender is paused."""


class EdgeServer(web.Server):
    """Creates the protocol of each connection."""

    _throttle: LoopThrottle

    def __call__(self) -> HttpConnection:
        return HttpConnection(self, self._throttle, loop=self._loop, **self._kwargs)

    @classmethod
    def of(cls, plain: web.Server) -> "EdgeServer":
        """A server that serves what `plain` would serve."""
        server = cls(
            plain.request_handler,
            request_factory=plain.request_factory,
            handler_cancellation=plain.handler_cancellation,
            loop=plain._loop,
            **plain._kwargs,
        )
        server._throttle = LoopThrottle(REQUESTS_PER_ITERATION)
        return server


class EdgeRunner(web.AppRunner):
    """An AppRunner whose connections are `HttpConnection`."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(
            app,
            access_log=None,
            auto_decompress=False,
            handler_cancellation=False,
            keepalive_timeout=KEEP_ALIVE_S,
            lingering_time=UNREAD_S,
            max_field_size=MAX_IN_LINE,
            max_headers=MAX_HEADERS,
            max_line_size=MAX_IN_LINE,
            read_bufsize=READ_AHEAD,
            shutdown_timeout=SHUTDOWN_S,
        )

    async def _make_server(self) -> web.Server:
        return EdgeServer.of(await super()._make_server())


async def serve_until_told(app: web.Application, host: str, port: int, opened: Callable[[], None]) -> None:
    """Serves until SIGTERM or SIGINT; calls `opened` once it listens. Raises OSError if it cannot listen."""
    told = asyncio.Event()
    # Windows does not have signal handlers and interrupts this coroutine instead.
    with suppress(NotImplementedError):
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, told.set)
    runner = EdgeRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=BACKLOG).start()
        opened()
        await told.wait()
    finally:
        await runner.cleanup()
