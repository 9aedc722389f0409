"""Everything that can happen to one game: two players with several tabs, watchers, a wall of games, lines that break, a
server that stops, dies or stands still. What has to be true meanwhile is said in invariants.py.

The whole of live play runs, over a store in memory and with a clock that is turned by hand; only the network is not.
"""

import asyncio

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from server.games.clock import ClockKind, TimeControl
from server.games.game import new_game
from server.games.player import Player
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.downtime import BEAT_S
from server.realtime.views import legal
from server.rules.endings import outcome
from server.rules.legal import play_trusted
from server.rules.pieces import Color
from server.rules.uci import parse_uci_trusted
from tests.games.builders import variants
from tests.realtime.any_round.page import Page
from tests.realtime.any_round.wall import WallPage
from tests.realtime.memory_store import MemoryStore
from tests.realtime.table import BLACK, WHITE, HandClock, House, settle

WATCHER = Player("watcher-id", "Wilma")
PEOPLE = (WHITE, BLACK, WATCHER, None)
CONTROLS = (
    TimeControl.realtime(600_000, 5_000),
    TimeControl.realtime(300_000, 0),
    TimeControl.realtime(60_000, 1_000),
    TimeControl.realtime(5_000, 1_000),
    TimeControl.correspondence(1),
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
WHO = ("mover", "opponent", "mover", "opponent", "anybody")
DAY_MS = 86_400_000
KINDS = ("draw", "takeback", "rematch", "adjourn")


def anybody_here(machine):
    return any(page.open for page in machine.pages)


def somebody_lost(machine):
    return any(not page.open for page in machine.pages)


def offer_stands(machine):
    return anybody_here(machine) and machine.game.offers


def seat_free(machine):
    return machine.secret is not None and machine.game.status is Status.OPEN


class CourseOfARound(RuleBasedStateMachine):
    """See the module."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = HandClock()
        self.store = MemoryStore()
        self.pages = []
        self.walls = []
        self.acknowledged = 0

    def run(self, awaitable):
        return self.loop.run_until_complete(awaitable)

    def teardown(self):
        if hasattr(self, "house"):
            self.run(self.house.live.node.background.finish(0))
        self.loop.close()

    # --- how it begins ----------------------------------------------------------------------------------------------

    @initialize(
        start=st.sampled_from(STARTS),
        control=st.sampled_from(CONTROLS),
        how=st.sampled_from(("paired", "link", "link of Black's")),
        here=st.sampled_from((3, 3, 3, 2, 1, 0)),
        wall=st.booleans(),
    )
    def begin(self, start, control, how, here, wall):
        """By a friend's link, or with both seats filled by the lobby; `here`: how much has happened already."""
        self.house = House(self.store, self.clock)
        variant = variants()[start[0]]
        terms = Terms(variant, False, start[1] or variant.start_fen, control, rated=False)
        self.secret = None
        if how == "paired":
            self.id = "0123456789"
            self.run(self.store.create(new_game(self.id, terms, self.clock(), white=WHITE, black=BLACK)))
        else:
            color = Color.WHITE if how == "link" else Color.BLACK
            created = self.run(self.house.rounds.create(terms, WHITE, color))
            self.id, self.secret = created.game.id, created.secret
        self.come(WHITE)
        if here > 0 and self.secret is not None:
            self.join()
        if here > 1:
            self.come(BLACK)
        if here > 2:
            self.play(self.moves_that_end_it(False)[:1])
            self.play(self.moves_that_end_it(False)[:1])
        if wall:
            self.look_at_the_wall()

    @property
    def game(self):
        """As it is stored."""
        return self.store.games[self.id]

    @property
    def round(self):
        return self.house.rounds.in_memory(self.id)

    # --- who looks --------------------------------------------------------------------------------------------------

    @rule(person=st.sampled_from(PEOPLE))
    def come(self, person):
        if len(self.pages) < 8:
            self.pages.append(Page(person, self.id, self.secret if person is BLACK and self.secret else ""))
            self.run(self.pages[-1].come(self.house))

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), said_goodbye=st.booleans())
    def go(self, who, said_goodbye):
        """A page is closed, or its line breaks."""
        gone = self.shown(who)
        gone.go(said_goodbye)
        if said_goodbye:
            self.pages.remove(gone)
        self.run(settle())

    @precondition(somebody_lost)
    @rule()
    def come_back(self):
        """Every line that broke is there again."""
        for page in self.pages:
            if not page.open:
                self.run(page.come(self.house))

    @rule()
    def look_at_the_wall(self):
        if len(self.walls) < 2:
            self.walls.append(WallPage(self.house))

    @precondition(seat_free)
    @rule()
    def join(self):
        self.run(self.house.rounds.join(self.id, self.secret, BLACK))
        self.run(settle())

    # --- what is asked ----------------------------------------------------------------------------------------------

    def ask(self, page, t, **fields):
        """`page` sends a command; if it is refused nothing may have changed for anybody else."""
        before = self.game
        others = [(one, one.seen) for one in self.shown_pages() if one is not page]
        flagged = before.clock.fallen(self.clock())
        answer = self.run(page.client.ask(t, **fields))
        self.look()
        assert answer is not None, f"{t} was not answered"
        if answer["t"] == "error" and not flagged:
            assert self.game is before, f"{answer} changed the game"
            assert all(one.seen is seen for one, seen in others), f"{answer} was told to others"
        return answer

    def page_of(self, color):
        """An open page of that player, None if there is none."""
        player = self.game.player(color)
        return next((page for page in self.shown_pages() if player and page.player == player), None)

    def shown(self, who):
        """An open page of the one to move, of the opponent, or of anybody."""
        sides = {"mover": self.game.to_move, "opponent": self.game.to_move.other}
        page = self.page_of(sides[who]) if who in sides else None
        return page or self.shown_pages()[-1]

    def moves_that_end_it(self, wanted):
        """The numbers of the moves that end the game on the board, or of those that do not."""
        position = self.game.position
        ucis = legal(self.game).split()
        ends = [outcome(play_trusted(position, parse_uci_trusted(position, uci))) is not None for uci in ucis]
        return [number for number, ending in enumerate(ends) if ending is wanted]

    @precondition(anybody_here)
    @rule(watched=st.booleans())
    def end_it_on_the_board(self, watched):
        if watched:
            self.look_at_the_wall()
        self.play(self.moves_that_end_it(True)[:1])

    @rule()
    def quiet_moves(self):
        """Two that do not end it."""
        for _ in range(2):
            self.play(self.moves_that_end_it(False)[:1])

    @rule(first=st.integers(0, 500), second=st.integers(0, 500))
    def play_two(self, first, second):
        self.play([first, second])

    @rule(choices=st.lists(st.integers(0, 500), min_size=1, max_size=5))
    def play(self, choices):
        """So many moves in turn, as long as those whose turn it is are here."""
        for choice in choices:
            page, ucis = self.page_of(self.game.to_move), legal(self.game).split()
            if page is None or not ucis or page.seen.legal is None:
                return
            answer = self.ask(page, "move", uci=ucis[choice % len(ucis)], ply=len(self.game.plies))
            if answer["t"] == "ok":
                self.acknowledged = len(self.game.plies)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), uci=st.sampled_from(("e2e5", "a1a1", "P@e4", "e2e4", "")), off=st.integers(-2, 2))
    def play_anything(self, who, uci, off):
        """Any page, any text, any half-move; "" is the last move once more."""
        last = self.game.plies[-1].uci if self.game.plies else "e1e1"
        self.ask(self.shown(who), "move", uci=uci or last, ply=max(0, len(self.game.plies) + off))
        self.acknowledged = len(self.game.plies)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), kind=st.sampled_from(KINDS))
    def offer(self, who, kind):
        self.ask(self.shown(who), "offer", kind=kind)
        self.acknowledged = len(self.game.plies)

    @precondition(offer_stands)
    @rule(who=st.sampled_from(WHO), t=st.sampled_from(("accept", "decline")), off=st.integers(0, 4))
    def reply(self, who, t, off):
        """Mostly to an offer that stands."""
        self.ask(self.shown(who), t, offer=self.game.offers[0].id + off // 4)
        self.acknowledged = len(self.game.plies)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), t=st.sampled_from(("ready", "abort", "resign")), sure=st.integers(0, 3))
    def say_one_word(self, who, t, sure):
        """Not every game is to end so soon."""
        if t == "ready" or sure == 3:
            self.ask(self.shown(who), t)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), result=st.sampled_from(("win", "draw")))
    def claim(self, who, result):
        self.ask(self.shown(who), "claim", result=result)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), text=st.text(min_size=1, max_size=10))
    def talk(self, who, text):
        self.ask(self.shown(who), "chat", text=text)

    # --- what time and the server do --------------------------------------------------------------------------------

    @rule(ms=st.sampled_from((1, 500, 1_000, 3_000, 3_000, 3_000, 12_000, 12_000, 25_000, 65_000, DAY_MS)))
    def wait(self, ms):
        """Time passes; every timer fires when it is due, and the loops of the server have a turn at the end."""
        self.run(self.pass_time(ms))

    async def pass_time(self, ms):
        live, until = self.house.live, self.clock() + ms
        while True:
            coming = live.node.timers.fire_due()
            await settle()
            self.look()
            self.check_announced()
            if coming is None or coming > until:
                break
            self.clock.turn(max(0, coming - self.clock()))
        self.clock.turn(until - self.clock())
        live.node.timers.fire_due()
        await settle()
        await live._downtime.mark()
        await self.house.rounds.look_after_due()
        await live.gallery.look()
        self.house.rounds.let_go()
        await settle()

    @rule(ms=st.integers(251, 30_000), busy=st.booleans())
    def stand_still(self, ms, busy):
        downtime = self.house.live._downtime
        downtime._beat_at, downtime._worked_at = self.clock(), 0
        downtime._worked = lambda: ms / 1000 if busy else 0
        self.house.rounds.stopping = True
        self.clock.turn(ms + int(BEAT_S * 1000))
        downtime._beat()
        self.house.rounds.stopping = False
        self.run(settle())
        self.run(self.pass_time(0))

    @rule(gap=st.sampled_from((1_000, 30_000, 400_000)), killed=st.booleans())
    def restart(self, gap, killed):
        self.run(self.begin_anew(gap, killed))

    async def begin_anew(self, gap, killed):
        if killed:
            await self.house.live.node.background.finish(0)
        else:
            await self.house.live.stop()
        self.look()
        for page in self.pages:
            page.go(said_goodbye=False)
        self.walls.clear()
        self.clock.turn(gap)
        self.house = House(self.store, self.clock)
        await self.house.live._downtime.recover()
        await self.house.live._downtime.mark()

    # --- what is seen -----------------------------------------------------------------------------------------------

    def look(self):
        for page in self.pages:
            page.look(self.clock())
        for wall in self.walls:
            wall.look()

    def shown_pages(self):
        return [page for page in self.pages if page.open]

    def check_announced(self):
        """Whoever sits at the board of a game by the minute reads how long it waits for the first move."""
        if self.round is None or self.round.game.terms.control.kind is not ClockKind.REALTIME:
            return
        self.look()
        game = self.round.game
        waits = game.status is Status.LIVE and game.clock.paused_at is None and game.both_met
        expires = game.expires if waits else None
        for page in self.shown_pages():
            begin = page.seen.begin_in(self.clock())
            assert begin == (None if expires is None else max(0, expires - self.clock()))
