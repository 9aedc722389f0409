"""A browser tab on live play, without the network: what it sends, and what it was sent."""

import itertools
import json

from server.realtime.play.connection import Connection
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox

_requests = itertools.count(1)


class Client:
    """One browser tab: what it was sent is in `got`, oldest first; how it was closed in `code`."""

    def __init__(self, node, player):
        self.node = node
        self.got = []
        self.silent = False
        self.outbox = ManualOutbox()
        self.connection = Connection(node.live.rounds, player, self.outbox)

    @property
    def aborted(self):
        return self.outbox.aborted

    @property
    def code(self):
        return self.outbox.close_code if self.outbox.closed else None

    def read(self):
        """Take everything that waits in the outbox; returns the new messages."""
        new = [json.loads(text) for text in self.outbox.read_all()]
        self.got += new
        return new

    def send(self, t, **fields):
        """Send one message, with a number of its own where it is a command; returns the number."""
        request = None
        if t not in ("hi", "ping", "pong", "bye"):
            request = fields.setdefault("id", next(_requests))
        self.answer()
        self.connection.receive(json.dumps({"t": t, **fields}), self.node.clock())
        return request

    def fall_silent(self):
        """The socket misses its heartbeats: a laptop was shut."""
        if not self.silent:
            self.silent = True
            self.connection.silence_changed(True, self.node.clock())

    def answer(self):
        if self.silent:
            self.silent = False
            self.connection.silence_changed(False, self.node.clock())

    async def hi(self, game, epoch="", v=-1, secret=""):
        self.send("hi", proto=1, game=game, epoch=epoch, v=v, secret=secret)
        await settle()
        return self.read()

    async def ask(self, t, **fields):
        """Send a command and return its answer (the last one, if it had to wait)."""
        request = self.send(t, **fields)
        await settle()
        self.read()
        answers = [message for message in self.got if message.get("id") == request and message["t"] != "wait"]
        return answers[-1] if answers else None

    async def move(self, uci, ply):
        return await self.ask("move", uci=uci, ply=ply)

    def last(self, t):
        """The newest message of that kind, None if there was none."""
        self.read()
        return next((message for message in reversed(self.got) if message["t"] == t), None)

    def all(self, t):
        self.read()
        return [message for message in self.got if message["t"] == t]

    def close(self, bye=False):
        if bye:
            self.send("bye")
        self.connection.closed(self.node.clock())
