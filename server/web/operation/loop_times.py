"""How long a request keeps the event loop to itself: what its handler computes between two of its awaits.

While it does, nobody's move is answered. The thread's own CPU time counts and not the clock's, so that a machine that
is busy with other programs blames no route. Knows no page; sockets have no handler that goes on, so moves cost nothing.
"""

from collections import defaultdict
from collections.abc import Awaitable, Coroutine, Generator
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

NO_ROUTE = "none"
Result = TypeVar("Result")


@dataclass(slots=True)
class LoopTime:
    """Seconds that the requests of one route computed: in all, and the longest without letting others go on."""

    total: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.total += seconds
        self.longest = max(self.longest, seconds)


@dataclass(slots=True)
class LoopTimes:
    """By route, as the table of routes has it. There are no more of them than routes and methods."""

    by_route: defaultdict[str, LoopTime] = field(default_factory=lambda: defaultdict(LoopTime))


LOOP_TIMES = web.AppKey("loop_times", LoopTimes)


class Timed(Awaitable[Result]):
    """Runs a coroutine step by step as `await` does, and adds to `time` what each step computed."""

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
                self._time.add(thread_time() - began)
            value, error = None, None
            try:
                value = yield awaited
            except BaseException as thrown:
                error = thrown


def route_of(request: web.Request) -> str:
    """The route's address as the table has it, without what stands for its parameters."""
    resource = request.match_info.route.resource
    return NO_ROUTE if resource is None else resource.canonical


def timing(times: LoopTimes) -> Middleware:
    """Adds what every handler computes to `times`; to be the outermost."""

    @web.middleware
    async def time_steps(request: web.Request, handler: Handler) -> web.StreamResponse:
        method = request.method if request.method in ("GET", "HEAD", "POST", "DELETE") else "other"
        steps = handler(request)
        assert isinstance(steps, Coroutine)
        return await Timed(steps, times.by_route[f"{method} {route_of(request)}"])

    return time_steps
