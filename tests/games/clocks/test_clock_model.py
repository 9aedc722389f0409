"""The clock against one that ticks: whatever happens in whatever order, both show the same, to the millisecond."""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from server.games.clocks.clock import Clock, FlagFell
from server.games.clocks.time_control import BANKS, DAY_MS, TimeControl
from server.rules.variant.pieces import Color
from tests.games.clocks.clock_model import TickingClock

pytestmark = pytest.mark.slow

START = 1_700_000_000_000
SIDES = (Color.WHITE, Color.BLACK)


class Pair:
    """The clock under test and the ticking one, moved together; a fallen flag starts a new pair."""

    def __init__(self, control):
        self.control = control
        self.now = START
        self.flags = 0
        self.begin()

    def begin(self):
        self.model = TickingClock(self.control.initial_ms[0], self.control.increment_ms[0], self.control.cap_ms)
        self.clock = Clock.of(self.control).start(Color.WHITE, self.now)

    def wait(self, ms):
        self.now += ms
        self.model.tick(ms)

    def move(self, lag):
        in_time = self.model.move(lag)
        try:
            self.clock, _ = self.clock.press(self.now, lag)
            assert in_time
        except FlagFell:
            assert not in_time
            self.flags += 1
            self.begin()

    def pause(self, ago):
        self.model.pause(ago)
        self.clock = self.clock.pause(self.now - ago)

    def resume(self):
        self.model.resume()
        self.clock = self.clock.resume(self.now)

    def credit(self, ms):
        self.model.credit(ms)
        self.clock = self.clock.credit(ms, self.now)

    def take_back(self, side):
        if not self.model.moves[side]:
            return
        self.model.take_back(side)
        self.clock = self.clock.takeback(SIDES[side], self.now)

    def compare(self):
        assert self.clock.turn is SIDES[self.model.turn]
        for side, color in enumerate(SIDES):
            assert self.clock.remaining(color, self.now) == self.model.shows(side)
        assert self.clock.out_of_time(self.now) == self.model.flag()
        self.check_deadline()

    def check_deadline(self):
        """The flag falls when the time shown is used up, and the lag that a late move might be given back."""
        running, grace = SIDES[self.model.turn], min(500, self.model.quota[self.model.turn])
        if self.model.paused:
            assert self.clock.deadline is None
        elif shown := self.model.shows(self.model.turn):
            assert self.clock.deadline - grace - self.now == shown == self.clock.remaining(running, self.now)


@pytest.mark.row("T13")
def test_both_clocks_agree_for_a_hundred_thousand_steps(seed):
    rng = random.Random(seed)
    pair, flags = Pair(TimeControl.realtime(60_000, 0)), 0
    for step in range(100_000):
        if step % 500 == 0:
            flags += pair.flags
            control = (rng.choice((1_000, 15_000, 60_000, 180_000)), rng.choice((0, 1, 500, 2_000)))
            pair = Pair(TimeControl.realtime(*control))
        doing = rng.random()
        if doing < 0.5:
            pair.wait(rng.choice((0, 1, 40, 700, 3_000, rng.randrange(20_000))))
        elif doing < 0.85:
            pair.move(rng.choice((0, 1, 30, 200, 499, 500, 501, 5_000)))
        elif doing < 0.89:
            pair.pause(rng.randrange(2_000))
        elif doing < 0.95:
            pair.resume()
        elif doing < 0.98:
            pair.credit(rng.randrange(4_000))
        else:
            pair.take_back(rng.randrange(2))
        pair.compare()
    assert flags > 100, "flags must fall, or the comparison says little about them"


class PairMachine(RuleBasedStateMachine):
    """What can happen to any pair, and that its halves agree."""

    @rule()
    def resume(self):
        self.pair.resume()

    @rule(side=st.sampled_from((0, 1)))
    def take_back(self, side):
        self.pair.take_back(side)

    @invariant()
    def same(self):
        if hasattr(self, "pair"):
            self.pair.compare()


class ClockMachine(PairMachine):
    """The same pair, driven by hypothesis, which finds the shortest way to a difference."""

    @initialize(initial=st.integers(1, 600_000), increment=st.integers(0, 5_000))
    def begin(self, initial, increment):
        self.pair = Pair(TimeControl.realtime(initial, increment))

    @rule(ms=st.integers(0, 120_000))
    def wait(self, ms):
        self.pair.wait(ms)

    @rule(lag=st.integers(0, 3_000))
    def move(self, lag):
        self.pair.move(lag)

    @rule(ago=st.integers(0, 100_000))
    def pause(self, ago):
        self.pair.pause(ago)

    @rule(ms=st.integers(0, 100_000))
    def credit(self, ms):
        self.pair.credit(ms)


TestClockMachine = ClockMachine.TestCase
TestClockMachine.settings = settings(max_examples=60, stateful_step_count=30)


class BankMachine(PairMachine):
    """The pair with a time bank, in which days pass: a day may be used again and again, but never twice."""

    @initialize(control=st.sampled_from(BANKS))
    def begin(self, control):
        self.pair = Pair(control)

    @rule(ms=st.integers(0, 3 * DAY_MS) | st.integers(0, 40 * DAY_MS))
    def wait(self, ms):
        self.pair.wait(ms)

    @rule(lag=st.integers(0, 3_000), times=st.integers(1, 12))
    def move(self, lag, times):
        for _ in range(times):
            self.pair.move(lag)

    @rule(ago=st.integers(0, DAY_MS))
    def pause(self, ago):
        self.pair.pause(ago)

    @rule(ms=st.integers(0, 3 * DAY_MS))
    def credit(self, ms):
        self.pair.credit(ms)

    @invariant()
    def within_the_cap(self):
        if hasattr(self, "pair"):
            for left in self.pair.clock.left_ms:
                assert 0 <= left <= self.pair.control.cap_ms


TestBankMachine = BankMachine.TestCase
TestBankMachine.settings = settings(max_examples=100, stateful_step_count=30)
