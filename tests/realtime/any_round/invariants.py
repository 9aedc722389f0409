"""What is true after each step of whatever happens to a game, told in words by the names of the invariants."""

from hypothesis.stateful import invariant

from server.games.clocks.time_control import ClockKind
from server.games.status import Status
from server.realtime.cluster.presence import PresenceState
from server.realtime.play.views import legal, sees_legal
from server.realtime.protocol.snapshot import Clocks
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color
from tests.realtime.any_round.course import CourseOfARound

SIDES = {Color.WHITE: "white", Color.BLACK: "black"}


class AnyRound(CourseOfARound):
    """See the module."""

    @invariant()
    def nothing_acknowledged_is_lost(self):
        assert len(self.game.plies) >= self.acknowledged

    @invariant()
    def a_clock_runs_for_exactly_one_side(self):
        game = self.game
        timed = game.terms.control.kind is not ClockKind.UNLIMITED
        runs = game.clock.turn if game.clock.paused_at is None else None
        if game.status is Status.LIVE and game.started and timed and game.clock.paused_at is None:
            assert runs is game.to_move
        elif game.status is not Status.LIVE or not timed:
            assert runs is None

    @invariant()
    def no_clock_runs_while_somebody_is_away(self):
        game = self.game
        away = any(until > self.clock() for until in self.away.values())
        assert game.on_vacation is (away and game.status is Status.LIVE)
        assert not game.on_vacation or game.clock.paused_at is not None

    @invariant()
    def every_page_shows_the_game(self):
        self.look()
        for page in self.shown_pages():
            game, seen = self.round.game, page.seen
            color = None if page.player is None else game.color_of(page.player.id)
            assert seen.you == SIDES.get(color)
            assert (seen.status, seen.fen) == (game.status.value, format_fen(game.position))
            assert [uci for uci, _ in seen.moves] == [ply.uci for ply in game.plies]
            assert seen.offers == tuple((one.id, one.kind.value, SIDES[one.by]) for one in game.offers)
            assert (seen.legal or None) == ((legal(game) if sees_legal(game, color) else None) or None)
            assert seen.next == game.next
            away = zip(SIDES.values(), game.away, strict=True)
            assert (seen.away or {}) == {side: until for side, until in away if until}
            told = Clocks.of(game, self.clock())
            for side, left in (("white", told.white), ("black", told.black)):
                assert seen.left(side, self.clock()) == left, side
            assert (seen.clock.get("run"), seen.clock.get("paused")) == (told.run, told.paused)

    @invariant()
    def a_player_is_here_while_a_socket_of_theirs_answers(self):
        if self.round is None:
            return
        for color in Color:
            player = self.round.game.player(color)
            sockets = [page.client for page in self.shown_pages() if player and page.player == player]
            where = self.round.presence[color].state
            assert (where is PresenceState.HERE) == any(not socket.silent for socket in sockets)

    @invariant()
    def players_and_whoever_is_invited_share_one_chat(self):
        lines = [(line.name, line.text) for line in self.store.lines[self.id] if line.room == "players"]
        for page in self.shown_pages():
            plays = page.seen.you is not None or (page.secret and self.game.status is Status.OPEN)
            if plays and self.game.status is not Status.OVER:
                assert page.seen.chat == tuple(lines[-50:])

    @invariant()
    def two_pages_of_one_person_show_the_same(self):
        for page in self.shown_pages():
            for other in self.shown_pages():
                if page.player is other.player:
                    assert page.seen.shown(self.clock()) == other.seen.shown(self.clock())

    @invariant()
    def nobody_waits_for_a_seat_that_nobody_can_take(self):
        game = self.game
        for player, invite in zip((game.white, game.black), game.invites, strict=True):
            waits = game.status is Status.OPEN and player is None
            assert waits == (invite is not None)
        assert (game.status is not Status.LIVE) or None not in (game.white, game.black)

    @invariant()
    def somebody_looks_when_a_time_is_over(self):
        """What is to happen by itself has a timer in this process, as long as anybody looks."""
        if not self.shown_pages():
            return
        timers = {entry.key: at for at, _, entry in self.node.live.services.timers._heap if entry.call is not None}
        game = self.round.game
        if game.deadline is not None:
            assert timers[(self.id, "deadline")] <= game.deadline
        if game.status is Status.LIVE and game.clock.paused_at is not None and not game.on_vacation:
            assert (self.id, "resume") in timers

    @invariant()
    def a_game_that_ends_by_itself_says_when(self):
        self.check_announced()

    @invariant()
    def tv_shows_what_is_played(self):
        for tv in self.tv_pages:
            tv.look()
            shown = tv.boards.get(self.id)
            if shown is not None:
                # A round that nobody follows may have been unloaded.
                present = self.game if self.round is None else self.round.game
                assert shown["fen"] == format_fen(present.position)
            last = tv.last.get(self.id)
            if last is not None and last["result"] is not None:
                assert (last["fen"], last["result"]) == (format_fen(self.game.position), self.game.result)
