"""A town for tests that tell stories at random: people with pages, a server that restarts, a store that goes away.

The real live play, without a network. A page is what a browser makes of the messages it gets: the seeks that it shows,
its person's games, where it was sent. `Town` knows nothing of what is right; that is the test's affair.
"""

import asyncio
import json
from contextlib import suppress
from itertools import count
from random import Random
from unittest import mock

from server.games.clocks.time_control import TimeControl
from server.games.errors import Refused
from server.games.people import TieKind
from server.games.player import Player
from server.games.seeks import Seek, Seeker
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.command_queue import Busy
from server.realtime.play.connection import FeedConnection
from server.realtime.play.creation import create_open_game
from server.realtime.play.game_writer import StorageDown
from server.realtime.your_games import SHOWN
from server.rules.movegen.legal import legal_moves
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import Node
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore

PEOPLE = {
    name: Seeker(Player(f"{name}-id", name), name in ("Anna", "Ben")) for name in ("Anna", "Ben", "Carla", "Dora")
}
"""By name; two of them are registered."""
CONTROLS = {
    "3+2": TimeControl.realtime(180_000, 2_000),
    "10+5": TimeControl.realtime(600_000, 5_000),
    "3 days": TimeControl.correspondence(3),
}
STEP_S = 5
LONG_ENOUGH = 30
"""Turns of the loop in which whatever does not wait for the clock has come to its end."""


class Page:
    """One open page of the site, not of a game. `seeks`: ids that it shows; `strip`: its person's games, by id."""

    def __init__(self, town, who, strip):
        self.who, self.strip = who, strip
        self.seeks, self.sent_to, self.silent = {}, [], False
        self.outbox = ManualOutbox()
        live, services, player = town.node.live, town.node.live.services, PEOPLE[who].player
        self.connection = FeedConnection(live.lobby, services.timers, player, self.outbox, services.now())
        self.connection.receive(json.dumps({"t": "hi", "proto": 1, "games": 1}), services.now())

    def fall_silent(self):
        """The connection misses its beats, and nobody has said goodbye."""
        self.silent = True
        self.connection.silence_changed(True, 0)

    def answer(self):
        if self.silent:
            self.silent = False
            self.connection.silence_changed(False, 0)

    def read(self):
        for text in self.outbox.read_all():
            self._show(json.loads(text))

    def _show(self, message):
        match message["t"]:
            case "seeks":
                self.seeks = {seek["id"]: seek for seek in message["seeks"]}
            case "seek_added":
                self.seeks[message["seek"]["id"]] = message["seek"]
            case "seek_gone":
                self.seeks.pop(message["id"], None)
            case "your_games":
                self.strip = {game["id"]: "turn" in game for game in message["games"]}
            case "paired":
                self.sent_to.append(message["game"])


class Luck:
    """Ids and lots that come out the same each time, so that a story can be told again."""

    def __init__(self):
        ids = (f"game{number:06}" for number in count(1))
        self._patches = [
            mock.patch("server.realtime.play.creation.new_id", side_effect=ids),
            mock.patch(
                "server.realtime.lobby.new_id",
                side_effect=(f"again{number:05}" for number in count(1)),
            ),
            mock.patch("server.realtime.play.creation.secrets", Random(1)),
        ]

    def start(self):
        for patch in self._patches:
            patch.start()

    def stop(self):
        for patch in self._patches:
            patch.stop()


