"""Endings that are not on the board: resignation, abort, the flag, a player gone."""

import pytest

from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Flag, Resign
from server.games.changes.offers import MakeOffer
from server.games.changes.pausing import CreditStall, Pause, Resume
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import NotAllowed
from server.games.events import ClockAdjusted, ClockPaused, ClockResumed
from server.games.game import play
from server.games.state import OfferKind
from server.rules.endings import Outcome
from tests.support.games import (
    BLACK,
    START,
    WHITE,
    after,
    at_position,
    kinds,
    live_game,
    moved,
    open_game,
    running_game,
)

LONE_KING = "4k3/8/8/8/8/8/4P3/4K3 {} - - 0 1"
"""White can win, Black cannot."""


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_resigning_loses(color):
    game, events = play(running_game(), Resign(color), START + 7_000)
    assert kinds(events) == ["Ended"]
    assert game.outcome == Outcome(color.other, "resign")
    assert game.clock.left_ms == (293_000, 300_000)


@pytest.mark.parametrize("game", [open_game(), moved(open_game(), "e2e4"), live_game(), moved(live_game(), "e2e4")])
def test_until_both_have_moved_anybody_may_abort(game):
    game, _ = play(game, Abort(WHITE), START)
    assert (game.outcome, game.result, game.aborted_by) == (Outcome(None, "abort"), "*", WHITE)


def test_after_that_nobody_may_abort():
    with pytest.raises(NotAllowed, match="too_late_to_abort"):
        play(running_game(), Abort(BLACK), START)


class TestFlag:
    def test_it_falls_at_the_deadline_and_not_before(self):
        game = running_game()
        assert play(game, Flag(), game.deadline - 1) == (game, ())
        over, events = play(game, Flag(), game.deadline)
        assert kinds(events) == ["Ended"]
        assert (over.outcome, over.ended) == (Outcome(BLACK, "time"), game.deadline)
        assert over.clock.left_ms == (0, 300_000)

    @pytest.mark.parametrize(("turn", "outcome"), [("w", Outcome(None, "time")), ("b", Outcome(WHITE, "time"))])
    def test_against_a_side_that_could_never_mate_it_is_a_draw(self, turn, outcome):
        game = at_position(LONE_KING.format(turn))
        assert after(game, Flag(), now=game.deadline).outcome == outcome

    def test_pieces_in_hand_can_mate(self):
        game = at_position("4k3/8/8/8/8/8/4P3/4K3[p] w - - 0 1", variant="crazyhouse")
        assert after(game, Flag(), now=game.deadline).outcome == Outcome(BLACK, "time")

    def test_days_run_out_too(self):
        game = running_game(control=TimeControl.correspondence(2))
        assert play(game, Flag(), START + 2 * DAY_MS - 1) == (game, ())
        assert after(game, Flag(), now=START + 2 * DAY_MS).outcome == Outcome(BLACK, "time")

    @pytest.mark.parametrize(
        "command",
        [
            Resign(WHITE),
            Resign(BLACK),
            MakeOffer(BLACK, OfferKind.DRAW),
            Claim(BLACK, as_draw=True),
            Claim(WHITE),
        ],
        ids=repr,
    )
    def test_every_command_after_the_flag_comes_too_late(self, command):
        game = running_game()
        over, events = play(game, command, game.deadline)
        assert kinds(events) == ["Ended"]
        assert over.outcome == Outcome(BLACK, "time")


class TestGone:
    @pytest.mark.parametrize(
        ("claim", "outcome"),
        [
            (Claim(WHITE), Outcome(WHITE, "left")),
            (Claim(BLACK), Outcome(BLACK, "left")),
            (Claim(BLACK, as_draw=True), Outcome(None, "left")),
        ],
    )
    def test_the_other_has_the_choice(self, claim, outcome):
        assert after(running_game(), claim).outcome == outcome

    def test_a_side_that_could_never_mate_gets_a_draw(self):
        assert after(moved(at_position(LONE_KING.format("w")), "e2e4 e8e7"), Claim(BLACK)).outcome == Outcome(
            None, "left"
        )

    @pytest.mark.parametrize("control", [TimeControl.correspondence(1), TimeControl.unlimited()])
    def test_no_win_can_be_claimed_in_a_game_without_a_live_clock(self, control):
        with pytest.raises(NotAllowed):
            play(running_game(control=control), Claim(WHITE), START)


class TestNobodyPaysForTheServer:
    def test_no_player_pays_for_the_servers_absence(self):
        game, events = play(running_game(), Pause(START + 5_000), START + 65_000)
        assert events == (ClockPaused(),)
        assert game.deadline is None
        assert play(game, Flag(), START + DAY_MS) == (game, ())
        game, events = play(game, Resume(), START + 70_000)
        assert events == (ClockResumed(),)
        assert game.clock.remaining(WHITE, START + 71_000) == 294_000

    def test_a_flag_that_would_have_fallen_meanwhile_does_not(self):
        game = running_game()
        late = game.deadline + 3_600_000
        game = after(game, Pause(START + 5_000), Resume(), now=late)
        assert play(game, Flag(), late) == (game, ())

    def test_a_stall_is_given_back_and_announced(self):
        game, events = play(running_game(), CreditStall(4_000), START + 10_000)
        assert events == (ClockAdjusted(4_000),)
        assert game.clock.remaining(WHITE, START + 10_000) == 294_000

    def test_more_than_the_turn_is_never_given_back(self):
        assert play(running_game(), CreditStall(4_000), START + 500)[1] == (ClockAdjusted(500),)

    def test_a_stall_beyond_the_deadline_saves_the_flag(self):
        game = running_game()
        late = game.deadline + 9_000
        game = after(game, CreditStall(10_000), now=late)
        assert play(game, Flag(), late) == (game, ())
