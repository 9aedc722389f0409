"""Numbers for whoever runs the site, in the form that Prometheus reads. Counts; decides nothing, names nobody.

The registry belongs to one site, so two sites in one process (as in tests) do not mix. Labels come from short fixed
lists: never an id, an address or a text that somebody sent.
"""

from collections.abc import Iterator
from dataclasses import asdict

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric, UnknownMetricFamily
from prometheus_client.registry import Collector

from server.realtime.rounds import Rounds
from server.web.open_sockets import OpenSockets


class LivePlay(Collector):
    """What live play counts by itself, read when somebody asks."""

    def __init__(self, rounds: Rounds, open_sockets: OpenSockets) -> None:
        self._rounds = rounds
        self._open_sockets = open_sockets

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("fairyhouse_sockets", "Open sockets", value=len(self._open_sockets))
        yield GaugeMetricFamily("fairyhouse_rounds", "Games in memory", value=len(self._rounds))
        for name, count in asdict(self._rounds.node.figures).items():
            yield UnknownMetricFamily(f"fairyhouse_{name}", "Since the start of the process", value=count)


class Metrics:
    """Every number on one page."""

    def __init__(self, rounds: Rounds, open_sockets: OpenSockets) -> None:
        self._registry = CollectorRegistry(auto_describe=True)
        self._registry.register(LivePlay(rounds, open_sockets))
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "fairyhouse_requests", "Requests answered", ["route", "method", "status"], registry=self._registry
        )
        self._closed = Counter(
            "fairyhouse_sockets_closed", "Sockets closed, by code", ["code"], registry=self._registry
        )

    def count_request(self, request: web.Request, response: web.StreamResponse) -> None:
        """Counts an answer that is about to be sent; an address that leads nowhere has no route."""
        resource = request.match_info.route.resource
        route = "none" if resource is None else resource.canonical
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        self._requests.labels(route, method, response.status).inc()

    def count_closed(self, code: int | None) -> None:
        """Counts a socket that is gone. Codes are the client's to choose, so only those of the protocol are named."""
        known = code is not None and (1000 <= code <= 1015 or 4400 <= code <= 4429)
        self._closed.labels(code if known else "other").inc()

    def text(self) -> bytes:
        """All numbers, as text in Prometheus' format."""
        return generate_latest(self._registry)
