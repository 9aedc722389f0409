"""One lobby page's line: it says hi, and is told of seeks from then on. Knows no aiohttp.

The same shape as `Connection`: the owner calls `receive` for each text and `closed` once, and sends what the outbox
holds.
"""

from typing import Final, assert_never

from pydantic import TypeAdapter

from server.games.player import Player
from server.realtime import lobby_messages, outbound, wire
from server.realtime.codec import BadMessage, encode, read
from server.realtime.connection import BAD_PROTOCOL, HELLO_MS, HELLO_TIMEOUT, POLICY, PONG
from server.realtime.credits import Credits
from server.realtime.inbound import Bye, Ping
from server.realtime.lobby import Listener, Lobby
from server.realtime.outbox import Outbox
from server.realtime.timers import Timers

CREDITS: Final = 20
WINDOW_MS: Final = 20_000

_inbound: Final[TypeAdapter[lobby_messages.Inbound]] = TypeAdapter(lobby_messages.Inbound)


class LobbyConnection:
    """One open line. `player` is None for somebody who has no name yet: he can read."""

    __slots__ = ("_credits", "_here", "_listener", "_lobby", "_outbox", "_timers")

    def __init__(self, lobby: Lobby, timers: Timers, player: Player | None, outbox: Outbox, now: int) -> None:
        self._lobby = lobby
        self._timers = timers
        self._outbox = outbox
        self._listener = Listener(outbox, player)
        self._here = False
        self._credits = Credits(CREDITS, WINDOW_MS)
        timers.set(self, now + HELLO_MS, lambda: outbox.close(HELLO_TIMEOUT))

    def receive(self, text: str, now: int) -> None:
        """Take one text frame that arrived at `now` (ms). Never waits and never raises."""
        if self._outbox.closed:
            return
        if not self._credits.take(now):
            self._outbox.close(POLICY)
            return
        try:
            self._take(read(text, _inbound))
        except BadMessage as error:
            self._outbox.put(encode(outbound.Error(code="bad_message", message=str(error))))

    def _take(self, message: lobby_messages.Inbound) -> None:
        match message:
            case lobby_messages.Greeting(proto=proto):
                self._timers.clear(self)
                if proto != wire.PROTOCOL:
                    self._outbox.put(encode(outbound.Reload()))
                    self._outbox.close(BAD_PROTOCOL)
                elif not self._here:
                    self._here = True
                    self._lobby.enter(self._listener)
            case Ping():
                self._outbox.put(PONG)
            case Bye():
                self._lobby.leave(self._listener)
            case _:
                assert_never(message)

    def closed(self, now: int) -> None:
        """The line is gone."""
        self._outbox.close(1000)
        self._timers.clear(self)
        self._lobby.leave(self._listener)
