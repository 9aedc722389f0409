"""The socket of one open page: frames on one side, texts on the other. Knows no game, and nothing of HTTP.

A protocol on the bare connection and not aiohttp's WebSocketResponse, which waits in its request's handler: everything
that had served the handshake would stay as long as the page is open. That was 14 KB for each socket, the most part of
what a game in play held, and a task to be woken for each message. Here nothing waits, so there is no task at all.
"""

import asyncio
from typing import Final, Protocol

from aiohttp import WSCloseCode

from server.realtime.process.loop_throttle import LoopThrottle
from server.realtime.protocol.outbox import Outbox
from server.web.websocket.frames import (
    BadFrame,
    Control,
    FrameReader,
    Opcode,
    close_code,
    close_frame,
    frame,
    text_frame,
)
from server.web.websocket.silence import Silence, judged

WRITE_BUFFER: Final = 32_768
"""Bytes that may wait in a socket's buffer; after that nothing is written until it is down to ROOM."""
ROOM: Final = 16_384
SEND_SECONDS: Final = 5.0
"""A client that takes nothing for so long is cut off."""
CLOSE_SECONDS: Final = 0.8
"""How long to wait for the answer to a close: whoever was cut off is gone within a second."""
MAX_UNCHARGED: Final = 100
"""Pings, pongs, closes, and texts behind our own close, between two beats: they cost their sender nothing else."""


class Connected(Protocol):
    """The inner end of a socket."""

    def receive(self, text: str, now: int) -> None: ...

    def fell_silent(self, now: int) -> None:
        """The peer does not answer; perhaps it is gone, and nobody has been told."""

    def answered(self, now: int) -> None:
        """It is there again. Called before what it says is received."""

    def closed(self, now: int) -> None: ...


class Keeper(Protocol):
    """Who has the socket: tells the time, ms, calls `beat` regularly, and hears when the socket is gone.

    `throttle`: of all its sockets.
    """

    throttle: LoopThrottle

    def now(self) -> int: ...

    def gone(self, socket: "Socket", code: int) -> None: ...


