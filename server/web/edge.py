"""What a request passes before any handler: its head is read and judged, and it waits for its turn. Knows no page.

aiohttp's own connection class gives the parser everything that has arrived, up to a quarter of a megabyte: hundreds of
requests, or tens of thousands of one-byte chunks, during which all games stood still. `HttpConnection` stands between
the transport and that class, gives the parser one request at a time, and uses only what asyncio and aiohttp name in
public. `serve_until_told` runs an application behind it.
"""

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from aiohttp import HttpVersion10, HttpVersion11, web
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from yarl import URL

from server.realtime.runtime.limits import LoopThrottle

log = logging.getLogger(__name__)

MAX_BYTES: Final = 16_384
"""Bytes of the request line and all headers. Browsers send one or two thousand."""
MAX_HEADERS: Final = 100
MAX_IN_LINE: Final = 8_190
"""Bytes of the request line, and of one header."""
SPOKEN: Final = frozenset({HttpVersion10, HttpVersion11})
CONTINUE: Final = "100-continue"

END_OF_HEAD: Final = b"\r\n\r\n"
HEADERS: Final = {"Server": "Fairyhouse", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
LINGER_S: Final = 1.0
"""How long to discard what follows a refused request: closing at once could destroy the answer on its way."""
MAX_UNREAD: Final = 65_536
"""Bytes of an unread body that are read and discarded to get to the next request."""
REST_S: Final = 3.0
"""How long the rest of a larger body is discarded."""
MAX_DISCARDED: Final = 8_000_000
"""Bytes to discard after a refusal; beyond that the connection is closed at once."""
HEAD_S: Final = 10.0
"""The most that a head may take from its first byte to its end."""

KEEP_ALIVE_S = 30
"""How long a connection stays open after its start or its last answer while the next head is incomplete."""
UNREAD_S = 2.0
"""The most that the rest of a small unread body may take."""
SHUTDOWN_S = 3
STOPPING = ("SIGTERM", "SIGINT", "SIGHUP")
"""The last one comes when a terminal is closed."""
BACKLOG = 1_024
REQUESTS_PER_ITERATION = 1
"""Requests started per round of the event loop. A page takes about 2 ms, an empty round some hundredths of one."""
READ_AHEAD = 65_536
"""Bytes of a body that may wait for the handler; at twice as many the sender is paused."""

OPTIONS = {
    "access_log": None,
    "auto_decompress": False,
    "keepalive_timeout": KEEP_ALIVE_S,
    "lingering_time": UNREAD_S,
    "max_field_size": MAX_IN_LINE,
    "max_headers": MAX_HEADERS,
    "max_line_size": MAX_IN_LINE,
    "read_bufsize": READ_AHEAD,
}


@dataclass(frozen=True, slots=True)
class RefusedHead:
    """Why a request is answered with the status `code` and the sentence `message`, after which its connection ends."""

    code: int
    message: str


TOO_LARGE: Final = RefusedHead(
    431,
    "The head of the request is larger than this server reads. If a browser sent it, clear this site's cookies.",
)

LATE: Final = RefusedHead(408, "The head of the request did not arrive in time.")

UNREADABLE: Final = RefusedHead(400, "This is not a request that can be read (RFC 9112).")


async def serve_until_told(app: web.Application, host: str, port: int, opened: Callable[[], None]) -> None:
    """Serves until one of STOPPING; calls `opened` once it listens. Raises OSError if it cannot listen."""
    told = asyncio.Event()

    def stop(number: signal.Signals) -> None:
        log.info("stopping: %s", number.name)
        told.set()

    # Windows does not have signal handlers and interrupts this coroutine instead.
    with suppress(NotImplementedError):
        for name in STOPPING:
            number = signal.Signals[name]
            if name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN:
                continue  # started by nohup
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
    runner = EdgeRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=BACKLOG).start()
        opened()
        await told.wait()
    finally:
        await runner.cleanup()
    log.info("stopped")


class EdgeRunner(web.AppRunner):
    """An AppRunner whose connections are `HttpConnection`."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(app, shutdown_timeout=SHUTDOWN_S)
        self._edge: EdgeServer | None = None

    @property
    def server(self) -> "EdgeServer | None":
        """The server of all sites of this runner; None before `setup`."""
        return self._edge

    async def setup(self) -> None:
        """Starts the application."""
        await super().setup()
        app = super().server
        assert app is not None
        self._edge = EdgeServer(app)

    async def shutdown(self) -> None:
        """Called by `cleanup`: lets go of idle connections, tells the application, and waits for its last answers."""
        if self._edge is not None:
            self._edge.pre_shutdown()
        await super().shutdown()
        if self._edge is not None:
            await self._edge.shutdown(SHUTDOWN_S)


class EdgeServer(web.Server):
    """Creates the protocol of each connection; `app`, an application's own server, answers what is not refused."""

    def __init__(self, app: web.Server) -> None:
        super().__init__(self.answer_request, request_factory=app.request_factory)
        self.throttle = LoopThrottle(REQUESTS_PER_ITERATION)
        self.discarding: set[Discarding] = set()
        self._app = app

    def __call__(self) -> "HttpConnection":
        return HttpConnection(self, **OPTIONS)

    async def answer_request(self, request: web.BaseRequest) -> web.StreamResponse:
        """The answer to a request: a refusal, or what the application answers."""
        assert isinstance(request.protocol, HttpConnection)
        return request.protocol.begin(request) or await self._app.request_handler(request)

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - aiohttp's signature
        """Called when the application has been told: waits that long (s) for each request that is being answered."""
        for connection in tuple(self.discarding):
            connection.close()
        await super().shutdown(timeout)


