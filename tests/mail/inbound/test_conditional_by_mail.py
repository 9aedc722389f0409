"""Conditional moves by mail: what is prepared, what is played, and what the answer says."""

import random

import pytest

from server.games.clocks.time_control import TimeControl, for_color
from server.games.conditional import MAX_MOVES, steps_of, tree_from
from server.games.errors import NotAllowed
from server.language import load_words
from server.mail.inbound.answer_text import AnswerContext, answer_lines
from server.mail.inbound.intended_moves import lines_of, tree_typed
from server.mail.inbound.mail_report import MailReport
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import start_position
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from tests.support.move_trees import random_lines, steps
from tests.support.rules.built_in import VARIANTS

W, B = Color.WHITE, Color.BLACK


def sans(game):
    return [ply.san for ply in game.plies]


def keys(report):
    return [sentence.key.partition(".")[2] for sentence in report.done]


def in_san(position, line):
    for uci in line:
        move = parse_uci(position, uci)
        yield format_san(position, move)
        position = play_trusted(position, move)


def prepared(game, color):
    return [" ".join(line) for line in lines_of(game.position, for_color(game.conditional, color))]


@pytest.fixture
async def game(post, variants):
    return await post.game(variants)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.id)
def test_lines_in_san_are_the_same_tree_in_every_variant(variant, seed):
    draw = random.Random(f"{seed} {variant.id}")
    for _ in range(3):
        position = start_position(variant)
        for _ in range(draw.randrange(8)):
            moves = random_lines(position, draw, most=1, depth=1)
            position = play_trusted(position, parse_uci(position, moves[0][0])) if moves else position
        lines = random_lines(position, draw)
        written = [tuple(in_san(position, line)) for line in lines]
        tree = tree_typed(position, written)
        assert tree == tree_from(steps(lines))
        assert tree_typed(position, [tuple(line) for line in lines_of(position, tree)]) == tree


def test_of_too_many_none_is_looked_at():
    with pytest.raises(NotAllowed, match="conditional_too_many"):
        tree_typed(start_position(VARIANTS["chess"]), [("Nc6", "no move")] * (MAX_MOVES // 2 + 1))


async def test_they_follow_the_move_of_the_same_mail_and_are_played(post, game):
    report = await post.reply(game, W, "e4\nif e5 then Nf3 if Nc6 then Bb5\nif c5 then Nf3")
    assert keys(report) == ["played", "prepared"]
    await post.reply(game, B, "e5")
    await post.reply(game, B, "Nc6")
    assert sans(post.now(game)) == ["e4", "e5", "Nf3", "Nc6", "Bb5"]


async def test_they_are_prepared_while_the_opponent_is_to_move(post, game):
    await post.reply(game, W, "e4")
    assert keys(await post.reply(game, W, "if e5 then Nf3")) == ["prepared"]
    assert keys(await post.reply(game, W, "if c5 then d4\nif d5 then exd5")) == ["prepared"]
    assert prepared(post.now(game), W) == ["c5 d4", "d5 exd5"]
    assert keys(await post.reply(game, W, "if off")) == ["prepared_nothing"]
    assert prepared(post.now(game), W) == []


async def test_a_move_that_the_opponent_answers_at_once_is_answered_in_turn(post, game):
    await post.reply(game, B, "if e4 then e5 if Nf3 then Nc6")
    report = await post.reply(game, W, "e4\nif e5 then Nf3 if Nc6 then Bb5")
    assert sans(post.now(game)) == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert keys(report) == ["played", "played_since", "prepared"]
    assert report.done[1].params == {"moves": "1... e5 2. Nf3 Nc6 3. Bb5"}


@pytest.mark.parametrize(
    ("line", "why", "near"),
    [
        ("if e5 then Nf", "unreadable", "Nf3"),
        ("if e5 then Nf4", "illegal", "Nf3"),
        ("if e4 then Nf3", "illegal", "e5"),
        ("if e5 then Nf3 if Nf3 then Bb5", "illegal", "Nf6"),
    ],
)
async def test_a_bad_line_plays_and_prepares_nothing_and_says_what_is_near(post, game, line, why, near):
    report = await post.reply(game, W, f"e4\nif c5 then d4\n{line}")
    assert (report.refused.id, report.done, sans(post.now(game))) == (why, [], [])
    assert near in report.near
    assert list(report.line) == [word for word in line.split() if word not in ("if", "then")]
    assert prepared(post.now(game), W) == []


async def test_a_move_has_one_answer(post, game):
    report = await post.reply(game, W, "e4\nif e5 then Nf3\nif e5 then Nc3")
    assert (report.refused.id, sans(post.now(game))) == ("conditional_answers", [])


async def test_on_ones_own_turn_they_need_a_move_to_follow(post, game):
    assert (await post.reply(game, W, "if e5 then Nf3")).refused.id == "if_own_turn"
    assert prepared(post.now(game), W) == []


async def test_games_without_days_have_none(post, variants, node):
    untimed = (await node.rounds.get(await node.new_game(variants, control=TimeControl.unlimited()))).game
    report = await post.reply(untimed, W, "e4\nif e5 then Nf3")
    assert (report.refused.id, sans(post.now(untimed))) == ("conditional_not_by_days", [])


async def test_a_mail_that_comes_late_or_again_prepares_nothing(post, game):
    await post.reply(game, W, "e4")
    old = post.address(post.now(game), W)
    await post.hand_over(old, "if e5 then Nf3", "<1@x>")
    await post.hand_over(old, "if e5 then Nf3", "<2@x>")
    assert keys(post.answers[-1].report) == ["prepared"], "the same again does no harm"
    await post.hand_over(post.address(post.now(game), W), "if c5 then d4", "<3@x>")
    await post.hand_over(old, "if e5 then Nf3", "<4@x>")
    assert post.answers[-1].report.refused.id == "if_outdated"
    assert prepared(post.now(game), W) == ["c5 d4"]
    await post.reply(game, B, "e5")
    await post.hand_over(old, "if e5 then Nf3", "<5@x>")
    assert post.answers[-1].report.refused.id == "outdated"


async def test_they_count_as_those_entered_on_the_board(post, game):
    await post.reply(game, W, "e4")
    for _ in range(60):
        report = await post.reply(game, W, "if off")
    assert report.refused.id == "rate"


async def test_the_answer_shows_them_to_their_owner_only(post, game):
    await post.reply(game, W, "e4\nif e5 then Nf3 if Nc6 then Bb5")
    words = load_words()

    def lines(color, language="en"):
        reader = AnswerContext(
            words[language], {}, "https://x.org", lambda game, color: iter(["BOARD"]), lambda game: ""
        )
        return list(answer_lines(reader, post.now(game), color, MailReport()))

    assert "  if e5 then Nf3 if Nc6 then Bb5" in lines(W)
    assert not any("Nf3" in line for line in lines(B) if line.startswith("  "))
    assert "Tus jugadas condicionales, que nadie más ve:" in lines(W, "es")


async def test_an_own_answer_that_waits_for_its_player_is_shown_as_such(post, game):
    await post.reply(game, W, "e4")
    await post.reply(game, B, "e5")
    await post.reply(game, W, "Nf3\nif Nc6 then Bb5")
    await post.reply(game, B, "draw\nNc6")
    reader = AnswerContext(
        load_words()["en"], {}, "https://x.org", lambda game, color: iter(["BOARD"]), lambda game: ""
    )
    assert "  then Bb5" in list(answer_lines(reader, post.now(game), W, MailReport()))
    assert steps_of(for_color(post.now(game).conditional, W)) == ("f1b5",)
