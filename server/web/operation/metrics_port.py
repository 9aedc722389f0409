"""The numbers on a port of their own, which only this machine can reach. Knows no number."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from server.web.budgets.callers import is_this_machine
from server.web.operation.metrics import Metrics

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def metrics_port(metrics: Metrics, port: int) -> AsyncIterator[None]:
    """While it lasts, GET /metrics on that port of the loopback address gives all numbers. Raises OSError."""

    async def answer(request: web.Request) -> web.Response:
        # A page of the web could have the name of its own host lead here.
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