class HttpConnection(web.RequestHandler):
    """aiohttp's protocol of one connection, behind a reader that holds back what is not to be parsed yet.

    `server` must have its requests answered by `begin` first; `options` are those of RequestHandler.
    """

    __slots__ = (
        "_answering", "_body_full", "_body_left", "_early", "_edge", "_head_bytes", "_head_due", "_head_end", "_held",
        "_queued", "_refused",
    )  # fmt: skip

    def __init__(self, server: "EdgeServer", **options: object) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), **options)  # type: ignore[arg-type]
        self._edge = server
        self._early = b""
        self._held = False
        self._queued = False
        self._answering = False
        self._refused = False
        self._body_left = 0
        self._body_full = False
        self._head_bytes = 0
        self._head_end = b""
        self._head_due: asyncio.TimerHandle | None = None

    # --- reading ----------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if not data:
            # The handler has read part of the body, so the parser may continue with what it has.
            super().data_received(data)
            return
        self._early += data
        if not self._queued:
            self.read_next()

    def read_next(self) -> None:
        """Gives the parser what it may have now, and pauses the sender as long as something is left."""
        self._queued = False
        while self._early:
            if self._body_left:
                self._feed_body()
            elif self._answering:
                break
            elif self._edge.throttle.take_turn(self.read_next):
                self._feed_head()
            else:
                self._queued = True
                break
        self._hold(bool(self._early))

    def _hold(self, held: bool) -> None:
        """Pauses reading, or resumes it unless the body's reader has paused it, too."""
        if held is not self._held and self.transport is not None and not self.transport.is_closing():
            self._held = held
            if held:
                self.transport.pause_reading()
            elif not self._body_full:
                self.transport.resume_reading()

    def pause_reading(self) -> None:
        """Called by aiohttp when more of a body waits for its reader than is kept."""
        self._body_full = True
        super().pause_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Called by aiohttp when there is room for more of a body."""
        self._body_full = False
        super().resume_reading(resume_parser)
        if self._held and self.transport is not None and not self.transport.is_closing():
            self.transport.pause_reading()

    def _feed_body(self) -> None:
        piece, self._early = self._early[: self._body_left], self._early[self._body_left :]
        self._body_left -= len(piece)
        super().data_received(piece)

    def _feed_head(self) -> None:
        """Gives the parser a head up to its end, without the blank lines before it, and nothing beyond it."""
        arrived = self._early[:MAX_BYTES]
        piece = arrived if self._head_end else arrived.lstrip(b"\r\n")
        blank = len(arrived) - len(piece)
        seen = self._head_end + piece
        end = seen.find(END_OF_HEAD)
        if end >= 0:
            piece = piece[: end + len(END_OF_HEAD) - len(self._head_end)]
        self._early = self._early[blank + len(piece) :]
        self._head_end = seen[-len(END_OF_HEAD) + 1 :]
        self._head_bytes += blank + len(piece)
        if self._head_bytes > MAX_BYTES:
            self._refuse_unanswered(TOO_LARGE)
            return
        if end >= 0:
            self._answering = True
            self._forget_head()
        elif self._head_due is None:
            self._head_due = asyncio.get_running_loop().call_later(HEAD_S, self._refuse_unanswered, LATE)
        super().data_received(piece)

    def _forget_head(self) -> None:
        """Begins to count and to time anew, because the head is complete or no longer expected."""
        self._head_bytes = 0
        self._head_end = b""
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    # --- answering --------------------------------------------------------------------------------------------------

    def begin(self, request: web.BaseRequest) -> web.Response | None:
        """Called with each request before it is handled: the answer to one that is refused; None: handle it."""
        if self.transport is None:
            # Its sender has left before it was their turn, so nobody gets the answer.
            return web.Response()
        refusal = refusal_of(request)
        if refusal is not None:
            return self._refuse(refusal)
        if request.body_exists:
            self._body_left = request.content_length or 0
            self.read_next()
        return None

    def _refuse(self, refusal: RefusedHead) -> web.Response:
        """The answer to a request that aiohttp has made, after which the connection ends."""
        self._refused = True
        answer = web.Response(status=refusal.code, text=f"{refusal.message}\n", headers=HEADERS)
        answer.force_close()
        return answer

    def _refuse_unanswered(self, refusal: RefusedHead) -> None:
        """Refuses a head that is not complete, of which aiohttp makes no request."""
        transport = self.release()
        if transport is not None:
            transport.write(answer_to_none(refusal))
            Discarding(transport, self._edge, LINGER_S)

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Called by aiohttp to send the answer; after that, the next request may come."""
        if isinstance(resp, web.HTTPException):
            forget_where(resp)
        unread = self._body_left > MAX_UNREAD
        if unread and not resp.prepared:
            resp.force_close()
        answered = await super().finish_response(request, resp, start_time)
        self._answering = False
        if self._refused or unread:
            transport = self.release()
            if transport is not None:
                Discarding(transport, self._edge, LINGER_S if self._refused else REST_S)
        else:
            self.read_next()
        return answered

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Called by aiohttp for the answer to what it could not parse, and to an error outside of any handler."""
        if not isinstance(exc, HttpProcessingError):
            return super().handle_error(request, status, exc, message)
        forget_where(exc)
        return self._refuse(refusal_of_unreadable(exc))

    # --- ending -----------------------------------------------------------------------------------------------------

    def give_early(self) -> bytes:
        """Returns the bytes after the current request and resumes reading, for whatever takes over the connection."""
        early, self._early = self._early, b""
        self._hold(False)
        return early

    def release(self) -> asyncio.Transport | None:
        """Makes aiohttp forget the connection, for whatever takes it over; None if it is closed."""
        transport, self.transport = self.transport, None
        # Or aiohttp, where it starts handlers at once (from Python 3.12), still waits for the rest of a body.
        self.force_close()
        self.connection_lost(None)
        return None if transport is None or transport.is_closing() else transport

    def connection_lost(self, exc: BaseException | None) -> None:
        """Called by asyncio when the connection has ended."""
        self._early = b""
        self._forget_head()
        # A head may have woken aiohttp a moment ago, and it fails if it has lost by then what requests are made with.
        asyncio.get_running_loop().call_soon(super().connection_lost, exc)


class Discarding(asyncio.Protocol):
    """A connection after its last answer: discards what its peer still sends, for `seconds` at most, then closes it."""

    def __init__(self, transport: asyncio.Transport, edge: "EdgeServer", seconds: float) -> None:
        self._transport = transport
        self._edge = edge
        self._discarded = 0
        self._end = asyncio.get_running_loop().call_later(seconds, transport.close)
        edge.discarding.add(self)
        transport.set_protocol(self)
        transport.write_eof()
        transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Counts what is discarded, and reads the next piece only after what others wait for."""
        self._discarded += len(data)
        if self._discarded > MAX_DISCARDED:
            self._transport.close()
        elif not self._transport.is_closing():
            self._transport.pause_reading()
            self._edge.throttle.wait_turn(self.read_next)

    def read_next(self) -> None:
        """Reads the next piece to discard when it is this connection's turn."""
        if not self._transport.is_closing() and self._edge.throttle.take_turn(self.read_next):
            self._transport.resume_reading()

    def close(self) -> None:
        """Closes the connection now."""
        self._transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Called by asyncio when the connection has ended."""
        self._end.cancel()
        self._edge.discarding.discard(self)


def answer_to_none(refusal: RefusedHead) -> bytes:
    """The bytes that answer something of which no request could be made."""
    body = f"{refusal.message}\n".encode()
    headers = HEADERS | {
        "Date": f"{datetime.now(UTC):%a, %d %b %Y %H:%M:%S} GMT",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = (f"HTTP/1.1 {refusal.code} {HTTPStatus(refusal.code).phrase}", *(": ".join(one) for one in headers.items()))
    return "\r\n".join(lines).encode() + END_OF_HEAD + body


def refusal_of(request: web.BaseRequest) -> RefusedHead | None:
    """Why a request that could be parsed is refused; None if it is not.

    The length of a chunked body is not known beforehand, and each chunk, even of one byte, is work for the parser.
    """
    if request.version not in SPOKEN:
        return RefusedHead(505, "Use HTTP/1.1 or 1.0; this server speaks no other version.")
    if request.headers.get("Expect", CONTINUE).lower() != CONTINUE:
        return RefusedHead(417, "The only expectation that is met is 100-continue.")
    if "Transfer-Encoding" in request.headers:
        return RefusedHead(411, "Send the body in one piece, with Content-Length.")
    target = request.raw_path
    if request.method == "CONNECT" or target == "*":
        return RefusedHead(405, "Ask for the path of a page; this server is no proxy.")
    if not target.startswith("/") and URL(target).authority.lower() != request.headers.get("Host", "").lower():
        return RefusedHead(400, "The address and the Host header name different sites.")
    return None


def refusal_of_unreadable(error: BaseException) -> RefusedHead:
    """The refusal of a request that aiohttp's parser could not read."""
    return TOO_LARGE if isinstance(error, LineTooLong) else UNREADABLE


def forget_where(error: BaseException | None) -> None:
    """Removes the tracebacks of `error` and of the errors that led to it, once it has become an answer. Log it first.

    An error holds every frame that it went through, and a frame holds the request. If the request, its connection or a
    template holds the error, that is a reference cycle, which lives until the hourly full garbage collection.
    """
    while error is not None:
        error.__traceback__ = None
        before, error.__context__ = error.__context__, None
        error.__cause__ = None
        error = before
