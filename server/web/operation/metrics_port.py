"""Serves the metrics on a port of their own, which only this machine can reach. Knows no particular metric.

Loaded only where the host has asked for it, as its library takes 1.5 MB.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from server.web.budgets.callers import is_this_machine
from server.web.operation.loop_times import LOOP_TIMES
from server.web.operation.metrics import Metrics
from server.web.operation.request_counts import REQUEST_COUNTS
from server.web.site import SITE

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def metrics_port(site: web.Application, port: int) -> AsyncIterator[None]:
    """Serves GET /metrics on that port of the loopback address until the block ends. Raises OSError."""
    metrics = metrics_of(site)

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


def metrics_of(site: web.Application) -> Metrics:
    """All that is measured of a running site."""
    running = site[SITE]
    return Metrics(running.rounds, running.open_sockets, site[LOOP_TIMES], site[REQUEST_COUNTS])
