"""Every lesson that comes with the site, proved by the rules: each step can be done, and not by every move; whoever is
wrong is told why.
"""

from dataclasses import replace

from server.language import english
from server.rules.endings import Reason, outcome
from server.rules.lesson.judging import solutions, why_not
from server.rules.lesson.lesson import KEEP
from server.rules.lesson.lessons import lesson_of, load_lessons
from server.rules.movegen.legal import in_check, legal_moves, play, repetition_key
from server.rules.movegen.moves import Castle, Drop
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.uci import parse_uci
from tests.support.failures import failures
from tests.support.rules.built_in import VARIANTS

LESSONS = load_lessons(VARIANTS)
STEPS = {
    f"{lesson.id} {step.id}": (lesson.id, step)
    for lesson in LESSONS.values()
    for step in (*lesson.intro, *lesson.tasks)
}
MANY = 16
"""Solutions; with more, there would be nothing to find."""


def test_every_variant_and_every_960_form_has_a_lesson():
    for variant in VARIANTS.values():
        for form in {False, variant.chess960}:
            lesson = lesson_of(LESSONS, variant, form)
            assert lesson.id == variant.id + "960" * form, "a lesson of its own"
            assert 4 <= len(lesson.intro) <= 5, "two minutes"
            assert len(lesson.tasks) >= 5


def test_a_step_begins_in_a_position_in_which_a_game_can_go_on():
    def check(lesson, step):
        variant = VARIANTS[lesson.removesuffix("960")]
        fen = format_fen(step.position)
        assert repetition_key(parse_fen(variant, fen, step.position.chess960)) == repetition_key(step.position)
        assert outcome(step.position) is None
        assert step.position.side == 0, "the reader sees the board from below"

    assert failures(check, STEPS) == {}


def test_a_step_can_be_done_but_not_by_every_move():
    def check(_, step):
        found = solutions(step)
        assert 1 <= len(found) <= MANY
        assert len(found) < len(legal_moves(step.position))
        assert any(why_not(step.goal, step.position, move) is not None for move in legal_moves(step.position))

    assert failures(check, STEPS) == {}


def test_to_be_safe_and_to_hold_are_asked_only_where_some_move_is_told_so():
    def check(_, step):
        for asked in ("safe", "holds"):
            if getattr(step.goal, asked):
                without = replace(step.goal, **{asked: False})
                moves = legal_moves(step.position)
                assert any(
                    why_not(step.goal, step.position, move) != why_not(without, step.position, move) for move in moves
                )

    assert failures(check, STEPS) == {}


def test_where_the_side_of_castling_is_asked_for_the_other_side_is_wrong():
    _, step = STEPS["3check960 castle-out-of-reach"]
    assert len([move for move in legal_moves(step.position) if isinstance(move, Castle)]) == 2
    assert len(solutions(step)) == 1


def test_what_does_it_does_what_the_goal_says():
    """From the move and the position after it, without the code that judges."""

    def check(_, step):
        goal = step.goal
        for move in solutions(step):
            after = play(step.position, move)
            end = outcome(after)
            assert not goal.castles or isinstance(move, Castle)
            assert not goal.drops or isinstance(move, Drop)
            assert not goal.to or move.target in goal.to
            assert not goal.checks or in_check(after)
            assert not goal.gates or move.gate == goal.gates
            assert not goal.promotes or (move.promotion or KEEP) == goal.promotes
            assert not goal.wins or (end.reason, end.winner) == (goal.wins, step.position.turn)
            if goal.safe:
                steps = [reply for reply in legal_moves(after) if not isinstance(reply, Drop)]
                assert move.target not in {reply.target for reply in steps}
            if goal.wins == Reason.CHECKMATE:
                assert in_check(after)
                assert not legal_moves(after)

    assert failures(check, STEPS) == {}


def test_whoever_is_wrong_is_told_why_and_shown_a_reply_that_can_be_played():
    def check(_, step):
        texts = english().texts
        for move in legal_moves(step.position):
            why = why_not(step.goal, step.position, move)
            if why is None:
                continue
            said = english().plain(f"lessons.{why.id}", **why.texts, **why.pieces)
            assert f"lessons.{why.id}" in texts
            assert "{" not in said
            assert set(why.pieces.values()) <= {role.id for role in step.position.variant.roles}
            if why.reply:
                after = play(step.position, move)
                parse_uci(after, why.reply)

    assert failures(check, STEPS) == {}
