"""Everything that can happen to one game: how it begins, what people do (people.py), how time passes, and a server that
stops, dies or stands still. What has to be true meanwhile is said in invariants.py.

The whole of live play runs, over a store in memory and with a clock that is turned by hand; only the network is not.
"""

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from server.games.changes.beginning import new_game
from server.games.changes.pausing import ComeBack, GoAway
from server.games.clocks.time_control import TimeControl
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.realtime.services.recovery import BEAT_S
from server.rules.variant.pieces import Color
from tests.realtime.any_round.people import People
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.rules.built_in import VARIANTS

CONTROLS = (
    TimeControl.realtime(600_000, 5_000),
    TimeControl.realtime(300_000, 0),
    TimeControl.realtime(60_000, 1_000),
    TimeControl.realtime(5_000, 1_000),
    TimeControl.correspondence(1),
    TimeControl.bank(10, 1, 30),
    TimeControl.unlimited(),
)
STARTS = (
    ("chess", None),
    ("chess", "k7/8/1QK5/8/8/8/8/8 w - - 0 1"),
    ("chess", "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"),
    ("crazyhouse", "rnbqkbnr/ppppp2p/5p2/6p1/4P3/3P4/PPP2PPP/RNBQKBNR[] w KQkq - 0 3"),
    ("placement", None),
    ("seirawan", None),
    ("grandhouse", None),
)
"""Variants and positions, some of them with a mate in sight."""
DAY_MS = 86_400_000


def has_days(machine):
    return hasattr(machine, "id") and machine.game.terms.control.by_days and machine.game.status is Status.LIVE


class CourseOfARound(People):
    """See the module."""

    # --- how it begins ----------------------------------------------------------------------------------------------

    @initialize(
        start=st.sampled_from(STARTS),
        control=st.sampled_from(CONTROLS),
        how=st.sampled_from(("paired", "link", "link of Black's")),
        here=st.sampled_from((3, 3, 3, 2, 1, 0)),
        tv=st.booleans(),
    )
    def begin(self, start, control, how, here, tv):
        """By a friend's link, or with both seats filled by the lobby; `here`: how much has happened already."""
        self.node = Node(self.store, self.clock)
        # As every process does before it serves anybody: whoever dies without one cannot be given their time back.
        self.run(self.node.live._heartbeat.beat())
        variant = VARIANTS[start[0]]
        terms = Terms(variant, False, start[1] or variant.start_fen, control, rated=False)
        self.secret = None
        if how == "paired":
            self.id = "0123456789"
            self.run(self.store.create(new_game(self.id, terms, self.clock(), white=WHITE, black=BLACK)))
        else:
            color = Color.WHITE if how == "link" else Color.BLACK
            created = self.run(create_open_game(self.node.rounds.services, terms, WHITE, color))
            self.id, self.secret = created.game.id, created.secret
        self.come(WHITE)
        if here > 0 and self.secret is not None:
            self.join()
        if here > 1:
            self.come(BLACK)
        if here > 2:
            self.play(self.moves_that_end_it(False)[:1])
            self.play(self.moves_that_end_it(False)[:1])
        if tv:
            self.watch_tv()

    # --- what time and the server do --------------------------------------------------------------------------------

    @rule(ms=st.sampled_from((1, 500, 1_000, 3_000, 3_000, 3_000, 12_000, 12_000, 25_000, 65_000, DAY_MS)))
    def wait(self, ms):
        """Time passes; every timer fires when it is due, and the loops of the server have a turn at the end."""
        self.run(self.pass_time(ms))

    async def pass_time(self, ms):
        live, until = self.node.live, self.clock() + ms
        while True:
            coming = live.services.timers.fire_due()
            await settle()
            self.look()
            self.check_announced()
            if coming is None or coming > until:
                break
            self.clock.turn(max(0, coming - self.clock()))
        self.clock.turn(until - self.clock())
        live.services.timers.fire_due()
        await settle()
        await live._heartbeat.beat()
        await self.node.rounds.check_deadlines()
        await live.tv.refresh()
        await self.node.rounds.unload_idle()
        await settle()

    @precondition(has_days)
    @rule(color=st.sampled_from(Color), ms=st.sampled_from((0, 30_000, DAY_MS // 2, 3 * DAY_MS)))
    def change_vacation(self, color, ms):
        """Somebody goes away, changes until when, or (0) comes back."""
        until = self.clock() + ms if ms else 0
        self.run(self.submit(GoAway(color, until) if ms else ComeBack(color)))
        self.away[color] = until

    async def submit(self, command):
        found = await self.node.rounds.get(self.id)
        await found.submit(command, self.clock())
        await settle()

    @rule(ms=st.integers(251, 30_000), busy=st.booleans())
    def stand_still(self, ms, busy):
        watchdog = self.node.live._watchdog
        watchdog._beat_at, watchdog._used_s = self.clock(), 0
        watchdog._processor_s = lambda: ms / 1000 if busy else 0
        self.node.rounds.stopping = True
        self.clock.turn(ms + int(BEAT_S * 1000))
        watchdog._beat()
        self.node.rounds.stopping = False
        self.run(settle())
        self.run(self.pass_time(0))

    @rule(gap=st.sampled_from((1_000, 30_000, 400_000)), killed=st.booleans())
    def restart(self, gap, killed):
        self.run(self.begin_anew(gap, killed))

    async def begin_anew(self, gap, killed):
        if killed:
            await self.node.live.services.background.finish(0)
        else:
            await self.node.live.stop()
        self.look()
        for page in self.pages:
            page.go(said_goodbye=False)
        self.tv_pages.clear()
        self.clock.turn(gap)
        self.node = Node(self.store, self.clock)
        await self.node.recover()
        await self.node.live._heartbeat.beat()
        # What came due meanwhile is looked at within a second.
        await self.node.rounds.check_deadlines()
        await settle()
