"""Two people with several games, two servers on one store, and kills in between: whoever is away, as the records say,
is so in all their correspondence games after the next look, and nobody is away on more days than a year allows.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from server.games.changes.beginning import new_game
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.clocks.vacations import NoVacation, day_at, going_on
from server.games.errors import Refused
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.services.vacations import SETTLED_AFTER_MS
from server.rules.movegen.legal import legal_ucis
from server.storage.tables.vacations import vacation_of
from tests.support.games import moved
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE, Deaf, Node
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore

pytestmark = pytest.mark.slow

ALLOWED = 28
CONTROLS = (TimeControl.correspondence(14), TimeControl.bank(30, 3, 60), FIVE_MINUTES)
WHO = st.sampled_from((WHITE, BLACK))
NODE = st.integers(0, 1)


class AnyVacation(RuleBasedStateMachine):
    """See the module."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock, self.store = HandClock(), MemoryStore()
        self.nodes = [Node(self.store, self.clock, Deaf()) for _ in range(2)]
        self.begin(CONTROLS[0])
        self.begin(CONTROLS[2])

    def teardown(self):
        for node in self.nodes:
            self.run(node.live.services.background.finish(0))
        self.loop.close()

    def run(self, awaitable):
        return self.loop.run_until_complete(awaitable)

    def vacations(self, node):
        return self.nodes[node].live.vacations

    # --- what happens -----------------------------------------------------------------------------------------------

    @rule(control=st.sampled_from(CONTROLS))
    def begin(self, control):
        if len(self.store.games) < 5:
            chess = VARIANTS["chess"]
            terms = Terms(chess, False, chess.start_fen, control, rated=False)
            game = new_game(f"{len(self.store.games):010}", terms, self.clock(), white=WHITE, black=BLACK)
            self.run(self.store.create(moved(game, "e2e4 e7e5", now=self.clock())))

    @rule(who=WHO, node=NODE, days=st.integers(-1, 40), killed_after=st.none() | st.integers(0, 40))
    def go_away(self, who, node, days, killed_after):
        last = day_at(self.clock()) + timedelta(days)
        self.ask(node, self.vacations(node).go_away(who.id, last), killed_after)

    @rule(who=WHO, node=NODE, killed_after=st.none() | st.integers(0, 40))
    def come_back(self, who, node, killed_after):
        self.ask(node, self.vacations(node).come_back(who.id), killed_after)

    def ask(self, node, asked, killed_after):
        """`killed_after`: so many steps of its loop the node dies, and another takes its place."""

        async def carried_out():
            task = asyncio.ensure_future(asked)
            for _ in range(killed_after):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self.nodes[node].live.services.background.finish(0)
            self.nodes[node] = Node(self.store, self.clock, Deaf())

        with suppress(NoVacation):
            self.run(asked if killed_after is None else carried_out())

    @rule(game=st.integers(0, 4), node=NODE, choice=st.integers(0, 40))
    def move(self, game, node, choice):
        async def play():
            found = await self.nodes[node].rounds.get(f"{game % len(self.store.games):010}")
            stored = self.store.games[found.game.id]
            ucis = legal_ucis(stored.position)
            with suppress(Refused):
                uci = ucis[choice % len(ucis)] if ucis else ""
                await found.submit(PlayMove(stored.to_move, uci, len(stored.plies)), self.clock())
            await settle()

        self.run(play())

    @rule(ms=st.sampled_from((60_000, SETTLED_AFTER_MS + 1, DAY_MS // 3, DAY_MS, 5 * DAY_MS)), node=NODE)
    def wait(self, ms, node):
        self.clock.turn(ms)
        self.run(self.nodes[node].rounds.check_deadlines())

    @rule(node=NODE)
    def look(self, node):
        """What every node does each minute; afterwards all games do what the records say."""

        async def look():
            await self.nodes[node].rounds.check_deadlines()
            await self.vacations(node).follow()

        self.run(look())
        for game in self.store.games.values():
            if game.status is Status.LIVE and game.terms.control.by_days:
                assert game.away == (self.until(WHITE), self.until(BLACK))

    def until(self, who):
        """Until when the records say that somebody is away, 0: they are not."""
        taken = [one.vacation for one in self.records() if one.owner == who.id]
        present = going_on(taken, self.clock())
        return present.until if present else 0

    def records(self):
        return [vacation_of(one) for one in self.store.kept["vacations"].values()]

    # --- what stays true --------------------------------------------------------------------------------------------

    @invariant()
    def nobody_is_away_on_more_days_than_a_year_allows(self):
        for who in (WHITE, BLACK):
            records = [one.vacation for one in self.records() if one.owner == who.id]
            days = {day for vacation in records for day in vacation.days}
            assert max(Counter(day.year for day in days).values(), default=0) <= ALLOWED

    @invariant()
    def exactly_one_clock_runs_unless_somebody_is_away(self):
        for game in self.store.games.values():
            if game.status is Status.LIVE:
                assert (game.clock.paused_at is not None) is game.on_vacation
                assert game.clock.turn is game.to_move
                assert game.terms.control.by_days or not game.on_vacation

    @invariant()
    def a_settled_vacation_is_over_in_every_game(self):
        for one in self.records():
            if one.settled:
                assert one.vacation.until + SETTLED_AFTER_MS < self.clock()


TestAnyVacation = AnyVacation.TestCase
TestAnyVacation.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