class Town:
    """See the module. Every method lets everything run that can run without the clock."""

    def __init__(self):
        self._luck = Luck()
        self._luck.start()
        self.loop = asyncio.new_event_loop()
        self.clock = HandClock()
        self.store = MemoryStore()
        self.pages = []
        self.boards = {}
        self.seconds = 0
        self.number = 1
        self._in_the_air = []
        self.do(self._begin())

    def do(self, story):
        """What `story` comes to; None if the server refused it, or could not."""
        return self.loop.run_until_complete(self._told(story))

    async def _told(self, story):
        """What waits for the clock, while the store is away, goes on when that is turned; nobody waits for it here."""
        asked = asyncio.create_task(self._tried(story))
        await settle(LONG_ENOUGH)
        for page in self.pages:
            page.read()
        if not asked.done():
            self._in_the_air.append(asked)
            return None
        return asked.result()

    async def _tried(self, story):
        with suppress(Refused, StoreError, Busy, StorageDown, TimeoutError):
            return await story

    async def _begin(self):
        self.node = Node(self.store, self.clock)
        await self.node.recover()
        await self.node.live.ties.load_blocks()
        await self.node.live.lobby.load_seeks()

    def close(self):
        for asked in self._in_the_air:
            asked.cancel()
        self._luck.stop()
        self.loop.run_until_complete(self.node.live.services.background.finish(0))
        self.loop.close()

    # --- pages ------------------------------------------------------------------------------------------------------

    def pages_of(self, who):
        return [page for page in self.pages if page.who == who]

    def open_page(self, who):
        self.do(self._open_page(who))

    async def _open_page(self, who):
        self.pages.append(Page(self, who, await self.strip_of(who)))

    async def strip_of(self, who):
        """The games that a page of this person shows when it is loaded now."""
        games = await self.store.running_of(PEOPLE[who].player.id)
        return {game.id: game.waits for game in games[:SHOWN]}

    def close_page(self, page):
        self.pages.remove(page)
        self.do(self._hang_up(page.connection))

    def silence(self, page):
        self.do(self._at(page.fall_silent))

    def answer(self, page):
        self.do(self._at(page.answer))

    async def _at(self, change):
        change()

    async def _hang_up(self, connection):
        connection.closed(self.clock())

    # --- seeks and games --------------------------------------------------------------------------------------------

    def seek(self, who, control, variants, color, rated):
        name, self.number = f"seek{self.number:06}", self.number + 1
        wanted = Seek(name, name, PEOPLE[who], variants, False, CONTROLS[control], color, rated, self.clock())
        return wanted, self.do(self.node.live.lobby.post_seek(wanted))

    def accept(self, who, seek_id):
        return self.do(self.node.live.lobby.accept_seek(seek_id, PEOPLE[who]))

    def withdraw(self, who, seek_id):
        self.do(self.node.live.lobby.withdraw_seek(seek_id, PEOPLE[who].player))

    def challenge(self, who, control, color, asked=None):
        """A game that waits for `asked`, or for whoever has its secret: (its id, the secret); None if there is none."""
        chess = VARIANTS["chess"]
        terms = Terms(chess, False, chess.start_fen, CONTROLS[control], rated=False)
        invited = PEOPLE[asked].player if asked else None
        made = self.do(create_open_game(self.node.rounds.services, terms, PEOPLE[who].player, color, invited))
        return made and (made.game.id, "" if asked else made.secret)

    def join(self, who, game, secret):
        self.do(self.node.rounds.join(game, secret, PEOPLE[who].player))

    def block(self, who, other, blocks):
        ties, player = self.node.live.ties, PEOPLE[who].player
        if blocks:
            self.do(ties.make_tie(player.id, TieKind.BLOCKS, PEOPLE[other].player))
        else:
            self.do(ties.end_tie(player.id, TieKind.BLOCKS, PEOPLE[other].player.id))

    def knows_apart(self, who, other):
        """Does the server know of a block between these two?"""
        return self.node.live.services.blocks.are_apart(PEOPLE[who].player.id, PEOPLE[other].player.id)

    def players(self, game):
        """Who plays in it, by colour."""
        return {color: game.player(color).name for color in Color if game.player(color) is not None}

    def sit(self, who, game):
        """`who` opens the page of that game; twice is harmless."""
        if (who, game) not in self.boards:
            self.boards[who, game] = client = Client(self.node, PEOPLE[who].player)
            self.do(client.hi(game))

    def leave(self, who, game):
        if (client := self.boards.pop((who, game), None)) is not None:
            self.do(self._hang_up(client.connection))

    def move(self, game):
        """Whoever is to move plays the first legal move, at their board."""
        played = self.store.games[game]
        who = self.players(played).get(played.to_move)
        if who is None or played.status is not Status.LIVE:
            return
        self.sit(who, game)
        uci = next(iter(legal_moves(played.position))).uci
        self.do(self.boards[who, game].move(uci, len(played.plies)))

    def is_paused(self, who):
        """Have they aborted too often to look for an opponent now?"""
        return self.node.live.services.playbans._left(PEOPLE[who].player, self.clock()) > 0

    # --- what happens by itself -------------------------------------------------------------------------------------

    def pass_time(self, seconds):
        for _ in range(0, seconds, STEP_S):
            self.seconds += STEP_S
            self.do(self.node.tick(STEP_S * 1_000))
            self.do(self.node.live._heartbeat.beat())
            self.do(self.node.rounds.check_deadlines())
            self.do(self.node.live.lobby.expire_seeks())

    def restart(self):
        """The process dies at once, and with it every connection; another one starts as soon as the store is there."""
        self.loop.run_until_complete(self.node.live.services.background.finish(0))
        self.pages, self.boards, self.store.down, self.store.lose_answers = [], {}, False, 0
        self.do(self._begin())
