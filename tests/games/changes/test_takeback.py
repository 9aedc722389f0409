"""Takebacks: how much goes, and that the game stands afterwards as if it had never been played."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import NotAllowed, Stale
from server.games.events import OfferClosed, TookBack
from server.games.game import play
from server.games.state import OfferKind
from server.rules.endings import Outcome
from server.rules.movegen.legal import repetition_key
from server.rules.notation.fen import format_fen
from tests.support.games import BLACK, FIVE_MINUTES, START, WHITE, after, kinds, live_game, met, moved, running_game

PAWN_MOVES = [f"{file}{way}".format(file) for file in "abcdefgh" for way in ("2{0}3", "7{0}6")]
DRAW, TAKEBACK = OfferKind.DRAW, OfferKind.TAKEBACK


def taken_back(game, color, now=START):
    """`game` after `color` has asked and the opponent has agreed at `now`."""
    offer = game.next_offer
    return after(game, MakeOffer(color, TAKEBACK), AcceptOffer(color.other, offer), now=now)


@pytest.mark.parametrize(
    ("played", "asker", "left"),
    [
        ("e2e4", WHITE, ""),
        ("e2e4 e7e5", BLACK, "e2e4"),
        ("e2e4 e7e5", WHITE, ""),
        ("e2e4 e7e5 g1f3", WHITE, "e2e4 e7e5"),
        ("e2e4 e7e5 g1f3", BLACK, "e2e4"),
        ("e2e4 d7d5 e4d5 d8d5", WHITE, "e2e4 d7d5"),
        ("e2e4 d7d5 e4d5 d8d5", BLACK, "e2e4 d7d5 e4d5"),
    ],
)
@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "seirawan"])
def test_the_last_move_of_the_one_who_asks_is_undone(played, asker, left, variant):
    before = moved(live_game(variant=variant), played)
    game = taken_back(before, asker)
    expected = moved(live_game(variant=variant), left)
    assert format_fen(game.position) == format_fen(expected.position)
    assert (repetition_key(game.position), game.plies, game.keys) == (
        repetition_key(expected.position),
        expected.plies,
        expected.keys,
    )
    assert game.to_move is asker
    assert game.rev == before.rev + 2


@pytest.mark.parametrize(("played", "asker"), [("", WHITE), ("", BLACK), ("e2e4", BLACK)])
def test_a_player_who_has_not_moved_has_nothing_to_take_back(played, asker):
    with pytest.raises(NotAllowed):
        play(moved(live_game(), played), MakeOffer(asker, TAKEBACK), START)


@pytest.mark.parametrize("mover", ["the one who asked", "their opponent"])
def test_any_move_overtakes_the_request(mover):
    game = running_game() if mover == "the one who asked" else moved(running_game(), "g1f3")
    game = after(game, MakeOffer(WHITE, TAKEBACK))
    uci = "b1c3" if mover == "the one who asked" else "b8c6"
    game = moved(game, uci)
    assert game.offers == ()
    with pytest.raises(Stale):
        play(game, AcceptOffer(BLACK, 1), START)


def test_a_takeback_is_announced_and_closes_every_other_offer():
    game = after(running_game(), MakeOffer(WHITE, DRAW), MakeOffer(BLACK, TAKEBACK))
    game, events = play(game, AcceptOffer(WHITE, 2), START)
    assert events == (OfferClosed(2, TAKEBACK, "accepted"), OfferClosed(1, DRAW, "lapsed"), TookBack(1))
    assert game.offers == ()


def test_both_may_ask_and_the_first_agreement_counts():
    game = after(moved(running_game(), "g1f3"), MakeOffer(WHITE, TAKEBACK), MakeOffer(BLACK, TAKEBACK))
    assert len(game.offers) == 2
    game, events = play(game, AcceptOffer(WHITE, 2), START)
    assert kinds(events) == ["OfferClosed", "OfferClosed", "TookBack"]
    assert len(game.plies) == 1
    with pytest.raises(Stale):
        play(game, AcceptOffer(BLACK, 1), START)


def test_agreeing_twice_takes_back_once():
    game = after(moved(running_game(), "g1f3 b8c6"), MakeOffer(WHITE, TAKEBACK), AcceptOffer(BLACK, 1))
    with pytest.raises(Stale):
        play(game, AcceptOffer(BLACK, 1), START)
    assert len(game.plies) == 2


def test_the_clocks_show_what_they_showed_and_the_turn_changes():
    game = moved(running_game(), "g1f3", now=START + 10_000)
    game = taken_back(game, WHITE, START + 14_000)
    clock = game.clock
    assert clock.turn is WHITE
    assert clock.remaining(WHITE, START + 14_000) == 293_000
    assert clock.remaining(BLACK, START + 20_000) == 296_000


def test_the_clock_runs_on_where_the_turn_stays():
    game = moved(running_game(), "g1f3 b8c6", now=START + 10_000)
    before = game.clock
    clock = taken_back(game, WHITE, START + 14_000).clock
    assert (clock.left_ms, clock.turn, clock.since) == (before.left_ms, before.turn, before.since)


def test_before_the_start_a_takeback_renews_the_first_move_deadline():
    game = taken_back(moved(met(live_game()), "e2e4"), WHITE, START + 5_000)
    assert game.clock.turn is None
    assert game.deadline == START + 5_000 + 25_000
    assert taken_back(moved(live_game(), "e2e4"), WHITE, START + 5_000).deadline == START + 5_000 + DAY_MS


def test_a_clock_that_has_started_does_not_stop_for_it():
    game = taken_back(running_game(), BLACK, START + 5_000)
    assert (game.clock.turn, game.expires) == (BLACK, None)
    game = moved(game, "c7c5", now=START + 8_000)
    assert game.clock.remaining(BLACK, START + 8_000) == 300_000 - 3_000, "as little as the first move earned"


STEPS = st.lists(st.tuples(st.sampled_from(["move", "move", WHITE, BLACK]), st.integers(0, 6_000)), max_size=12)


@pytest.mark.parametrize("control", [FIVE_MINUTES, TimeControl.bank(10, 1, 30)], ids=["minutes", "bank"])
@given(steps=STEPS)
def test_takebacks_leave_both_the_time_that_the_same_game_without_them_would_have(control, steps):
    game, now, thought = moved(live_game(control=control), "a2a3 a7a6"), START, [0] * len(PAWN_MOVES)
    for step, ms in [*steps, *[("move", 1)] * len(PAWN_MOVES)]:
        ply = len(game.plies)
        if step == "move" and ply < len(PAWN_MOVES):
            game = moved(game, PAWN_MOVES[ply], now=now + ms)
        elif step != "move" and ply - 1 - (game.to_move is step) >= 2:
            game = taken_back(game, step, now + ms)
        else:
            continue
        now, thought[ply] = now + ms, thought[ply] + ms
    straight, then = moved(live_game(control=control), "a2a3 a7a6"), START
    for ply, ms in enumerate(thought[2:], 2):
        then += ms
        straight = moved(straight, PAWN_MOVES[ply], now=then)
    assert (len(game.plies), game.clock.left_ms) == (len(PAWN_MOVES), straight.clock.left_ms)


def test_a_game_without_limit_takes_back_without_a_clock():
    game = taken_back(moved(live_game(control=TimeControl.unlimited()), "e2e4"), WHITE)
    assert (game.deadline, game.clock.turn) == (None, None)


def test_positions_taken_back_do_not_count_as_occurrences():
    game = moved(live_game(), "g1f3 g8f6 f3g1 f6g8")
    for _ in range(3):
        game = moved(taken_back(game, BLACK), "f6g8")
        assert game.outcome is None, "the start stands on the board for the second time only"
    assert moved(game, "g1f3 g8f6 f3g1 f6g8").outcome == Outcome(None, "repetition")


def test_a_draw_offer_earned_by_a_move_taken_back_is_not_earned_twice():
    game = moved(running_game(), "g1f3 b8c6 f1b5")
    game = after(game, MakeOffer(WHITE, DRAW), DeclineOffer(BLACK, 1))
    game = taken_back(game, WHITE)
    with pytest.raises(NotAllowed):
        play(game, MakeOffer(WHITE, DRAW), START)
    assert after(moved(game, "f1c4"), MakeOffer(WHITE, DRAW)).offers


def test_after_three_refusals_no_takeback_may_be_asked_until_one_is_granted():
    game = running_game()
    for offer in (1, 2, 3):
        game = after(game, MakeOffer(WHITE, TAKEBACK), DeclineOffer(BLACK, offer))
    with pytest.raises(NotAllowed):
        play(game, MakeOffer(WHITE, TAKEBACK), START)
    game = replace(game, offer_limits=replace(game.offer_limits, takebacks=(2, 3)))
    game = taken_back(moved(game, "g1f3 b8c6"), WHITE)
    assert game.offer_limits.takebacks == (0, 3)
