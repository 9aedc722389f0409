"""How games come about: creation, the invitation, the rematch."""

from dataclasses import replace

import pytest

from server.games.changes.beginning import Join, new_game, rematch_of
from server.games.changes.ending import Abort, Expire
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import (
    BadClock,
    BadTerms,
    GameOver,
    NotYourTurn,
    OwnChallenge,
    SeatTaken,
    WrongInvitation,
)
from server.games.game import play
from server.games.status import Status
from server.rules.errors import InvalidFen
from tests.support.games import (
    BLACK,
    BORIS,
    CARLA,
    INVITE,
    START,
    WANDA,
    WHITE,
    after,
    joined,
    kinds,
    live_game,
    moved,
    open_game,
    over_game,
    terms,
)


def test_a_new_game_waits_a_day_for_the_second_player():
    game = open_game()
    assert (game.status, game.rev, game.deadline) == (Status.OPEN, 0, START + DAY_MS)
    assert (game.color_of("w"), game.color_of("b")) == (WHITE, None)


@pytest.mark.parametrize(
    "seats",
    [
        {},
        {"invites": (None, INVITE)},
        {"invites": (INVITE, INVITE)},
        {"white": WANDA},
        {"white": WANDA, "black": BORIS, "invites": (None, INVITE)},
        {"white": WANDA, "invites": (INVITE, None)},
        {"white": WANDA, "black": WANDA},
    ],
)
def test_seats_that_make_no_game_are_refused(seats):
    with pytest.raises(ValueError, match=r"seat|against"):
        new_game("g", terms(), START, **seats)


@pytest.mark.parametrize(
    "fen",
    [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ],
)
def test_a_start_in_which_the_game_is_over_is_refused(fen):
    with pytest.raises(InvalidFen, match="over"):
        live_game(fen=fen)


def test_a_start_that_is_no_position_is_refused():
    with pytest.raises(InvalidFen):
        live_game(fen="not a position")


def test_an_impossible_time_control_is_refused():
    with pytest.raises(BadClock, match="clock_empty"):
        live_game(control=TimeControl.realtime(0, 0))


def test_the_friend_takes_the_empty_seat():
    game, events = play(open_game(), Join(BORIS, INVITE), START + 5)
    assert kinds(events) == ["Joined"]
    assert (game.status, game.black, game.invites, game.rev) == (Status.LIVE, BORIS, (None, None), 1)


def test_the_friend_may_get_white():
    assert joined(open_game(BLACK), WANDA).white == WANDA


@pytest.mark.parametrize(
    ("player", "secret", "refusal"),
    [
        (BORIS, "cd" * 32, WrongInvitation),
        (BORIS, "", WrongInvitation),
        (BORIS, "é", WrongInvitation),
        (WANDA, INVITE, OwnChallenge),
    ],
)
def test_a_wrong_secret_or_the_makers_own_link_gives_no_seat(player, secret, refusal):
    with pytest.raises(refusal):
        play(open_game(), Join(player, secret), START)


def test_of_two_who_open_the_link_the_second_is_refused():
    game = joined(open_game())
    with pytest.raises(SeatTaken):
        play(game, Join(CARLA, INVITE), START)


def test_joining_again_changes_nothing():
    game = joined(open_game())
    assert play(game, Join(BORIS, INVITE), START + 1) == (game, ())


class TestTwoOthers:
    """A game that somebody sets up for two other people: each has a link of their own."""

    OTHER = "ef" * 32

    def game(self):
        return new_game("game", terms(), START, invites=(INVITE, self.OTHER))

    @pytest.mark.parametrize("order", ["white first", "black first"])
    def test_a_game_begins_when_both_have_come_in_either_order(self, order):
        comings = [Join(WANDA, INVITE), Join(BORIS, self.OTHER)]
        game = self.game()
        for coming in comings if order == "white first" else reversed(comings):
            assert game.status is Status.OPEN
            game = after(game, coming)
        assert (game.status, game.white, game.black, game.invites) == (Status.LIVE, WANDA, BORIS, (None, None))

    def test_each_link_can_be_taken_once(self):
        game = after(self.game(), Join(WANDA, INVITE))
        with pytest.raises(WrongInvitation):
            play(game, Join(CARLA, INVITE), START)
        assert play(game, Join(WANDA, INVITE), START) == (game, ())

    def test_nobody_takes_both_seats(self):
        with pytest.raises(OwnChallenge):
            play(after(self.game(), Join(WANDA, INVITE)), Join(WANDA, self.OTHER), START)

    def test_white_may_move_before_black_comes(self):
        game = moved(after(self.game(), Join(WANDA, INVITE)), "e2e4")
        assert (game.status, len(game.plies)) == (Status.OPEN, 1)
        assert after(game, Join(BORIS, self.OTHER)).status is Status.LIVE


def test_the_link_of_a_withdrawn_challenge_gives_no_seat():
    game = after(open_game(), Abort(WHITE))
    assert game.invites == (None, None)
    with pytest.raises(GameOver):
        play(game, Join(BORIS, INVITE), START)


def test_the_creator_may_move_before_the_friend_comes():
    game = moved(open_game(), "e2e4", now=START + 60_000)
    assert (game.status, len(game.plies), game.deadline) == (Status.OPEN, 1, START + DAY_MS)
    with pytest.raises(NotYourTurn):
        play(game, PlayMove(WHITE, "d2d4", 1), START)
    game = moved(joined(game), "e7e5", now=START + 700)
    assert game.clock.turn is WHITE
    assert game.clock.since == START + 700


def test_black_as_creator_cannot_move_first():
    with pytest.raises(NotYourTurn):
        play(open_game(BLACK), PlayMove(BLACK, "e7e5", 0), START)


def test_an_unused_invitation_ends_without_a_result():
    game = open_game()
    assert play(game, Expire(), START + DAY_MS - 1) == (game, ())
    game, events = play(game, Expire(), START + DAY_MS)
    assert (kinds(events), game.result, game.outcome.reason, game.deadline) == (["Ended"], "*", "expired", None)


def test_a_rematch_swaps_the_colours_and_keeps_the_terms():
    old = over_game(control=TimeControl.realtime(60_000, 0, 30_000))
    game = rematch_of(old, "next", START + 9)
    assert (game.id, game.previous, game.white, game.black) == ("next", "game", BORIS, WANDA)
    assert (game.status, game.plies[:], game.created, game.terms) == (Status.LIVE, (), START + 9, old.terms)
    assert game.clock.left_ms == (60_000, 30_000)


def test_a_rematch_may_have_a_start_of_its_own():
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1"
    assert rematch_of(over_game(), "next", START, start_fen=fen).terms.start_fen == fen


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"control": TimeControl.unlimited()}, "rated_clock"),
        ({"control": TimeControl.realtime(300_000, 0, 60_000)}, "rated_odds"),
        ({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}, "rated_start"),
    ],
)
def test_a_rated_game_has_equal_terms(changes, reason):
    casual = terms(**changes)
    assert not new_game("game", casual, START, white=WANDA, black=BORIS).terms.rated
    with pytest.raises(BadTerms, match=reason):
        new_game("game", replace(casual, rated=True), START, white=WANDA, black=BORIS)


def test_a_rated_game_can_be_correspondence():
    rated = replace(terms(TimeControl.correspondence(3)), rated=True)
    assert new_game("game", rated, START, white=WANDA, black=BORIS).terms.rated
