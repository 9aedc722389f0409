"""Two sockets that play one recorded game against each other, and what was measured of it. Knows no HTTP.

No task for a game: a move is read where it arrives and answered there, so that the client costs as little as it can.
"""

from dataclasses import dataclass, field
from time import perf_counter

import orjson

from tests.support.live.wire import Socket

OPENING = 2
"""Half-moves played as soon as both sit: a game in which nobody moves is over after half a minute."""


@dataclass(slots=True)
class Figures:
    """Seconds from sending a move to its `ok`, and to the opponent's seeing it; bytes that a move brings a player."""

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    move_bytes: list[int] = field(default_factory=list)
    legal_bytes: list[int] = field(default_factory=list)
    refused: list[bytes] = field(default_factory=list)


class Table:
    """One game of that id. `answers`: each side answers at once, else it waits to be told. `waiting`: for a move to be
    seen."""

    def __init__(self, moves: tuple[str, ...], figures: Figures) -> None:
        self.moves = moves
        self.game = ""
        self.ply = 0
        self.answers = False
        self.waiting = False
        self.sockets: list[Socket] = []
        self.figures = figures
        self._sent_at: list[float] = []

    @property
    def over(self) -> bool:
        return self.ply >= len(self.moves)

    def send_move(self) -> None:
        """The side to move plays its next move; after the last one nothing happens."""
        if not self.over:
            self.waiting = True
            self._sent_at.append(perf_counter())
            text = f'{{"t":"move","id":{self.ply + 1},"ply":{self.ply},"uci":"{self.moves[self.ply]}"}}'
            self.sockets[self.ply % 2].send(text.encode())

    def hear(self, socket: Socket, text: bytes) -> None:
        """A message for either player, from Fairyhouse or handed on by the relay."""
        kind = text[6:12]
        if kind == b'moved"' or kind == b'move",':
            self._moved(socket, text)
        elif kind.startswith(b'ping"'):
            socket.send(text.replace(b'"ping"', b'"pong"'))
        elif kind.startswith(b'ok"'):
            # The opponent may have seen it before, and have answered.
            self.figures.acknowledged.append(perf_counter() - self._sent_at[orjson.loads(text)["id"] - 1])
        elif kind.startswith(b"error"):
            self.figures.refused.append(b"%s after %d half-moves" % (text, self.ply))
            self.waiting = False

    def _moved(self, socket: Socket, text: bytes) -> None:
        legal = text.find(b',"legal"')
        self.figures.move_bytes.append(len(text))
        self.figures.legal_bytes.append(len(text) - legal if legal > 0 else 0)
        at = text.index(b'"ply":') + 6
        if socket is self.sockets[1 - self.ply % 2] and int(text[at : text.index(b",", at)]) == self.ply:
            self.figures.seen.append(perf_counter() - self._sent_at[self.ply])
            self.ply += 1
            self.waiting = False
            if self.answers or self.ply < OPENING:
                self.send_move()


def centile(values: list[float], part: float) -> float:
    """The value below which `part` (0 to 1) of them lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
