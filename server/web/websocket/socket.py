"""The WebSocket of one open page: frames on one side, texts on the other. Knows no game and no HTTP.

It is a protocol on the bare connection, not aiohttp's WebSocketResponse, which waits in the request's handler and so
keeps everything that served the handshake as long as the page is open. That was 14 KB per socket, most of the memory of
a game in play, and a task to wake for each message. Here nothing waits, so there is no task at all.
"""

import asyncio
from functools import lru_cache
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
"""Bytes that may wait in a socket's buffer; beyond that nothing is written until it is down to ROOM."""
ROOM: Final = 16_384
SEND_SECONDS: Final = 5.0
"""A client that reads nothing for this long is disconnected."""
CLOSE_SECONDS: Final = 0.8
"""How long to wait for the answer to a close, so that a disconnected client is gone within a second."""
PING: Final = frame(Opcode.PING, b"")
queued_frame = lru_cache(maxsize=4)(text_frame)
"""The frame of a queued text, made once for all in a crowd who get the same; a text for one has its own."""
MAX_UNCHARGED: Final = 100
"""The most pings, pongs, closes, and texts after our own close, between two beats: nothing else limits them."""


class Connected(Protocol):
    """The inner end of a socket, which handles its texts."""

    def receive(self, text: str, now: int) -> None: ...

    def silence_changed(self, silent: bool, now: int) -> None:
        """The peer does not answer and may be gone, or is there again, which is said before its message is received."""

    def closed(self, now: int) -> None: ...


class Keeper(Protocol):
    """The owner of a socket: tells the time (ms), calls `beat` regularly, and is told when the socket is gone.

    All its sockets share `throttle`, for what they hear, and `crowds`, for what many of them are told at once.
    """

    throttle: LoopThrottle
    crowds: LoopThrottle

    def now(self) -> int: ...

    def gone(self, socket: "Socket", code: int) -> None: ...


class Socket(Outbox, asyncio.Protocol):
    """One WebSocket after its handshake. `session`: the key of the browser's session, None without one.

    Call `join` with its inner end before anything arrives.
    """

    __slots__ = (
        "_alarm", "_arrived", "_begun", "_code", "_frames", "_full", "_held", "_inner", "_keeper", "_quiet",
        "_said_close", "_silent", "_soon", "_text", "_transport", "_uncharged", "_waits", "address", "session",
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
        self._waits = False
        self._said_close = False
        self._quiet = 0
        self._silent = False
        self._uncharged = 0
        self._text: str | None = None
        self._arrived = 0
        self._held = False
        self._begun = b""

    def join(self, inner: Connected) -> None:
        """Connects `inner`, which gets the texts from now on, and starts listening to the connection."""
        self._inner = inner
        self._transport.set_protocol(self)
        # Only now: bytes left unread by the requests before the handshake can fill the socket at once.
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER, low=ROOM)

    # --- incoming ---------------------------------------------------------------------------------------------------

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
        """Hands on the next text when it is this socket's turn; then it is the turn of the others."""
        if self._text is not None and self._keeper.throttle.take(self.go_on):
            self._hand_on()
            self._text = self._next_text()
            if self._text is not None:
                self._keeper.throttle.wait(self.go_on)
        self._hold(self._text is not None)

    def _hand_on(self) -> None:
        text, self._text = self._text, None
        if text is not None and self._inner is not None:
            self._inner.receive(text, self._arrived)

    def _hold(self, held: bool) -> None:
        """Stops reading from a peer whose texts have to wait, so that they do not pile up."""
        if held is not self._held and not self._transport.is_closing():
            self._held = held
            if held:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def _next_text(self) -> str | None:
        """The next complete text, after handling any control frames before it."""
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
            # There is no way to tell where the next frame begins.
            self._frames = None
            self.close(bad.code)
        return None

    def _heard(self, now: int) -> None:
        self._quiet = 0
        if self._silent and self._inner is not None:
            self._silent = False
            self._inner.silence_changed(False, now)

    def _count(self) -> None:
        """Raises BadFrame if too much arrived that the inner end does not limit."""
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
            self._write(frame(Opcode.PONG, control.payload))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        # What arrived before the end still counts.
        self._hand_on()
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.closed(self._keeper.now())
        self._keeper.gone(self, self._code)

    def beat(self, late: bool = False) -> None:
        """Called every BEAT_SECONDS; `late`: the server was held up, for which no peer is to blame."""
        self._uncharged = 0
        self._quiet += 1
        silence = judged(self._quiet, late)
        if silence is Silence.GONE:
            self.abort()
        elif silence is not Silence.NONE:
            self._ask()
        if silence is Silence.UNANSWERED and not self._silent and self._inner is not None:
            self._silent = True
            self._inner.silence_changed(True, self._keeper.now())

    def _ask(self) -> None:
        if self._full or self._said_close or self._transport.is_closing():
            return
        if self._keeper.crowds.take(self._ask):
            self._write(PING)

    # --- outgoing ---------------------------------------------------------------------------------------------------

    def send(self, text: str, *, more: bool = False) -> bool:
        """Writes `text` unless earlier texts are still waiting, and returns whether it did; with the next if `more`."""
        if self._full or self._transport.is_closing():
            return False
        if not more:
            self._write(text_frame(text))
            return True
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._write, b"")
        self._begun += text_frame(text)
        return True

    def _write(self, data: bytes) -> None:
        """Writes what has been begun, and `data` with it: a write costs as much as the rest of a move's way out."""
        data, self._begun = self._begun + data, b""
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def wake(self, *, in_turn: bool = False) -> None:
        """Called when something waits in the outbox, or the outbox was closed."""
        if self._soon or self._full or (in_turn and self._waits):
            return
        if in_turn:
            self._waits = True
            self._flush_in_turn()
        else:
            self._soon = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush_in_turn(self) -> None:
        """Writing to ten thousand sockets takes a tenth of a second: between two parts of them the loop goes on."""
        if self._keeper.crowds.take(self._flush_in_turn):
            self._waits = False
            self._flush()

    def abort(self) -> None:
        """Closes the connection at once; whatever has not been sent is lost."""
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
        """Writes what waits as long as there is room, then closes the socket if the outbox was closed."""
        self._soon = False
        if self._said_close or self._transport.is_closing():
            return
        while not self._full:
            text = self.take()
            if text is None:
                if self.closed:
                    self._say_close()
                return
            self._write(queued_frame(text))

    def _say_close(self) -> None:
        if not self._said_close:
            self._said_close = True
            self._write(close_frame(self.close_code))
            self._set_alarm(CLOSE_SECONDS)

    def _set_alarm(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self.abort)
