"""Stories of two servers on one store, told at random: two people of whom one has blocked the other never meet.

The servers hear nothing of each other but what they read. Whatever people do on either, by whatever way, no game gets
both of two who are kept apart as the store says; and nobody reads what somebody whom they have blocked says, on a
server that knows of it. What two of them play goes on.
"""

import asyncio
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.games.people import TieKind
from server.games.player import Player
from server.games.seeks import Seek, Seeker
from server.games.state import OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game, propose_game
from server.realtime.runtime.ids import new_id
from server.rules.errors import Refusal
from server.rules.movegen.legal import legal_moves
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.node import Deaf, Node
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore

pytestmark = pytest.mark.slow

PROPOSER = Player("third-id", "Thea")
PEOPLE = [Player(f"{name.lower()}-id", name) for name in ("Anna", "Ben", "Carla")]
DAYS = TimeControl.correspondence(3)
people = st.sampled_from(PEOPLE)
sides = st.integers(0, 1)
numbers = st.integers(0, 20)


class BlocksMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock, self.store = HandClock(), MemoryStore()
        self.nodes = self.run(self.begin())
        self.links, self.boards, self.met, self.words = [], {}, set(), count(1)

    async def begin(self):
        return [Node(self.store, self.clock, Deaf()) for _ in range(2)]

    def run(self, story):
        return self.loop.run_until_complete(self.told(story))

    async def told(self, story):
        told = None
        with suppress(Refusal, StoreError):
            told = await story
        await settle(20)
        return told

    def teardown(self):
        for node in self.nodes:
            self.run(node.live.services.background.finish(0))
        self.loop.close()

    # --- what people do ---------------------------------------------------------------------------------------------

    @rule(side=sides, who=people, other=people)
    def block(self, side, who, other):
        if who is not other:
            self.run(self.nodes[side].live.ties.make_tie(who.id, TieKind.BLOCKS, other))

    @rule(side=sides, who=people, other=people)
    def unblock(self, side, who, other):
        self.run(self.nodes[side].live.ties.end_tie(who.id, TieKind.BLOCKS, other.id))

    @rule(side=sides, who=people, color=st.sampled_from([None, *Color]))
    def seek(self, side, who, color):
        name = new_id()
        wanted = Seek(name, name, Seeker(who, False), ("chess",), False, DAYS, color, False, self.clock())
        self.run(self.nodes[side].live.lobby.post_seek(wanted))

    @rule(side=sides, who=people, n=numbers)
    def accept(self, side, who, n):
        standing = list(self.store.seeks.standing)
        if standing:
            self.run(self.nodes[side].live.lobby.accept_seek(standing[n % len(standing)], Seeker(who, False)))

    @rule(side=sides)
    def look(self, side):
        self.run(self.nodes[side].live.lobby.expire_seeks())

    @rule(side=sides, who=people, asked=st.sampled_from([None, *PEOPLE]))
    def challenge(self, side, who, asked):
        chess = VARIANTS["chess"]
        terms = Terms(chess, False, chess.start_fen, DAYS, rated=False)
        if asked is not who:
            made = self.run(create_open_game(self.nodes[side].rounds.services, terms, who, Color.WHITE, asked))
            if made is not None:
                self.links.append((made.game.id, "" if asked else made.secret))

    @rule(side=sides, one=people, other=people)
    def propose(self, side, one, other):
        chess = VARIANTS["chess"]
        terms = Terms(chess, False, chess.start_fen, DAYS, rated=False)
        if (
            one is not other
            and (game := self.run(propose_game(self.nodes[side].rounds.services, terms, one, other, PROPOSER)))
            is not None
        ):
            self.links.append((game.id, ""))

    @precondition(lambda self: self.links)
    @rule(side=sides, who=people, n=numbers)
    def join(self, side, who, n):
        self.run(self.nodes[side].rounds.join(*self.links[n % len(self.links)], who))

    @rule(sides=st.tuples(sides, sides, sides), who=people, other=people, named=st.booleans(), blocks=st.booleans())
    def accept_a_challenge(self, sides, who, other, named, blocks):
        """Perhaps after one of the two has blocked the other."""
        if who is not other:
            self.challenge(sides[0], who, other if named else None)
            if blocks:
                self.block(sides[1], who, other)
            if self.links:
                self.run(self.nodes[sides[2]].rounds.join(*self.links[-1], other))

    @precondition(lambda self: self.store.games)
    @rule(side=sides, n=numbers, color=st.sampled_from(list(Color)), second=sides, blocks=st.booleans())
    def play_on_to_a_rematch(self, side, n, color, second, blocks):
        """One resigns, and both want another game, each on a server; perhaps after one has blocked the other."""
        game = list(self.store.games)[n % len(self.store.games)]
        if blocks and None not in (two := self.two_of(game)):
            self.block(side, *two)
        for node, command in (
            (side, Resign(color)),
            (side, MakeOffer(color, OfferKind.REMATCH, new_id())),
            (second, MakeOffer(color.other, OfferKind.REMATCH, new_id())),
            (second, AcceptOffer(color.other, 1, new_id())),
        ):
            self.run(self.submit(node, game, command))

    async def submit(self, side, game, command):
        found = await self.nodes[side].rounds.get(game)
        await found.refresh()
        await found.submit(command, self.clock())

    @precondition(lambda self: self.store.games)
    @rule(side=sides, n=numbers)
    def a_running_game_goes_on(self, side, n):
        game = list(self.store.games.values())[n % len(self.store.games)]
        if game.status is Status.LIVE and game.plies != ():
            move = PlayMove(game.to_move, next(iter(legal_moves(game.position))).uci, len(game.plies))
            self.run(self.submit(side, game.id, move))
            assert len(self.store.games[game.id].plies) == len(game.plies) + 1

    def two_of(self, game):
        return self.store.games[game].white, self.store.games[game].black

    # --- chat -------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.store.games)
    @rule(side=sides, who=people, n=numbers)
    def come(self, side, who, n):
        game = list(self.store.games)[n % len(self.store.games)]
        page = self.boards.setdefault((side, who, game), Client(self.nodes[side], who))
        shown = next((one for one in reversed(page.got) if "epoch" in one), {})
        self.run(page.hi(game, shown.get("epoch", ""), page.got[-1].get("v", -1) if page.got else -1))
        self.check_heard()

    @precondition(lambda self: self.boards)
    @rule(n=numbers)
    def talk(self, n):
        page = list(self.boards.values())[n % len(self.boards)]
        self.run(self.say(page, f"word {next(self.words)}"))
        self.check_heard()

    async def say(self, page, text):
        page.send("chat", text=text)

    @precondition(lambda self: self.store.games)
    @rule(n=numbers, sides=st.tuples(sides, sides, sides))
    def talk_to_whoever_blocks_one(self, n, sides):
        game = list(self.store.games)[n % len(self.store.games)]
        if None in (two := self.two_of(game)):
            return
        for side, who in zip(sides, two, strict=False):
            self.come(side, who, list(self.store.games).index(game))
        self.block(sides[2], *two)
        self.run(self.nodes[sides[0]].live.ties.catch_up())
        for page in self.boards.values():
            page.read()
        self.run(self.say(self.boards[sides[1], two[1], game], f"word {next(self.words)}"))
        for node in self.nodes:
            if (found := node.rounds.in_memory(game)) is not None:
                self.run(found.fetch_chat())
        self.check_heard()
        self.come(sides[0], two[0], list(self.store.games).index(game))
        self.boards.pop((sides[0], two[0], game))
        self.come(sides[0], two[0], list(self.store.games).index(game))

    def check_heard(self):
        """Of those who are blocked as this server knows, nothing new is read."""
        for (side, who, _), page in self.boards.items():
            unheard = self.nodes[side].live.services.blocks.unheard_by(who.id)
            for message in page.read():
                lines = message.get("chat", []) + ([message["line"]] if message["t"] == "said" else [])
                assert not {player.name for player in PEOPLE if player.id in unheard} & {one["name"] for one in lines}

    @rule(side=sides)
    def hear_of_blocks(self, side):
        for page in self.boards.values():
            page.read()
        self.run(self.nodes[side].live.ties.catch_up())
        self.check_heard()

    # --- what stays true --------------------------------------------------------------------------------------------

    @invariant()
    def who_is_kept_apart_comes_to_no_new_game(self):
        for game in self.store.games.values():
            if game.id not in self.met and game.white is not None and game.black is not None:
                self.met.add(game.id)
                assert not self.run(self.store.ties.are_apart(game.white.id, game.black.id))


@pytest.mark.parametrize("examples", [60, pytest.param(600, marks=pytest.mark.only_full("it takes some minutes"))])
def test_a_blocked_pair_never_meets(examples, full):
    """The same stories each time, but for the long run."""
    settled = settings(max_examples=examples, stateful_step_count=40, derandomize=not full, deadline=None)
    run_state_machine_as_test(BlocksMachine, settings=settled)
