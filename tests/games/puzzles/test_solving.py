"""How the moves of somebody who solves a puzzle are judged, and what an answer gives away."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.puzzles import InvalidPuzzle, Theme, judge_moves, prove_puzzle, puzzle_id, solution, themes_of
from server.rules.errors import IllegalMove, InvalidMove, RulesError
from server.rules.movegen.legal import is_mate, legal_ucis, play
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.uci import parse_uci
from tests.support.puzzles import SMOTHERED
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS

CHESS = VARIANTS["chess"]
FIRST, REPLY, LAST = SMOTHERED.line
TWO_MATES = replace(SMOTHERED, fen="7k/8/6K1/8/8/8/8/Q2R4 w - - 0 1", line=("d1d8",))


def test_the_solution_solves_it_move_by_move():
    first = judge_moves(SMOTHERED, CHESS, [FIRST])
    assert (first.right, first.solved, first.after.move.uci, first.reply.move.uci) == (True, False, FIRST, REPLY)
    assert format_fen(first.reply.position) == format_fen(solution(SMOTHERED, CHESS)[1].position)
    last = judge_moves(SMOTHERED, CHESS, [FIRST, LAST])
    assert (last.right, last.solved, last.reply) == (True, True, None)
    assert is_mate(last.after.position)


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=3))
def test_no_answer_holds_a_move_that_was_not_found(choices):
    """Whatever somebody plays: they are shown their own move, and a reply only to a right one that is not the last."""
    position, moves = parse_fen(CHESS, SMOTHERED.fen, False), []
    for number, choice in enumerate(choices):
        legal = legal_ucis(position)
        finds = choice % 3 > 0 and number < 2
        moves.append(SMOTHERED.line[2 * number] if finds else legal[choice % len(legal)])
        verdict = judge_moves(SMOTHERED, CHESS, moves)
        found = moves == list(SMOTHERED.line[: 2 * number + 1 : 2])
        assert verdict.after.move.uci == moves[-1]
        assert verdict.right == found
        assert verdict.solved == (moves == [FIRST, LAST])
        assert (verdict.reply is not None) == (found and not verdict.solved)
        if verdict.reply is None:
            return
        position = verdict.reply.position


def test_another_mate_solves_it_too():
    solving = set()
    for uci in legal_ucis(parse_fen(CHESS, TWO_MATES.fen, False)):
        verdict = judge_moves(TWO_MATES, CHESS, [uci])
        assert verdict.solved == is_mate(verdict.after.position), uci
        solving |= {uci} if verdict.solved else set()
    assert {"d1d8", "a1a8"} <= solving


@pytest.mark.parametrize(
    ("moves", "error"), [(["x"], InvalidMove), (["a1a2"], IllegalMove), ([FIRST, FIRST], IllegalMove)]
)
def test_a_move_that_cannot_be_made_is_refused(moves, error):
    with pytest.raises(error):
        judge_moves(SMOTHERED, CHESS, moves)


@pytest.mark.parametrize(
    "change",
    [
        {"line": (FIRST, REPLY)},
        {"line": (FIRST, REPLY, "h6g8")},
        {"line": (FIRST, "h8g8", LAST)},
        {"line": (FIRST,)},
        {"themes": frozenset({Theme.ADVANTAGE})},
        {"themes": SMOTHERED.themes | {Theme.DROP}},
    ],
)
def test_what_the_rules_do_not_confirm_is_no_puzzle(change):
    prove_puzzle(SMOTHERED, CHESS)
    with pytest.raises((InvalidPuzzle, RulesError)):
        prove_puzzle(replace(SMOTHERED, **change), CHESS)


def test_a_line_that_goes_on_after_the_end_or_draws_is_no_puzzle():
    fen, themes = "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", frozenset({Theme.STALEMATE})
    stalemate = replace(SMOTHERED, fen=fen, line=("c1c7",), themes=themes)
    with pytest.raises(InvalidPuzzle, match="does not win"):
        prove_puzzle(stalemate, CHESS)


def test_themes_come_from_what_is_played():
    def themes(variant, fen, *line):
        return themes_of(parse_fen(EVERY_VARIANT[variant], fen, False), line)

    assert themes("chess", "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "a7a8q") == {Theme.PROMOTION, Theme.ADVANTAGE}
    assert themes("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1") == {Theme.CASTLING, Theme.ADVANTAGE}
    assert themes("crazyhouse", "7k/8/6K1/8/8/8/8/8[Q] w - - 0 1", "Q@g7") == {Theme.DROP, Theme.MATE}
    assert themes("kingofthehill", "6k1/8/8/8/8/3K4/8/8 w - - 0 1", "d3e4") == {Theme.GOAL}
    assert themes("3check", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "a1a8") == {Theme.CHECKS}


def test_an_id_says_nothing_of_the_game_and_is_the_same_each_time():
    assert puzzle_id("game", 5) == puzzle_id("game", 5) != puzzle_id("game", 6)
    assert "game" not in puzzle_id("game", 5)


def test_the_solution_is_played_in_full():
    position = parse_fen(CHESS, SMOTHERED.fen, False)
    for uci, reached in zip(SMOTHERED.line, solution(SMOTHERED, CHESS), strict=True):
        position = play(position, parse_uci(position, uci))
        assert (reached.move.uci, reached.position) == (uci, position)
