"""A page that shows games in play side by side, as static/js/pages/watch.js does."""

import json

from server.realtime.play.connection import FeedConnection
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox


class TvPage:
    """`boards`: what is on TV, by game. `last`: how a game that is there no longer stood when it was taken
    down; its `result` is None if it was put off."""

    def __init__(self, node):
        self.boards = {}
        self.last = {}
        self._outbox = ManualOutbox()
        self._connection = FeedConnection(node.live.tv, node.live.services.timers, None, self._outbox, node.clock())
        self._connection.receive(json.dumps({"t": "hi", "proto": 1}), node.clock())

    @classmethod
    async def come(cls, node):
        page = cls(node)
        await settle()
        return page

    def look(self):
        """Take in what has come."""
        for message in map(json.loads, self._outbox.read_all()):
            match message["t"]:
                case "boards":
                    self.boards = {board["game"]: board for board in message["boards"]}
                case "board_added":
                    self.boards[message["board"]["game"]] = message["board"]
                case "board_moved":
                    self.boards[message["game"]] |= message
                case "board_gone":
                    self.last[message["game"]] = self.boards.pop(message["game"]) | {"result": message.get("result")}
