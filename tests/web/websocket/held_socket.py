"""A socket of the server with both its ends in hand: no network."""

import asyncio

from server.realtime.runtime.limits import LoopThrottle
from server.web.websocket.socket import Socket

PER_ITERATION = 2


class Wire:
    """The connection: `written` is what went out, `ended` that there is no more, `closed` and `aborted` how it ended;
    is it `read`?
    """

    def __init__(self):
        self.written = []
        self.closed = False
        self.aborted = False
        self.read = True
        self.ended = False

    def set_protocol(self, protocol):
        assert isinstance(protocol, Socket)

    def set_write_buffer_limits(self, high, low):
        assert high > low

    def write(self, data):
        assert not self.is_closing()
        assert not self.ended
        self.written.append(data)

    def can_write_eof(self):
        return True

    def write_eof(self):
        self.ended = True

    def pause_reading(self):
        assert self.read
        self.read = False

    def resume_reading(self):
        assert not self.read
        self.read = True

    def is_closing(self):
        return self.closed or self.aborted

    def close(self):
        self.closed = True

    def abort(self):
        self.aborted = True


class Inner:
    """`heard`: what came, and when; `over`: whether the socket is; `silences`: when it fell silent or answered."""

    def __init__(self):
        self.heard = []
        self.over = False
        self.silences = []

    def receive(self, text, now):
        self.heard.append((text, now))
        self.silences.append("said")

    def silence_changed(self, silent, now):
        self.silences.append("silent" if silent else "answered")

    def closed(self, now):
        self.over = True


class Registry:
    def __init__(self):
        self.at = 1_000
        self.codes = []
        self.throttle = LoopThrottle(PER_ITERATION)
        self.crowds = LoopThrottle(PER_ITERATION)

    def now(self):
        return self.at

    def gone(self, socket, code):
        self.codes.append(code)


class Held:
    """A socket with both its ends; several may have one registry."""

    def __init__(self, registry=None):
        self.wire, self.inner, self.registry = Wire(), Inner(), registry or Registry()
        self.socket = Socket(self.registry, self.wire, None, "10.0.0.1")
        self.socket.join(self.inner)

    @property
    def written(self):
        return self.wire.written


async def step():
    """Lets what was put off to the next step of the loop happen."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