class Socket(Outbox, asyncio.Protocol):
    """One WebSocket after its handshake. `session`: the key of the browser's session, None for nobody's.

    It has to `join` its inner end before anything comes.
    """

    __slots__ = (
        "_alarm", "_arrived", "_code", "_frames", "_full", "_held", "_inner", "_keeper", "_quiet", "_said_close",
        "_silent", "_soon", "_text", "_transport", "_uncharged", "address", "session",
    )  # fmt: skip

    def __init__(self, keeper: Keeper, transport: asyncio.Transport, session: str | None, address: str) -> None:
        super().__init__()
        self.session = session
        self.address = address
        self._keeper = keeper
        self._transport = transport
        self._inner: Connected | None = None
        self._frames: FrameReader | None = FrameReader()
        self._code: int = WSCloseCode.ABNORMAL_CLOSURE
        self._alarm: asyncio.TimerHandle | None = None
        self._full = False
        self._soon = False
        self._said_close = False
        self._quiet = 0
        self._silent = False
        self._uncharged = 0
        self._text: str | None = None
        self._arrived = 0
        self._held = False

    def join(self, inner: Connected) -> None:
        """From now on what comes goes to `inner`, and what happens to the connection is told here."""
        self._inner = inner
        self._transport.set_protocol(self)
        # Only now: what the requests before the handshake left unread can make the socket full at once.
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER, low=ROOM)

    # --- what comes -------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        now = self._keeper.now()
        self._heard(now)
        if self._frames is None:
            return
        self._frames.feed(data)
        if self._text is None:
            self._arrived = now
            self._text = self._next_text()
            self.go_on()

    def go_on(self) -> None:
        """Hand the next text on if it is this socket's turn; behind it the others have theirs."""
        if self._text is not None and self._keeper.throttle.take(self):
            self._hand_on()
            self._text = self._next_text()
            if self._text is not None:
                self._keeper.throttle.wait(self)
        self._hold(self._text is not None)

    def _hand_on(self) -> None:
        text, self._text = self._text, None
        if text is not None and self._inner is not None:
            self._inner.receive(text, self._arrived)

    def _hold(self, held: bool) -> None:
        """Read nothing more from a peer whose texts wait, so that no more of them do."""
        if held is not self._held and not self._transport.is_closing():
            self._held = held
            if held:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def _next_text(self) -> str | None:
        """The next text that has come whole. What comes before it and is the socket's own affair is seen to."""
        try:
            while (
                self._frames is not None
                and not self._transport.is_closing()
                and (message := self._frames.next()) is not None
            ):
                if isinstance(message, str) and not self.closed:
                    return message
                self._count()
                if isinstance(message, Control):
                    self._control(message)
        except BadFrame as bad:
            # Where the next frame begins cannot be known any more.
            self._frames = None
            self.close(bad.code)
        return None

    def _heard(self, now: int) -> None:
        self._quiet = 0
        if self._silent and self._inner is not None:
            self._silent = False
            self._inner.answered(now)

    def _count(self) -> None:
        """Raises BadFrame when too much came of what is not the inner end's to limit."""
        self._uncharged += 1
        if self._uncharged > MAX_UNCHARGED:
            raise BadFrame(WSCloseCode.POLICY_VIOLATION)

    def _control(self, control: Control) -> None:
        if control.opcode is Opcode.CLOSE:
            self._code = close_code(control.payload)
            self.close(WSCloseCode.OK)
            self._say_close()
            self._transport.close()
        elif control.opcode is Opcode.PING and not self._full and not self._said_close:
            self._transport.write(frame(Opcode.PONG, control.payload))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        # What came before the end counts.
        self._hand_on()
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.closed(self._keeper.now())
        self._keeper.gone(self, self._code)

    def beat(self, late: bool = False) -> None:
        """Called every BEAT_SECONDS; `late`: the server was held up meanwhile, for which no peer is blamed."""
        self._uncharged = 0
        self._quiet += 1
        silence = judged(self._quiet, late)
        if silence is Silence.GONE:
            self.abort()
        elif silence is not Silence.NONE and not self._said_close:
            self._ask()
        if silence is Silence.UNANSWERED and not self._silent and self._inner is not None:
            self._silent = True
            self._inner.fell_silent(self._keeper.now())

    def _ask(self) -> None:
        if not self._full and not self._transport.is_closing():
            self._transport.write(frame(Opcode.PING, b""))

    # --- what goes --------------------------------------------------------------------------------------------------

    def send(self, text: str) -> bool:
        """Write `text` if nothing that was written before has to wait, and say whether that was done."""
        if self._full or self._transport.is_closing():
            return False
        self._transport.write(text_frame(text))
        return True

    def wake(self) -> None:
        """Something waits in the outbox, or it was closed."""
        if not self._soon and not self._full:
            self._soon = True
            asyncio.get_running_loop().call_soon(self._flush)

    def abort(self) -> None:
        """End at once; what was written and has not gone is lost."""
        self._transport.abort()

    def pause_writing(self) -> None:
        self._full = True
        self._set_alarm(SEND_SECONDS)

    def resume_writing(self) -> None:
        self._full = False
        if self._alarm is not None and not self._said_close:
            self._alarm.cancel()
        self._flush()

    def _flush(self) -> None:
        """Writes what waits as long as there is room for it, then closes the socket if there will be no more."""
        self._soon = False
        if self._said_close or self._transport.is_closing():
            return
        while not self._full:
            text = self.take()
            if text is None:
                if self.closed:
                    self._say_close()
                return
            self._transport.write(text_frame(text))

    def _say_close(self) -> None:
        if not self._said_close:
            self._said_close = True
            self._transport.write(close_frame(self.close_code))
            self._set_alarm(CLOSE_SECONDS)

    def _set_alarm(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self.abort)
