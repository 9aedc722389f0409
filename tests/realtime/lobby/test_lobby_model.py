"""Stories of a town told at random by hypothesis: whatever people, pages and the store do, these things stay true.

Nobody gets two games by one seek. Who has gone is paired with nobody, and who is there is not left beside somebody who
suits, unless they are kept apart: those come to no game. Two pages of one person show the same. A live game's clock
runs for one side. After a restart it is the same.
"""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from server.games.clocks.time_control import ClockKind
from server.games.seeks import is_compatible
from server.games.status import Status
from server.rules.variant.pieces import Color
from tests.realtime.lobby.town import CONTROLS, PEOPLE, STEP_S, Town

pytestmark = pytest.mark.slow

people = st.sampled_from(sorted(PEOPLE))
controls = st.sampled_from(sorted(CONTROLS))
numbers = st.integers(0, 20)


class LobbyMachine(RuleBasedStateMachine):
    """`asks`: how often each person has asked the lobby for a game."""

    def __init__(self):
        super().__init__()
        self.town = Town()
        self.asks = dict.fromkeys(PEOPLE, 0)
        self.links = []
        self.pairings = []
        self.paired = {}
        self.forgotten = set()
        self.met = set()
        take = self.town.store.seeks.take

        async def take_and_note(seek_id, pairing, *more):
            before = seek_id in self.town.store.seeks.pairings
            try:
                return await take(seek_id, pairing, *more)
            finally:
                if not before and seek_id in self.town.store.seeks.pairings:
                    seek = self.town.store.seeks.standing[seek_id].seek
                    maker = seek.maker.player.name
                    self.paired[seek.game] = maker
                    answers = any(not page.silent for page in self.town.pages_of(maker))
                    self.pairings.append((seek_id, seek.waits_for_days or answers))

        self.town.store.seeks.take = take_and_note

    def teardown(self):
        self.town.close()

    # --- pages ------------------------------------------------------------------------------------------------------

    @rule(who=people)
    def open_page(self, who):
        if len(self.town.pages_of(who)) < 2:
            self.town.open_page(who)

    @precondition(lambda self: self.town.pages)
    @rule(n=numbers)
    def close_page(self, n):
        self.town.close_page(self.town.pages[n % len(self.town.pages)])

    @precondition(lambda self: self.town.pages)
    @rule(n=numbers)
    def shut_laptop(self, n):
        """Its socket is dead, and nobody has been told."""
        page = self.town.pages[n % len(self.town.pages)]
        if not page.silent:
            self.town.silence(page)

    @precondition(lambda self: any(page.silent for page in self.town.pages))
    @rule(n=numbers)
    def open_laptop(self, n):
        silent = [page for page in self.town.pages if page.silent]
        self.town.answer(silent[n % len(silent)])

    # --- the lobby --------------------------------------------------------------------------------------------------

    @rule(
        who=people,
        control=controls,
        variants=st.sampled_from([(), ("chess",), ("chess", "grand")]),
        color=st.sampled_from([None, None, Color.WHITE]),
        rated=st.sampled_from([False, False, True]),
    )
    def seek(self, who, control, variants, color, rated):
        self.be_there(who)
        self.asks[who] += 1
        before = set(self.town.store.games)
        wanted, game = self.town.seek(who, control, variants, color, rated)
        new = set(self.town.store.games) - before
        assert len(new) <= 1, "one seek, and several games"
        assert game is None or wanted.game == game or wanted.game not in self.town.store.games

    def be_there(self, who):
        """Who asks for something has a page, and its socket is alive."""
        if not self.town.pages_of(who):
            self.town.open_page(who)
        for page in self.town.pages_of(who):
            self.town.answer(page)

    @precondition(lambda self: any(page.seeks for page in self.town.pages))
    @rule(n=numbers, m=numbers)
    def accept(self, n, m):
        pages = [page for page in self.town.pages if page.seeks]
        page = pages[n % len(pages)]
        self.town.answer(page)
        if not page.seeks:
            return
        self.asks[page.who] += 1
        self.town.accept(page.who, list(page.seeks)[m % len(page.seeks)])

    @precondition(lambda self: any(page.seeks for page in self.town.pages))
    @rule(n=numbers, m=numbers)
    def withdraw(self, n, m):
        pages = [page for page in self.town.pages if page.seeks]
        page = pages[n % len(pages)]
        self.town.answer(page)
        if not page.seeks:
            return
        self.town.withdraw(page.who, list(page.seeks)[m % len(page.seeks)])

    # --- challenges and boards --------------------------------------------------------------------------------------

    @rule(
        who=people, asked=st.sampled_from([None, "Anna", "Ben"]), control=controls, color=st.sampled_from(list(Color))
    )
    def challenge(self, who, asked, control, color):
        if who is not asked and (made := self.town.challenge(who, control, color, asked)) is not None:
            self.links.append(made)

    @precondition(lambda self: self.links)
    @rule(who=people, n=numbers)
    def join(self, who, n):
        self.town.join(who, *self.links[n % len(self.links)])

    @precondition(lambda self: self.town.store.games)
    @rule(n=numbers)
    def move(self, n):
        games = list(self.town.store.games)
        self.town.move(games[n % len(games)])

    @precondition(lambda self: self.unbegun())
    @rule(n=numbers)
    def wait_in_vain(self, n):
        """Whose seek was taken sits at the board alone; when the game is called off they look for somebody again."""
        game = self.unbegun()[n % len(self.unbegun())]
        who, player = self.paired[game.id], PEOPLE[self.paired[game.id]].player
        self.town.store.down, self.town.store.lose_answers = False, 0
        for board in [board for board in self.town.boards if board[1] == game.id and board[0] != who]:
            self.town.leave(*board)
        self.be_there(who)
        self.town.sit(who, game.id)
        if len([one for one in self.live_by_the_minute() if who in self.town.players(one).values()]) > 1:
            return
        self.town.pass_time(120)
        if self.town.store.games[game.id].status is Status.OVER and not self.town.is_paused(who):
            waits = any(seek.maker.player == player for seek in self.town.node.live.lobby.seeks.waiting)
            plays = any(who in self.town.players(one).values() for one in self.games() if one.created > game.created)
            assert waits or plays, "nobody came, and they wait for nobody else"

    def unbegun(self):
        """Games of the lobby that this process has made and nobody has moved in."""
        known = self.paired.keys() - self.forgotten
        return [game for game in self.live_by_the_minute() if game.id in known and not game.plies]

    def live_by_the_minute(self):
        realtime = [game for game in self.games() if game.terms.control.kind is ClockKind.REALTIME]
        return [game for game in realtime if game.status is Status.LIVE]

    @precondition(lambda self: self.town.boards)
    @rule(n=numbers)
    def leave(self, n):
        self.town.leave(*list(self.town.boards)[n % len(self.town.boards)])

    # --- blocks -----------------------------------------------------------------------------------------------------

    @rule(who=people, other=people, blocks=st.booleans())
    def block_or_unblock(self, who, other, blocks):
        if who != other:
            self.town.block(who, other, blocks)

    # --- faults and time --------------------------------------------------------------------------------------------

    @rule(down=st.booleans())
    def store_comes_or_goes(self, down):
        self.town.store.down = down

    @rule()
    def answer_is_lost(self):
        self.town.store.lose_answers = 1

    @rule(seconds=st.sampled_from([5, 30, 120]))
    def pass_time(self, seconds):
        self.town.pass_time(seconds)

    @rule()
    def restart(self):
        self.forgotten.update(self.town.store.games)
        seeks, games = set(self.town.store.seeks.standing), dict(self.town.store.games)
        self.town.restart()
        assert set(self.town.store.games) >= set(games)
        assert set(self.town.store.seeks.standing) <= seeks

    # --- what stays true --------------------------------------------------------------------------------------------

    @invariant()
    def who_has_gone_is_paired_with_nobody(self):
        assert all(was_there for _, was_there in self.pairings)

    @invariant()
    def nobody_plays_more_games_of_the_lobby_than_they_asked_for(self):
        for who in PEOPLE:
            of_the_lobby = [
                game
                for game in self.games()
                if game.id in self.paired and who in self.town.players(game).values() and not self.is_called_off(game)
            ]
            assert len(of_the_lobby) <= self.asks[who]

    def is_called_off(self, game):
        """Whoever waited in it looks for another one, and has not asked for two."""
        return game.outcome is not None and game.outcome.reason == "expired"

    @invariant()
    def two_pages_of_one_person_show_the_same(self):
        """What the store has done without an answer is known a moment later."""
        if self.town.store.down:
            return
        if not all(self.is_up_to_date(page) for page in self.town.pages):
            self.town.pass_time(STEP_S)
        assert all(self.is_up_to_date(page) for page in self.town.pages)

    def is_up_to_date(self, page):
        waiting = {
            seek.id
            for seek in self.town.node.live.lobby.seeks.waiting
            if not self.town.knows_apart(page.who, seek.maker.player.name)
        }
        return page.strip == self.town.do(self.town.strip_of(page.who)) and set(page.seeks) == waiting

    @invariant()
    def nobody_waits_beside_somebody_who_suits(self):
        if self.town.store.down:
            return
        self.town.do(self.town.node.live.lobby.expire_seeks())
        waiting = self.town.node.live.lobby.seeks.waiting
        for one in waiting:
            for other in waiting:
                apart = self.town.knows_apart(one.maker.player.name, other.maker.player.name)
                assert apart or not is_compatible(one, other)

    @invariant()
    def who_is_kept_apart_comes_to_no_new_game(self):
        """Between a block that was stored without an answer and the next look at it nobody has promised anything."""
        for game in self.games():
            if game.id not in self.met and len(self.town.players(game)) == 2:
                self.met.add(game.id)
                assert not self.town.knows_apart(*self.town.players(game).values())

    @invariant()
    def a_live_clock_runs_for_the_side_to_move_alone(self):
        for game in self.games():
            if game.status is Status.LIVE and game.started and game.clock.paused_at is None and game.deadline:
                assert game.clock.turn is game.to_move
            if game.status is Status.OVER:
                assert game.clock.turn is None

    def games(self):
        return list(self.town.store.games.values())


@pytest.mark.parametrize("examples", [12, pytest.param(400, marks=pytest.mark.only_full("it takes some minutes"))])
def test_the_lobby_keeps_its_promises_whatever_happens(examples, full):
    """The same stories each time, but for the long run."""
    settled = settings(max_examples=examples, stateful_step_count=30, derandomize=not full)
    run_state_machine_as_test(LobbyMachine, settings=settled)
