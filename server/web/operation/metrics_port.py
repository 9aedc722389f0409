"""Serves the metrics on a port of their own, which only this machine can reach. Knows no particular metric."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from server.web.budgets.callers import is_this_machine
from server.web.operation.metrics import Metrics

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def metrics_port(metrics: Metrics, port: int) -> AsyncIterator[None]:
    """Serves GET /metrics on that port of the loopback address until the block ends. Raises OSError."""

    async def answer(request: web.Request) -> web.Response:
        # A malicious page could let its own host name resolve to this address.
        if not is_this_machine(request.host):
            raise web.HTTPNotFound
        return web.Response(body=metrics.text(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    app = web.Application(client_max_size=1)
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=30)
    await runner.setup()
    try:
        await web.TCPSite(runner, LOOPBACK, port).start()
        yield
    finally:
        await runner.cleanup()
