"""Finding puzzles, with somebody who thinks of mates in one and of nothing else; the engine itself is in tests/cli."""

import random

import pytest

from server.games.puzzle_mining import NOT_WON, WON, Played, Thought, only_winning_move, puzzles_in, winning_line
from server.games.puzzles import Theme, judge_moves, prove_puzzle, wins_at_once
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play, repetition_key
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.uci import parse_uci
from tests.support.rules.built_in import VARIANTS

CHESS = VARIANTS["chess"]


class MateSeer:
    """Sees what wins at once, and what lets the other side win at once; the rest is even."""

    def look(self, position, nodes, lines):
        thoughts = [self._thought(position, move) for move in legal_moves(position)]
        return sorted(thoughts, key=lambda one: (-one.chances, one.move))[:lines]

    def _thought(self, position, move):
        after = play(position, move)
        if wins_at_once(after):
            return Thought(move.uci, 0, 1)
        return Thought(move.uci, 0, None)


class Scripted:
    """Says what it was given for each position: moves and scores, the best first."""

    def __init__(self, *scripts):
        self._scripts = dict(scripts)
        self.asked = []

    def look(self, position, nodes, lines):
        self.asked.append((nodes, lines))
        said = self._scripts.get(repetition_key(position)) or [(move.uci, 0) for move in legal_moves(position)]
        return [Thought(move, score, None) for move, score in said][:lines]


def chess(fen):
    return parse_fen(CHESS, fen, False)


OPEN = chess("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1")


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_found_in_random_games_is_proven_by_the_rules(variant):
    for seed in range(2):
        draw = random.Random(seed)
        positions, moves = [start_position(VARIANTS[variant])], []
        while outcome(positions[-1]) is None and len(moves) < 60:
            moves.append(draw.choice(legal_moves(positions[-1])).uci)
            positions.append(play(positions[-1], parse_uci(positions[-1], moves[-1])))
        for puzzle in puzzles_in(Played(f"g{seed}", positions, moves), MateSeer(), 16, 7):
            prove_puzzle(puzzle, VARIANTS[variant])
            assert puzzle.last == moves[puzzle.ply - 1]
            assert judge_moves(puzzle, VARIANTS[variant], [puzzle.line[0]]).solved


def test_a_missed_mate_is_found_where_it_was_let_in():
    moves = ["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"]
    positions = [start_position(CHESS)]
    for uci in moves:
        positions.append(play(positions[-1], parse_uci(positions[-1], uci)))
    (puzzle, *others) = puzzles_in(Played("game", positions, moves), MateSeer(), 16, 7)
    assert (puzzle.ply, puzzle.last, puzzle.line, puzzle.themes) == (3, "g2g4", ("d8h4",), {Theme.MATE})
    assert not others, "the mate was missed twice"


def test_a_move_is_the_only_one_if_all_others_are_clearly_worse():
    def only(best, second):
        return only_winning_move(OPEN, Scripted((repetition_key(OPEN), [("a1a8", best), ("h1h8", second)])), 100)

    assert only(600, 0) == "a1a8"
    assert only(600, 200) is None, "the other one wins, too"
    assert only(200, -500) is None, "nothing wins"
    assert WON > NOT_WON


def test_mates_count_as_one_move_and_only_if_nothing_else_wins():
    two_mates = chess("7k/8/6K1/8/8/8/8/Q2R4 w - - 0 1")
    assert wins_at_once(play(two_mates, parse_uci(two_mates, only_winning_move(two_mates, MateSeer(), 100))))
    many = chess("k7/8/1K6/8/8/8/8/QQRRQQ2 w - - 0 1")
    assert only_winning_move(many, MateSeer(), 100) is None, "more than are compared"


def test_a_move_that_a_deeper_search_does_not_confirm_makes_no_puzzle():
    class Wavering(Scripted):
        def look(self, position, nodes, lines):
            self.asked.append(nodes)
            best, other = ("a1a8", "h1h8") if nodes == 100 else ("h1h8", "a1a8")
            return [Thought(best, 600, None), Thought(other, 0, None)]

    wavering = Wavering()
    assert winning_line(OPEN, wavering, 100) == []
    assert wavering.asked == [100, 400]


def test_to_take_what_stands_there_is_no_puzzle():
    hanging = chess("4k3/8/8/8/8/8/3q4/R2K3R w - - 0 1")
    taking = Scripted((repetition_key(hanging), [("d1d2", 700), ("d1e2", -700)]))
    assert winning_line(hanging, taking, 100) == []
    quiet = Scripted((repetition_key(OPEN), [("e2e4", 700), ("e2e3", 0)]))
    assert winning_line(OPEN, quiet, 100) == ["e2e4"]


def test_a_forced_move_neither_begins_nor_ends_a_line():
    forced = chess("7k/8/8/8/8/8/5q2/7K w - - 0 1")
    assert winning_line(forced, Scripted(), 100) == []
    checked = chess("7k/6pp/8/8/8/8/8/K6R w - - 0 1")
    script = Scripted((repetition_key(checked), [("h1h7", 900), ("a1a2", 0)]))
    assert winning_line(checked, script, 100) == []
