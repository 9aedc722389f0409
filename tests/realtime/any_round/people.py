"""The people at one game: two players with several tabs, watchers and TV pages, and everything they can ask."""

import asyncio

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from server.games.clocks.time_control import ClockKind
from server.games.player import Player
from server.games.status import Status
from server.realtime.play.views import legal
from server.rules.endings import outcome
from server.rules.movegen.making import play_trusted
from server.rules.notation.uci import parse_uci_trusted
from server.rules.variant.pieces import Color
from tests.realtime.any_round.page import Page
from tests.realtime.any_round.tv_page import TvPage
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.node import BLACK, WHITE
from tests.support.storage.memory_store import MemoryStore

WATCHER = Player("watcher-id", "Wilma")
PEOPLE = (WHITE, BLACK, WATCHER, None)
WHO = ("mover", "opponent", "mover", "opponent", "anybody")
AT_ONCE = 20
"""Chat lines in one instant."""
KINDS = ("draw", "takeback", "rematch", "adjourn", "pause")


def anybody_here(machine):
    return any(page.open for page in machine.pages)


def somebody_lost(machine):
    return any(not page.open for page in machine.pages)


def offer_stands(machine):
    return anybody_here(machine) and machine.game.offers


def seat_free(machine):
    return machine.secret is not None and machine.game.status is Status.OPEN


class People(RuleBasedStateMachine):
    """See the module."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = HandClock()
        self.store = MemoryStore()
        self.pages = []
        self.tv_pages = []
        self.acknowledged = 0
        self.talked = []
        self.away = dict.fromkeys(Color, 0)

    def run(self, awaitable):
        return self.loop.run_until_complete(awaitable)

    def teardown(self):
        if hasattr(self, "node"):
            self.run(self.node.live.services.background.finish(0))
        self.loop.close()

    @property
    def game(self):
        """As it is stored."""
        return self.store.games[self.id]

    @property
    def round(self):
        return self.node.rounds.in_memory(self.id)

    # --- who looks --------------------------------------------------------------------------------------------------

    @rule(person=st.sampled_from(PEOPLE))
    def come(self, person):
        if len(self.pages) < 8:
            self.pages.append(Page(person, self.id, self.secret if person is BLACK and self.secret else ""))
            self.run(self.pages[-1].come(self.node))

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), said_goodbye=st.booleans())
    def go(self, who, said_goodbye):
        """A page is closed, or its socket breaks."""
        gone = self.shown(who)
        gone.go(said_goodbye)
        if said_goodbye:
            self.pages.remove(gone)
        self.run(settle())

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO))
    def fall_silent(self, who):
        """A socket is dead, and nobody has been told."""
        self.shown(who).client.fall_silent()
        self.run(settle())

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO))
    def answer(self, who):
        """A socket that was silent has only been slow."""
        self.shown(who).client.answer()
        self.run(settle())

    @precondition(somebody_lost)
    @rule()
    def come_back(self):
        """Every socket that broke is there again."""
        for page in self.pages:
            if not page.open:
                self.run(page.come(self.node))

    @rule()
    def watch_tv(self):
        if len(self.tv_pages) < 2:
            self.tv_pages.append(self.run(TvPage.come(self.node)))

    @precondition(seat_free)
    @rule()
    def join(self):
        self.run(self.node.rounds.join(self.id, self.secret, BLACK))
        self.run(settle())

    # --- what is asked ----------------------------------------------------------------------------------------------

    def ask(self, page, t, **fields):
        """`page` sends a command; if it is refused nothing may have changed for anybody else."""
        before = self.game
        others = [(one, one.seen) for one in self.shown_pages() if one is not page]
        flagged = before.clock.remaining(before.to_move, self.clock()) == 0
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
            self.watch_tv()
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
    @rule(who=st.sampled_from(WHO), by_hand=st.booleans())
    def choose_flagging(self, who, by_hand):
        self.ask(self.shown(who), "flagging", by_hand=by_hand)
        self.acknowledged = len(self.game.plies)

    @precondition(anybody_here)
    @rule(who=st.sampled_from(WHO), text=st.text(min_size=1, max_size=10))
    def talk(self, who, text):
        # Whoever says more in one instant is cut off, which is not what this is about.
        self.talked.append(self.clock())
        if self.talked.count(self.clock()) <= AT_ONCE:
            self.ask(self.shown(who), "chat", text=text)

    # --- what is seen -----------------------------------------------------------------------------------------------

    def look(self):
        for page in self.pages:
            page.look(self.clock())
        for tv in self.tv_pages:
            tv.look()

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
