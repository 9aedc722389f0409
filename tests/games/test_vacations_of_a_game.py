"""A correspondence game with vacations of both sides beside a clock that ticks: nobody's time runs while anybody is
away, nobody gains or loses any by it, and afterwards exactly one side's clock runs. Whatever else happens: moves,
takebacks, pauses by agreement, servers that stop, games that are read anew from the store.
"""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.games.changes.offers import AcceptOffer, MakeOffer, plies_to_take_back
from server.games.changes.pausing import ComeBack, GoAway, Pause, Resume, ResumeReady
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.game import play
from server.games.reminders import Remind, next_reminder_at
from server.games.state import OfferKind
from server.games.status import Status
from server.realtime.play.round_timers import command_at_deadline
from server.realtime.services.recovery import LONG_MS, recovery_command
from server.rules.movegen.legal import legal_ucis
from server.rules.variant.pieces import Color
from server.storage.documents import to_document
from server.storage.replay import from_document
from tests.support.games import START, live_game
from tests.support.rules.built_in import VARIANTS

pytestmark = pytest.mark.slow

CONTROLS = {TimeControl.correspondence(3): 3 * DAY_MS, TimeControl.bank(10, 1, 30): 10 * DAY_MS}
"""Each with what a side has at first, ms."""
SIDES = st.sampled_from(list(Color))
SPANS = st.sampled_from((1, 60_000, 3_600_000, DAY_MS // 2, DAY_MS, 2 * DAY_MS)) | st.integers(0, 2 * DAY_MS)


class VacationsOfAGame(RuleBasedStateMachine):
    """`bank`: what each side had when the turn began; `used`: what the side to move has used of it; `away`: until when
    each side is. `begun`: both have moved once, from when on the clock runs, even if all moves are taken back.
    `replacing`: how many coming moves of each side are in place of ones taken back, and earn nothing. `paused`: by
    agreement.
    """

    def __init__(self):
        super().__init__()
        self.begin(TimeControl.correspondence(3))

    @initialize(control=st.sampled_from(list(CONTROLS)))
    def begin(self, control):
        self.game = live_game(control=control)
        self.now, self.used, self.away, self.begun, self.paused = START, 0, [0, 0], False, False
        self.bank, self.replacing = [CONTROLS[control]] * 2, [0, 0]

    def give(self, command):
        self.game, _ = play(self.game, command, self.now)

    def begin_anew(self):
        self.begin(self.game.terms.control)

    @property
    def left(self):
        """What the side to move has."""
        return self.bank[self.game.to_move.value] - self.used

    @property
    def stands(self):
        return any(until > self.now for until in self.away)

    # --- what happens -----------------------------------------------------------------------------------------------

    @rule(ms=SPANS)
    def wait(self, ms):
        """Timers fire when they are due; in a pause by agreement nothing is."""
        until = self.now + ms
        if self.paused:
            assert self.game.deadline is None
            self.now = until
        while self.now < until:
            coming = min((end for end in self.away if end > self.now), default=until)
            step = min(coming, until) - self.now
            if not self.stands and step >= self.left:
                self.now += self.left
                assert self.game.deadline == self.now
                self.give(command_at_deadline(self.game))
                assert self.game.outcome.reason in ("time", "expired")
                self.begin_anew()
                return
            self.used += 0 if self.stands else step
            self.now += step
            if self.game.deadline == self.now:
                self.give(command_at_deadline(self.game))

    @rule(ms=st.sampled_from((60_000, LONG_MS + 1, DAY_MS, 9 * DAY_MS)))
    def be_down(self, ms):
        """No timer fires. A short absence is charged to the side to move, unless a vacation ended in it."""
        stood, last = self.stands, self.now
        self.game = from_document(to_document(self.game), VARIANTS)
        self.now += ms
        command = recovery_command(self.game, last, self.now)
        if command is not None:
            self.give(command)
        elif not (stood or self.paused):
            self.used += ms
        if self.game.deadline is not None and self.game.deadline <= self.now:
            self.give(command_at_deadline(self.game))
        if self.game.outcome is not None:
            assert self.left <= 0
            self.begin_anew()

    @rule(color=SIDES, ms=SPANS)
    def go_away(self, color, ms):
        self.change(color, self.now + ms if ms else 0)
        self.give(GoAway(color, self.now + ms))

    def change(self, color, until):
        """An opponent who is to move is not surprised."""
        before = max(self.now, *self.away)
        self.away[color.value] = until
        goes_on = max(self.now, *self.away)
        soon = goes_on < before and goes_on < self.now + DAY_MS
        mover = self.game.to_move
        if soon and mover is not color and not self.paused:
            self.give_a_day()

    def give_a_day(self):
        """To the side to move, at least."""
        if self.left < DAY_MS and self.begun:
            self.bank[self.game.to_move.value], self.used = DAY_MS, 0
        elif self.left < DAY_MS:
            self.used = self.bank[self.game.to_move.value] - DAY_MS

    @rule(color=SIDES)
    def come_back(self, color):
        self.change(color, 0)
        self.give(ComeBack(color))

    @precondition(lambda self: self.game.started and not self.paused)
    @rule(color=SIDES)
    def pause_by_agreement(self, color):
        for one in (color, color.other):
            self.give(MakeOffer(one, OfferKind.PAUSE))
        self.paused = True

    @precondition(lambda self: self.paused)
    @rule(color=SIDES)
    def end_pause(self, color):
        self.give(ResumeReady(color))
        self.paused = False
        if self.game.to_move is not color:
            self.give_a_day()

    @precondition(lambda self: not self.paused)
    @rule(choice=st.integers(0, 40))
    def move(self, choice):
        ucis, mover, control = legal_ucis(self.game.position), self.game.to_move.value, self.game.terms.control
        if self.begun:
            full = CONTROLS[control]
            earned = 0 if self.replacing[mover] else DAY_MS
            self.bank[mover] = full if control.cap_ms is None else min(self.left + earned, control.cap_ms)
            self.replacing[mover] = max(0, self.replacing[mover] - 1)
        self.give(PlayMove(self.game.to_move, ucis[choice % len(ucis)], len(self.game.plies)))
        self.used, self.begun = 0, self.begun or self.game.started
        if self.game.outcome is not None:
            self.begin_anew()

    @precondition(lambda self: not self.paused)
    @rule(color=SIDES)
    def take_back(self, color):
        if plies_to_take_back(self.game, color) is None:
            return
        same_turn, left = self.game.to_move is color, self.left
        self.give(MakeOffer(color, OfferKind.TAKEBACK))
        self.give(AcceptOffer(color.other, self.game.offers[-1].id))
        if self.begun:
            self.replacing[color.value] += 1
            self.replacing[color.other.value] += same_turn
        if same_turn and self.begun:
            return
        self.used = 0
        if self.begun:
            control = self.game.terms.control
            self.bank[color.other.value] = CONTROLS[control] if control.cap_ms is None else left

    @precondition(lambda self: self.stands and not self.paused)
    @rule(ago=SPANS)
    def server_pauses_and_resumes(self, ago):
        before = self.game
        self.give(Pause(self.now - ago))
        self.give(Resume())
        assert self.game is before

    @rule()
    def read_from_the_store(self):
        document = to_document(self.game)
        assert (document.head["deadline"] in self.away) is (self.stands and not self.paused)
        self.game = from_document(document, VARIANTS)

    # --- what stays true --------------------------------------------------------------------------------------------

    @invariant()
    def nobody_gains_or_loses_time(self):
        for color in Color:
            used = self.used if color is self.game.to_move and self.begun else 0
            assert self.game.clock.remaining(color, self.now) == self.bank[color.value] - used

    @invariant()
    def exactly_one_clock_runs_unless_somebody_is_away(self):
        game = self.game
        assert game.status is (Status.ADJOURNED if self.paused else Status.LIVE)
        if self.paused:
            assert game.clock.paused_at is not None
            return
        assert [until > 0 for until in game.away] == [until > self.now for until in self.away]
        running = game.clock.turn if game.clock.paused_at is None else None
        assert running is (None if self.stands or not self.begun else game.to_move)
        assert game.move_due == (None if self.stands else self.now + self.left)

    @invariant()
    def nobody_is_reminded_while_somebody_is_away(self):
        if self.stands:
            assert next_reminder_at(self.game) is None
            assert self.paused or play(self.game, Remind(), self.now)[0] is self.game


TestVacationsOfAGame = VacationsOfAGame.TestCase
TestVacationsOfAGame.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
