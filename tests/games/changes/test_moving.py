"""Moves: who may play which when, what the clock does, and that the game ends by itself where the board ends it."""

import random
from dataclasses import fields, replace

import pytest

from server.games.append_only import AppendOnlySequence, RepetitionHistory
from server.games.changes.playing import MAX_PLIES, PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import AlreadyPlayed, BadMove, GameOver, NotYourTurn, Stale
from server.games.events import Moved
from server.games.game import play
from server.games.state import Game
from server.games.status import Status
from server.rules.endings import Outcome
from server.rules.movegen.legal import KEY_BYTES, legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from tests.support.games import (
    BLACK,
    START,
    WHITE,
    at_position,
    kinds,
    live_game,
    moved,
    open_game,
    over_game,
    running_game,
)
from tests.support.rules.built_in import VARIANTS


@pytest.mark.parametrize(
    ("color", "uci", "ply", "refusal"),
    [
        (BLACK, "e7e5", 2, NotYourTurn),
        (WHITE, "g1f3", 3, Stale),
        (WHITE, "g1f3", 0, Stale),
        (WHITE, "d2d4", 0, Stale),
        (BLACK, "e2e4", 0, Stale),
        (WHITE, "g1f3", -1, Stale),
        (WHITE, "e4e5", 2, BadMove),
        (WHITE, "e2e4", 2, BadMove),
        (WHITE, "N@e4", 2, BadMove),
        (WHITE, "nonsense", 2, BadMove),
        (WHITE, "", 2, BadMove),
        (WHITE, "e2e4", 0, AlreadyPlayed),
        (BLACK, "e7e5", 1, AlreadyPlayed),
    ],
)
def test_a_move_that_cannot_be_played_is_refused_and_changes_nothing(color, uci, ply, refusal):
    game = running_game()
    before = replace(game)
    with pytest.raises(refusal):
        play(game, PlayMove(color, uci, ply), START + 1_000)
    assert game == before


def test_a_finished_game_takes_no_move_but_recognises_its_last_one():
    game = over_game()
    with pytest.raises(GameOver):
        play(game, PlayMove(WHITE, "e1f2", 4), START)
    with pytest.raises(AlreadyPlayed):
        play(game, PlayMove(BLACK, "d8h4", 3), START)


def test_two_different_moves_for_one_ply_the_first_stands():
    game = moved(running_game(), "g1f3")
    with pytest.raises(Stale):
        play(game, PlayMove(WHITE, "d2d4", 2), START)


def test_a_move_event_has_its_notation_and_the_game_changes_once():
    game = running_game()
    after, events = play(game, PlayMove(WHITE, "g1f3", 2, lag_ms=200), START + 1_000)
    assert events == (Moved(WHITE, 2, "g1f3", "Nf3", 200, after.position),)
    assert after.rev == game.rev + 1
    assert (after.plies[2].uci, after.plies[2].san, after.plies[2].given_back) == ("g1f3", "Nf3", 200)
    assert after.plies[2].left_ms == 300_000 - 800 + 3_000


def test_the_first_moves_are_untimed_and_the_second_starts_the_clock():
    game = moved(live_game(), "e2e4", now=START + 9_000)
    assert game.clock.turn is None
    game = moved(game, "e7e5", now=START + 20_000)
    assert (game.clock.turn, game.clock.since, game.clock.left_ms) == (WHITE, START + 20_000, (300_000, 300_000))
    assert [ply.left_ms for ply in game.plies] == [300_000, 300_000]


def test_with_days_for_each_move_it_is_recorded_what_was_left_of_them():
    game = running_game(control=TimeControl.correspondence(2))
    assert game.deadline == START + 2 * DAY_MS
    game = moved(game, "g1f3", now=START + DAY_MS)
    game = moved(game, "b8c6", now=START + DAY_MS + 5)
    assert [ply.left_ms for ply in game.plies] == [2 * DAY_MS, 2 * DAY_MS, DAY_MS, 2 * DAY_MS - 5]
    assert game.deadline == START + 3 * DAY_MS + 5


def test_without_a_clock_no_times_are_recorded():
    assert [ply.left_ms for ply in moved(running_game(control=TimeControl.unlimited()), "g1f3").plies] == [None] * 3


def test_a_move_after_the_time_ends_the_game_and_is_not_played():
    game = running_game()
    over, events = play(game, PlayMove(WHITE, "g1f3", 2), START + 300_000)
    assert kinds(events) == ["Ended"]
    assert (over.outcome, over.result, len(over.plies)) == (Outcome(BLACK, "time"), "0-1", 2)


