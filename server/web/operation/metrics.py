"""Metrics for the host, in the format of Prometheus, on a port of their own, which only this machine can reach.

Counts; decides nothing and names nobody: labels come from short fixed lists and are never an id, an address or a text
that somebody sent. The registry belongs to one site, so that two sites in one process (as in tests) do not mix. Loaded
only where the host has asked for it, as its library takes 1.5 MB.
"""

from collections import Counter as Tally
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from itertools import accumulate

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from server.realtime.play.rounds import Rounds
from server.realtime.runtime.stats import BOUNDS_MS, Histogram
from server.release import release
from server.settings import is_loopback
from server.web.budgets.callers import is_this_machine
from server.web.operation.loop_times import LOOP_TIMES, REQUEST_COUNTS, LoopTimes, RequestCounts
from server.web.site import SITE
from server.web.websocket.open_sockets import OpenSockets

COUNTED = {
    "commands": "Commands received",
    "moves": "Moves acknowledged",
    "failed": "Faults of the server, each with a number in the log",
    "resumes": "Boards that got what they had missed",
    "snapshots": "Boards that got the whole game",
    "rate_limited": "Messages over the limit of their connection",
    "late_on_turn": "How often a player's connection was found slow on their own turns only",
    "stalls": "How often the server stood still",
    "busy_limits": "How often a player had got back all the time that a busy server gives back in one game",
    "store_errors": "Writes that failed or whose outcome was unknown",
}


@asynccontextmanager
async def metrics_port(site: web.Application, host: str, port: int) -> AsyncIterator[None]:
    """Serves GET /metrics on that port until the block ends; 503 as long as the site is not open. Raises OSError."""
    metrics = cache(lambda: metrics_of(site))

    async def answer(request: web.Request) -> web.Response:
        # A malicious page could let its own host name resolve to this address.
        if is_loopback(host) and not is_this_machine(request.host):
            raise web.HTTPNotFound
        if SITE not in site:
            raise web.HTTPServiceUnavailable
        return web.Response(body=metrics().text(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    app = web.Application(client_max_size=1)
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=30)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield
    finally:
        await runner.cleanup()


def metrics_of(site: web.Application) -> "Metrics":
    """All that is measured of a running site."""
    running = site[SITE]
    return Metrics(running.rounds, running.open_sockets, site[LOOP_TIMES], site[REQUEST_COUNTS])


class Metrics:
    """All metrics of one site."""

    def __init__(self, rounds: Rounds, open_sockets: OpenSockets, loop_times: LoopTimes, counts: RequestCounts) -> None:
        self._registry = CollectorRegistry(auto_describe=True)
        self._registry.register(ReleaseCollector())
        self._registry.register(LivePlayCollector(rounds, open_sockets))
        self._registry.register(HandlerCollector(loop_times))
        self._registry.register(RequestCollector(counts))
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self._registry)


class ReleaseCollector(Collector):
    """Which release this is."""

    def collect(self) -> Iterator[Metric]:
        running = GaugeMetricFamily("fairyhouse_build_info", "Always 1; the release is a label", labels=["version"])
        yield filled(running, {release(): 1})


class LivePlayCollector(Collector):
    """What live play counts, read when the metrics are requested."""

    def __init__(self, rounds: Rounds, open_sockets: OpenSockets) -> None:
        self._rounds = rounds
        self._open_sockets = open_sockets

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("fairyhouse_sockets", "Open sockets", value=len(self._open_sockets))
        yield self._games()
        yield GaugeMetricFamily("fairyhouse_timers", "Timers that are set", value=len(self._rounds.services.timers))
        yield self._sockets_closed()
        yield CounterMetricFamily(
            "fairyhouse_sockets_cut", "Sockets cut off because too much waited for them", value=self._open_sockets.cut
        )
        stats = self._rounds.services.stats
        for name, what in COUNTED.items():
            yield CounterMetricFamily(f"fairyhouse_{name}", what, value=getattr(stats, name))
        stall = stats.longest_stall_ms / 1000
        yield GaugeMetricFamily("fairyhouse_longest_stall_seconds", "Longest time the server stood still", value=stall)
        refused = CounterMetricFamily("fairyhouse_refused", "Commands not carried out, by code", labels=["code"])
        yield filled(refused, stats.refused)
        damaged = CounterMetricFamily("fairyhouse_damaged", "Stored records that cannot be read", labels=["kind"])
        yield filled(damaged, self._rounds.services.store.damage.found)
        yield histogram("fairyhouse_acknowledge_seconds", "From a move's arrival to its answer", stats.acknowledged)
        yield histogram("fairyhouse_store_seconds", "One write of a game to the store", stats.stored)

    def _games(self) -> Metric:
        """Games by kind, counted on request: a few thousand take a millisecond."""
        games = GaugeMetricFamily("fairyhouse_games", "Games in memory, by state", labels=["state"])
        return filled(games, Tally(one.game.status.value for one in self._rounds))

    def _sockets_closed(self) -> Metric:
        """Closed sockets by code. Clients can send any code, so only those of the protocol are named."""
        closed = CounterMetricFamily("fairyhouse_sockets_closed", "Sockets closed, by code", labels=["code"])
        labels = Tally[str]()
        for code, count in self._open_sockets.closed.items():
            labels[str(code) if 1000 <= code <= 1015 or 4400 <= code <= 4429 else "other"] += count
        return filled(closed, labels)


class HandlerCollector(Collector):
    """How long the handlers of requests held the event loop, by route."""

    def __init__(self, loop_times: LoopTimes) -> None:
        self._loop_times = loop_times

    def collect(self) -> Iterator[Metric]:
        computed = CounterMetricFamily(
            "fairyhouse_handler_hold_seconds", "Computed on the event loop for requests", labels=["route"]
        )
        longest = GaugeMetricFamily(
            "fairyhouse_longest_handler_hold_seconds",
            "Longest time that a request computed without letting others go on",
            labels=["route"],
        )
        times = self._loop_times
        yield filled(computed, {route: time.total for route, time in times.items()})
        yield filled(longest, {route: time.longest for route, time in times.items()})


class RequestCollector(Collector):
    """How many requests were answered."""

    def __init__(self, counts: RequestCounts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        answered = CounterMetricFamily("fairyhouse_requests", "Requests answered", labels=["route", "method", "status"])
        for (route, method, status), count in self._counts.answered.items():
            answered.add_metric([route, method, str(status)], count)
        yield answered


def filled(family: CounterMetricFamily | GaugeMetricFamily, values: Mapping[str, float]) -> Metric:
    """The family, which has one label, with these values of it."""
    for label, value in values.items():
        family.add_metric([label], value)
    return family


def histogram(name: str, what: str, waits: Histogram) -> Metric:
    """The waits as Prometheus reads them, in seconds. `what`: its help text."""
    bounds = [*(str(bound / 1000) for bound in BOUNDS_MS), "+Inf"]
    buckets = list(zip(bounds, accumulate(waits.counts), strict=True))
    return HistogramMetricFamily(name, what, buckets=buckets, sum_value=waits.total_ms / 1000)
