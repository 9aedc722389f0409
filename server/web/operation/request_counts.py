"""How many requests were answered, by route, method and status. Counts also where nobody reads metrics."""

from collections import Counter

from aiohttp import web

from server.web.operation.loop_times import route_of


class RequestCounts:
    """The counts of one site."""

    def __init__(self) -> None:
        self.answered: Counter[tuple[str, str, int]] = Counter()

    def add(self, request: web.Request, response: web.StreamResponse) -> None:
        """Counts an answer that is about to be sent; an unknown address has no route."""
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        self.answered[route_of(request), method, response.status] += 1


REQUEST_COUNTS = web.AppKey("REQUEST_COUNTS", RequestCounts)
