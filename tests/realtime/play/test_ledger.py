"""Random play over a store that fails at random: what was acknowledged is stored, and all viewers agree.

Each seed is one game with several tabs, lost sockets, resumes, outages, lost answers, offers, takebacks and chat. Try
others with `--seed`.
"""

import random

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.rules.movegen.legal import legal_ucis
from server.rules.notation.fen import format_fen
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node

STEPS = 150
GUEST = Player("guest", "Gerda")


class Viewer(Client):
    """A client that follows the game by events alone, as a page does."""

    def __init__(self, node, player, epoch="", v=-1, view=None):
        super().__init__(node, player)
        self.epoch, self.v, self.view = epoch, v, view
        self.acknowledged = []
        self.asked = {}

    def play(self, uci, ply):
        self.asked[self.send("move", uci=uci, ply=ply)] = (ply, uci)

    def read(self):
        new = super().read()
        for message in new:
            self._follow(message)
        return new

    def _follow(self, message):
        kind = message["t"]
        if kind == "ok" and message["id"] in self.asked:
            self.acknowledged.append(self.asked[message["id"]])
        if kind == "snapshot":
            self.epoch, self.v = message["epoch"], message["v"]
            self.view = {key: message.get(key) for key in ("fen", "status", "ended", "next")}
            self.view["moves"] = [move[0] for move in message["moves"]]
            self.view["offers"] = sorted(offer["offer"] for offer in message["offers"])
        elif kind == "resumed":
            assert message["v"] == self.v
        elif "v" in message and kind not in ("ok", "error"):
            assert message["v"] == self.v + 1, (kind, message["v"], self.v)
            self.v = message["v"]
            self._apply(kind, message)

    def _apply(self, kind, message):
        view = self.view
        match kind:
            case "moved":
                assert message["ply"] == len(view["moves"])
                view["moves"] = [*view["moves"], message["uci"]]
                view["fen"] = message["fen"]
            case "took_back":
                view["moves"] = view["moves"][: message["plies"]]
                view["fen"] = message["fen"]
            case "offered":
                view["offers"] = sorted([*view["offers"], message["offer"]])
            case "offer_closed":
                view["offers"] = [offer for offer in view["offers"] if offer != message["offer"]]
            case "over":
                assert view["ended"] is None
                view["ended"], view["status"] = message["ended"], "over"
            case "rematch":
                assert view["next"] is None
                view["next"] = message["next"]


class Trial:
    """One random game."""

    def __init__(self, node, store, clock, game, seed):
        self.node, self.store, self.clock, self.game = node, store, clock, game
        self.rng = random.Random(seed)
        self.viewers = []
        self.acknowledged = []

    async def arrive(self, player, old=None):
        viewer = Viewer(self.node, player, *((old.epoch, old.v, old.view) if old else ()))
        viewer.send("hi", proto=1, game=self.game, epoch=viewer.epoch, v=viewer.v)
        self.viewers.append(viewer)

    async def step(self):
        viewer = self.rng.choice(self.viewers)
        viewer.read()
        if self.rng.random() < 0.3:
            self.store.down = False
        match self.rng.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                self.move(viewer)
            case 5:
                viewer.send("offer", kind=self.rng.choice(["draw", "takeback", "rematch"]))
            case 6:
                offers = viewer.view["offers"] if viewer.view else []
                viewer.send(self.rng.choice(["accept", "decline"]), offer=self.rng.choice([*offers, 1]))
            case 7:
                await self.swap(viewer)
            case 8:
                self.store.down = self.rng.random() < 0.5
            case 9:
                self.store.lose_answers = self.rng.randrange(2)
            case 10:
                viewer.send("chat", text=f"line {self.rng.random()}")
            case _:
                await self.node.tick(self.rng.randrange(3_000))
        if self.rng.random() < 0.7:
            await settle(self.rng.randrange(30))

    def move(self, viewer):
        found = self.node.rounds.in_memory(self.game)
        if found is None:
            return
        moves = sorted(legal_ucis(found.game.position))
        if moves:
            viewer.play(self.rng.choice(moves), len(found.game.plies))

    async def swap(self, viewer):
        """The socket breaks; the page comes back with what it had."""
        viewer.read()
        self.acknowledged += viewer.acknowledged
        viewer.close(bye=self.rng.random() < 0.3)
        self.viewers.remove(viewer)
        await self.arrive(viewer.connection.player, viewer)

    async def calm_down(self):
        self.store.down = False
        self.store.lose_answers = 0
        await self.node.pass_time(10)
        for viewer in [viewer for viewer in self.viewers if viewer.code is not None]:
            await self.swap(viewer)
        await settle()


@pytest.mark.row("F3")
@pytest.mark.parametrize("offset", range(25))
async def test_what_was_acknowledged_is_stored_and_all_agree(store, clock, variants, seed, offset, caplog):
    node = Node(store, clock)
    variant = ("chess", "crazyhouse", "seirawan", "shogun", "grand")[offset % 5]
    game = await node.new_game(variants, variant=variant, control=TimeControl.realtime(3_600_000, 0))
    trial = Trial(node, store, clock, game, seed * 1_000 + offset)
    for player in (WHITE, WHITE, BLACK, BLACK, GUEST, None):
        await trial.arrive(player)
    await settle()
    for _ in range(STEPS):
        await trial.step()
    await trial.calm_down()

    stored = store.games[game]
    moves = [ply.uci for ply in stored.plies]
    assert node.rounds.in_memory(game).game.rev == stored.rev
    took_back = any(viewer.all("took_back") for viewer in trial.viewers) or stored.offer_limits.takebacks != (0, 0)
    for viewer in trial.viewers:
        viewer.read()
        assert viewer.view["moves"] == moves
        assert viewer.view["fen"] == format_fen(stored.position)
        assert viewer.view["status"] == stored.status
        assert viewer.view["next"] == stored.next
        assert viewer.view["offers"] == sorted(offer.id for offer in stored.offers)
        trial.acknowledged += viewer.acknowledged
    if not took_back:
        assert all(moves[ply] == uci for ply, uci in trial.acknowledged)
        assert trial.acknowledged
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    await node.live.services.background.finish(0)
