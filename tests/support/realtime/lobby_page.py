"""One page of the lobby, for tests, and seeks to fill it with."""

import json
from dataclasses import replace

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.seeks import Seek, Seeker
from server.realtime.play.connection import FeedConnection
from server.realtime.runtime.ids import new_id
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox

ANNA, BEN, CARLA = Player("anna-id-00", "Anna"), Player("ben-id-000", "Ben"), Player("carla-id-0", "Carla")
BLITZ, DAYS = TimeControl.realtime(180_000, 2_000), TimeControl.correspondence(3)


class Page:
    """One lobby page; `got` is everything it was told."""

    def __init__(self, node, player, **wishes):
        self.got = []
        self.outbox = ManualOutbox()
        services = node.live.services
        self.connection = FeedConnection(node.live.lobby, services.timers, player, self.outbox, services.now())
        self.say("hi", proto=1, **wishes)

    def say(self, t, **fields):
        self.connection.receive(json.dumps({"t": t, **fields}), 0)

    def read(self):
        for text in self.outbox.read_all():
            self.got.append(json.loads(text))
            assert len(text) < 240 or self.got[-1]["t"] in ("seeks", "your_games"), text
        return self.got

    def kinds(self):
        return [message["t"] for message in self.read()]

    def last(self, t):
        """The game of the newest message of that kind, None if there was none."""
        return next((message["game"] for message in reversed(self.read()) if message["t"] == t), None)

    def close(self):
        self.connection.closed(0)


class PageWithGames(Page):
    """A page that asks for its reader's games."""

    def __init__(self, node, player):
        super().__init__(node, player, games=1)

    async def told(self):
        await settle()
        return [message for message in self.read() if message["t"] == "your_games"][-1]

    async def news(self):
        """The games in which it has become their turn, as far as they were told."""
        await settle()
        return [message["news"] for message in self.read() if "news" in message]


def seek(node, maker=ANNA, registered=False, **changes):
    wanted = Seek(new_id(), new_id(), Seeker(maker, registered), ("grand",), False, BLITZ, None, False, node.clock())
    return replace(wanted, **changes)


async def begun(node, control=DAYS):
    standing = seek(node, variants=("chess",), control=control, color=Color.WHITE)
    await node.live.lobby.post_seek(standing)
    return await node.live.lobby.accept_seek(standing.id, Seeker(BEN, False))
