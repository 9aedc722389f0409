"""One HTTP connection, which gives the parser one request at a time, and only when it is its turn.

aiohttp's own class gives the parser everything that has arrived, up to a quarter of a megabyte: hundreds of requests,
or tens of thousands of one-byte chunks, during which all games stood still. Knows no page and no person.
"""

import asyncio
from typing import Final

from aiohttp import EMPTY_PAYLOAD, web
from aiohttp.web_protocol import _ErrInfo

from server.realtime.process.loop_throttle import LoopThrottle
from server.web.edge.heads import MAX_BYTES, RefusedHead, refusal_of, too_large, unreadable
from server.web.edge.tracebacks import forget_where

END_OF_HEAD: Final = b"\r\n\r\n"
HEADERS: Final = {"Server": "Fairyhouse", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
LINGER_S: Final = 1.0
"""How long to discard what follows a refused request: closing at once could destroy the answer on its way."""
MAX_UNREAD: Final = 65_536
"""Bytes of an unread body that are read and discarded to get to the next request."""
REST_S: Final = 3.0
"""How long the rest of a larger body is discarded."""
MAX_THROWN_AWAY: Final = 8_000_000
"""Bytes to discard after a refusal; beyond that the connection is closed at once."""
HEAD_S: Final = 10.0
"""The most that a head may take from its first byte to its end."""


class HttpConnection(web.RequestHandler):
    """`early`: bytes that the parser may not have yet, such as a request behind one that is not answered."""

    __slots__ = (
        "_answering", "_body_left", "_head_bytes", "_head_due", "_last_bytes", "_lost", "_queued", "_refused",
        "_throttle", "_thrown_away", "early",
    )  # fmt: skip

    def __init__(
        self, server: web.Server, throttle: LoopThrottle, *, loop: asyncio.AbstractEventLoop, **options: object
    ) -> None:
        super().__init__(server, loop=loop, **options)  # type: ignore[arg-type]  # as web.Server hands them on
        self.early = b""
        self._throttle = throttle
        self._answering = False
        self._refused = False
        self._queued = False
        self._body_left = 0
        self._head_bytes = 0
        self._last_bytes = b""
        self._thrown_away = 0
        self._head_due: asyncio.TimerHandle | None = None
        self._lost: asyncio.Future[None] | None = None

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._discard(data)
            return
        if not data:
            # The handler has read part of the body, so the parser may continue with what it has.
            super().data_received(data)
            return
        self.early += data
        if not self._queued:
            self.go_on()

    def _discard(self, data: bytes) -> None:
        """Counts what is discarded, and reads more when it is this connection's turn."""
        self._thrown_away += len(data)
        if self._thrown_away > MAX_THROWN_AWAY:
            self.force_close()
        elif not self._queued:
            self._queued = True
            self._pause_transport_reading()
            self._throttle.wait(self.go_on)

    def go_on(self) -> None:
        """Gives the parser what it may have now, and pauses the sender as long as something is left.

        If the connection was refused, reads the next piece to discard.
        """
        self._queued = False
        if self._refused:
            if self.transport is None or self._throttle.take(self.go_on):
                self._resume_transport_reading()
            else:
                self._queued = True
            return
        while self.early and not self._refused and self._parser is not None:
            if self._body_left:
                self._feed_body()
            elif self._answering or self._upgraded:
                break
            elif self._throttle.take(self.go_on):
                self._feed_head()
            else:
                self._queued = True
                break
        if self.early:
            self._pause_transport_reading()
        elif not self._reading_paused and not self._buffer_paused:
            self._resume_transport_reading()

    def _resume_transport_reading(self) -> None:
        if not self.early:
            super()._resume_transport_reading()

    def _feed_body(self) -> None:
        piece, self.early = self.early[: self._body_left], self.early[self._body_left :]
        self._body_left -= len(piece)
        super().data_received(piece)

    def _feed_head(self) -> None:
        """Gives the parser a head up to its end, and nothing beyond it."""
        seen = self._last_bytes + self.early[:MAX_BYTES]
        at = seen.find(END_OF_HEAD)
        end = MAX_BYTES if at < 0 else at + len(END_OF_HEAD) - len(self._last_bytes)
        piece, self.early = self.early[:end], self.early[end:]
        self._last_bytes = seen[-len(END_OF_HEAD) + 1 :] if at < 0 else b""
        self._head_bytes += len(piece)
        if self._head_bytes > MAX_BYTES:
            self._refuse(too_large())
            return
        if self._head_due is None:
            self._head_due = asyncio.get_running_loop().call_later(HEAD_S, self._head_is_late)
        before = self._request_count
        super().data_received(piece)
        if self._request_count > before:
            self._begin()

    def _begin(self) -> None:
        """Called when the parser has turned the head into a request or a refusal."""
        self._head_bytes = 0
        self._forget_head()
        self._answering = True
        message, payload = self._messages[-1]
        refusal: RefusedHead | None
        if isinstance(message, _ErrInfo):
            refusal = unreadable(message.exc)
            forget_where(message.exc)
        else:
            refusal = refusal_of(message)
            if payload is not EMPTY_PAYLOAD:
                self._body_left = int(message.headers.get("Content-Length", 0))
        if refusal is not None:
            self._messages.pop()
            self._refuse(refusal)

    def _head_is_late(self) -> None:
        self._refuse(RefusedHead(408, "The head of the request did not arrive in time."))

    def _forget_head(self) -> None:
        """Stops the timer for a head that is complete or no longer expected."""
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def connection_lost(self, exc: BaseException | None) -> None:
        """Called by asyncio when the connection has ended."""
        self._forget_head()
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(None)
        answering, waiting = self._task_handler, self._waiter
        super().connection_lost(exc)
        if answering is not None and waiting is not None:
            # A request may have woken it a moment ago, and aiohttp has just dropped what it would be made from.
            answering.cancel()

    def _refuse(self, refusal: RefusedHead) -> None:
        self._forget_head()
        self._refused = True
        self.early = b""
        self._messages.append((_ErrInfo(refusal.code, refusal, refusal.message), EMPTY_PAYLOAD))
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def give_early(self) -> bytes:
        """Returns the bytes after the current request and resumes reading, for whatever takes over the connection."""
        early, self.early = self.early, b""
        if early:
            self._resume_transport_reading()
        return early

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
        if self._refused:
            await self._linger(LINGER_S)
        elif unread:
            await self._throw_away()
        else:
            self.go_on()
        return answered

    async def _linger(self, seconds: float) -> None:
        """Returns when the client has left, after `seconds` at most."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write_eof()
            self._lost = asyncio.get_running_loop().create_future()
            await asyncio.wait((self._lost,), timeout=seconds)

    async def _throw_away(self) -> None:
        """Discards the rest of a large body for a short time; aiohttp would read it for ten seconds."""
        self._refused = True
        self.early = b""
        self._resume_transport_reading()
        await self._linger(REST_S)
        self.force_close()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Called by aiohttp for the answer to a refused head, and to an error outside of any handler."""
        if not isinstance(exc, RefusedHead):
            return super().handle_error(request, status, exc, message)
        answer = web.Response(status=exc.code, text=f"{exc.message}\n", headers=HEADERS)
        answer.force_close()
        return answer