def test_a_black_side_may_begin_from_a_position():
    fen = "4k3/8/8/8/8/8/4P3/4K2R b K - 3 40"
    game = moved(live_game(fen=fen), "e8d7 e2e4")
    assert [game.mover_of(ply) for ply in range(3)] == [BLACK, WHITE, BLACK]
    assert game.clock.turn is BLACK


class TestEndings:
    def test_mate(self):
        game = over_game()
        assert (game.outcome, game.result, game.ended) == (Outcome(BLACK, "checkmate"), "0-1", START)
        assert game.deadline is None

    def test_stalemate(self):
        game = moved(at_position("7k/8/5QK1/8/8/8/8/8 w - - 0 1"), "f6f7")
        assert (game.outcome, game.result) == (Outcome(None, "stalemate"), "1/2-1/2")

    def test_too_little_material(self):
        game = moved(at_position("8/8/8/3k4/8/8/3pK3/8 w - - 0 1"), "e2d2")
        assert game.outcome == Outcome(None, "insufficient")

    def test_a_third_occurrence_needs_no_claim(self):
        game = live_game()
        for _ in range(2):
            assert game.outcome is None
            game = moved(game, "g1f3 g8f6 f3g1 f6g8")
        assert game.outcome == Outcome(None, "repetition")
        assert len(game.plies) == 8

    def test_the_move_rule_needs_no_claim(self):
        game = moved(at_position("4k3/7r/8/8/8/8/R7/4K3 w - - 98 90"), "a2b2")
        assert game.outcome is None
        assert moved(game, "h7g7").outcome == Outcome(None, "move-rule")

    def test_a_mate_on_the_last_move_of_the_rule_is_a_mate(self):
        game = moved(at_position("7k/5Q2/6K1/8/8/8/8/8 w - - 99 90"), "f7h7")
        assert game.outcome == Outcome(WHITE, "checkmate")

    def test_a_bare_king_where_that_loses(self):
        fen = "11k/12/12/12/12/12/12/12/12/12/p11/K4R6 w - - 0 1"
        game = moved(at_position(fen, variant="acedrex"), "a1a2")
        assert game.outcome == Outcome(WHITE, "bare-king")

    def test_the_longest_game_is_drawn(self):
        game = at_position("4k3/7r/8/8/8/8/R7/4K3 w - - 0 1")
        filler = moved(game, "a2b2").plies
        game = replace(
            game,
            plies=AppendOnlySequence(filler[:] * (MAX_PLIES - 2)),
            keys=RepetitionHistory((b"other".ljust(KEY_BYTES),) * (MAX_PLIES - 1)),
        )
        game = moved(game, "a2b2")
        assert game.outcome is None
        assert moved(game, "h7g7").outcome == Outcome(None, "move-rule")


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_any_game_of_any_variant_can_be_played_and_replayed(variant, seed):
    rng = random.Random(seed)
    game = live_game(variant=variant)
    for _ in range(40):
        if game.status is Status.OVER:
            break
        move = rng.choice(legal_moves(game.position))
        game = moved(game, move.uci)
    again = moved(live_game(variant=variant), " ".join(ply.uci for ply in game.plies))
    assert format_fen(again.position) == format_fen(game.position)
    assert again == game
    assert len(game.keys) == len(game.plies) + 1


def test_a_game_keeps_no_old_positions():
    game = moved(live_game(), "g1f3 g8f6 b1c3 b8c6 e2e4 e7e5")
    held = [value for field in fields(Game) if isinstance(value := getattr(game, field.name), Position)]
    assert held == [game.position]
    assert not any(isinstance(entry, Position) for entry in game.plies)


def test_time_for_the_disk_is_given_back_to_the_side_that_waited_for_the_move():
    game = moved(running_game(), "g1f3", now=START + 4_000)
    shown = game.with_turn_from(START + 4_600)
    assert shown.rev == game.rev
    assert shown.clock.remaining(BLACK, START + 5_000) == 300_000 - 400
    assert shown.clock.remaining(WHITE, START + 5_000) == game.clock.remaining(WHITE, START + 5_000)
    assert shown.deadline == game.deadline + 600


def test_an_unstarted_or_open_game_is_shown_as_it_is():
    for game in (moved(live_game(), "e2e4"), moved(open_game(), "e2e4"), over_game()):
        assert game.with_turn_from(START + 600) == game
