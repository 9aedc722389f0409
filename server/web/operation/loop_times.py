"""What is counted of requests: how many were answered, and how long each route holds the event loop.

A request holds it for what its handler computes between two of its awaits; meanwhile no move is answered. Measured is
the thread's CPU time, not the clock, so that no route is blamed on a busy machine. Sockets have no running handler, so
moves are not measured. Counts also where nobody reads metrics; `metrics` loads the library for them.
"""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Coroutine, Generator
from dataclasses import dataclass
from time import thread_time
from typing import Any, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

NO_ROUTE = "none"
Result = TypeVar("Result")


class RequestCounts:
    """The counts of one site."""

    def __init__(self) -> None:
        self.answered: Counter[tuple[str, str, int]] = Counter()

    def count_answer(self, request: web.Request, response: web.StreamResponse) -> None:
        """Counts an answer that is about to be sent; an unknown address has no route."""
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        self.answered[route_of(request), method, response.status] += 1


REQUEST_COUNTS = web.AppKey("REQUEST_COUNTS", RequestCounts)


@dataclass(slots=True)
class LoopTime:
    """Seconds that the requests of one route computed: in all, and the longest without a pause."""

    total: float = 0.0
    longest: float = 0.0

    def add_turn(self, seconds: float) -> None:
        """Counts one turn of the event loop."""
        self.total += seconds
        self.longest = max(self.longest, seconds)


LoopTimes = defaultdict[str, LoopTime]
"""By route, so there are never more than routes and methods."""

LOOP_TIMES = web.AppKey("loop_times", LoopTimes)


def timing(times: LoopTimes) -> Middleware:
    """A middleware that adds the computing time of every handler to `times`; it must be the outermost."""

    @web.middleware
    async def time_steps(request: web.Request, handler: Handler) -> web.StreamResponse:
        method = request.method if request.method in ("GET", "HEAD", "POST", "DELETE") else "other"
        steps = handler(request)
        assert isinstance(steps, Coroutine)
        return await Timed(steps, times[f"{method} {route_of(request)}"])

    return time_steps


class Timed(Awaitable[Result]):
    """Runs a coroutine step by step as `await` does, and adds the CPU time of each step to `time`."""

    __slots__ = ("_coroutine", "_time")

    def __init__(self, coroutine: Coroutine[Any, Any, Result], time: LoopTime) -> None:
        self._coroutine = coroutine
        self._time = time

    def __await__(self) -> Generator[Any, Any, Result]:
        coroutine, value, error = self._coroutine, None, None
        while True:
            began = thread_time()
            try:
                awaited = coroutine.send(value) if error is None else coroutine.throw(error)
            except StopIteration as stop:
                result: Result = stop.value
                return result
            finally:
                self._time.add_turn(thread_time() - began)
            value, error = None, None
            try:
                value = yield awaited
            except BaseException as thrown:
                error = thrown


def route_of(request: web.Request) -> str:
    """The route's address in the routing table, with placeholders for its parameters."""
    resource = request.match_info.route.resource
    return NO_ROUTE if resource is None else resource.canonical
