"""The WebSocket of one open page: frames on one side, texts on the other. Knows no game and no HTTP.

It is a protocol on the bare connection, not aiohttp's WebSocketResponse, which waits in the request's handler and so
keeps everything that served the handshake as long as the page is open. That was 14 KB per socket, most of the memory of
a game in play, and a task to wake for each message. Here nothing waits, so there is no task at all.

Silence is counted in beats, not seconds, so time in which the server stood still does not count; and no socket is
judged at a late beat, because what the peer sent meanwhile may still be unread.
"""

import asyncio
from enum import Enum, auto
from functools import lru_cache
from typing import Final, Protocol

from aiohttp import WSCloseCode

from server.realtime.protocol.outbox import Outbox
from server.realtime.runtime.limits import LoopThrottle
from server.web.websocket.frames import (
    BadFrame,
    Control,
    FrameReader,
    Opcode,
    close_code,
    close_frame,
    ends_with_close,
    frame,
    text_frame,
)

BEAT_SECONDS: Final = 2.5
ASK_BEATS: Final = 2
"""After this many beats without a message a peer is pinged at each beat. A page's own pings come as often as the beats,
so hardly any page has to be pinged."""
SILENT_BEATS: Final = 3
"""After this many, 5 to 7.5 s, its person counts as away until something arrives."""
GONE_BEATS: Final = 9
"""After this many the socket is given up."""
LATE_MS: Final = 250
"""A beat that comes this much too late was held up."""

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


class SocketHandler(Protocol):
    """The inner end of a socket, which handles its texts."""

    def receive(self, text: str, now: int) -> None: ...

    def silence_changed(self, silent: bool, now: int) -> None:
        """The peer does not answer and may be gone, or is there again, which is said before its message is received."""

    def closed(self, now: int) -> None: ...


class SocketRegistry(Protocol):
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
        "_alarm",
        "_arrived",
        "_begun",
        "_code",
        "_frames",
        "_full",
        "_held",
        "_inner",
        "_quiet",
        "_registry",
        "_said_close",
        "_silent",
        "_soon",
        "_text",
        "_transport",
        "_uncharged",
        "_waits",
        "address",
        "session",
    )  # fmt: skip

    def __init__(
        self, registry: SocketRegistry, transport: asyncio.Transport, session: str | None, address: str
    ) -> None:
        super().__init__()
        self.session = session
        self.address = address
        self._registry = registry
        self._transport = transport
        self._inner: SocketHandler | None = None
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

    def join(self, inner: SocketHandler) -> None:
        """Connects `inner`, which gets the texts from now on, and starts listening to the connection."""
        self._inner = inner
        self._transport.set_protocol(self)
        # Only now: bytes left unread by the requests before the handshake can fill the socket at once.
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER, low=ROOM)

    # --- incoming ---------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        now = self._registry.now()
        self._heard(now)
        if self._frames is None:
            if self._said_close and ends_with_close(data):
                # The answer to our close: nothing else is expected of a peer that broke the protocol.
                self._transport.close()
            return
        self._frames.feed(data)
        if self._text is None:
            self._arrived = now
            self._text = self._next_text()
            self.process_next()

    def process_next(self) -> None:
        """Hands on the next text when it is this socket's turn; then it is the turn of the others."""
        if self._text is not None and self._registry.throttle.take_turn(self.process_next):
            self._hand_on()
            self._text = self._next_text()
            if self._text is not None:
                self._registry.throttle.wait_turn(self.process_next)
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
            inner.closed(self._registry.now())
        self._registry.gone(self, self._code)

    def beat(self, late: bool = False) -> None:
        """Called every BEAT_SECONDS; `late`: the server was held up, for which no peer is to blame."""
        self._uncharged = 0
        self._quiet += 1
        silence = judge_silence(self._quiet, late)
        if silence is Silence.GONE:
            self.abort()
        elif silence is not Silence.NONE:
            self._ask()
        if silence is Silence.UNANSWERED and not self._silent and self._inner is not None:
            self._silent = True
            self._inner.silence_changed(True, self._registry.now())

    def _ask(self) -> None:
        if self._full or self._said_close or self._transport.is_closing():
            return
        if self._registry.crowds.take_turn(self._ask):
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
        if self._registry.crowds.take_turn(self._flush_in_turn):
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
            if self._frames is None and self._transport.can_write_eof():
                # The peer need not wait for more; an end in both directions could cost it the reason.
                self._transport.write_eof()
            self._set_alarm(CLOSE_SECONDS)

    def _set_alarm(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self.abort)


class Silence(Enum):
    """What to do about a socket at a beat."""

    NONE = auto()
    ASKED = auto()
    UNANSWERED = auto()
    GONE = auto()


def judge_silence(quiet: int, late: bool) -> Silence:
    """What to do about a socket on which nothing has arrived for `quiet` beats; `late`: the last beat was held up."""
    if quiet >= GONE_BEATS:
        return Silence.GONE
    if quiet >= SILENT_BEATS and not late:
        return Silence.UNANSWERED
    return Silence.ASKED if quiet >= ASK_BEATS else Silence.NONE


def is_late(since_last_ms: int) -> bool:
    """Whether a beat that comes `since_last_ms` after the previous one was held up."""
    return since_last_ms > BEAT_SECONDS * 1000 + LATE_MS
