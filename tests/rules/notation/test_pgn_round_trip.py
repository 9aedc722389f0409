"""What is said of a game in PGN comes back as it went: comments, glyphs, clocks and variations inside each other."""

import io
import re
from contextlib import suppress
from dataclasses import replace

import chess.pgn
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.pgn import LONGEST_COMMENT, MAX_ANNOTATION, MAX_DEPTH
from server.rules.notation.pgn_file import split_games
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.pgn_writer import write_movetext
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import run_at_once
from tests.support.rules.annotated_trees import comments, trees
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn, write_pgn
from tests.support.rules.vectors import GAME_FILES, records

pytestmark = pytest.mark.slow

plain = comments.map(lambda said: tuple(filter(None, (re.sub("[{}]", "", text) for text in said))))
"""python-chess drops comments to the end of the line, as those with braces are."""


@given(tree=trees())
def test_any_tree_of_any_variant_survives_a_round_trip(tree):
    variant, line, said = tree
    text = write_pgn({}, variant, False, variant.start_fen, line, "*", said)
    read = read_pgn(text, VARIANTS)
    assert (read.line, read.comments, read.result) == (line, said, "*")
    assert [move.uci for move in read.moves] == [move.uci for move in line]
    assert all(len(row) <= 80 or row.startswith((";", "{")) or "[" in row for row in text.splitlines())


@given(trees=st.lists(trees(depth=1), min_size=1, max_size=3))
def test_annotated_games_in_one_file_are_separated_again(trees):
    texts = [write_pgn({}, variant, False, variant.start_fen, line, "*", said) for variant, line, said in trees]
    assert [piece.text.strip() for piece in run_at_once(split_games("\n".join(texts), 10))] == [
        t.strip() for t in texts
    ]


def joined(line):
    """What python-chess keeps of a line: the comments of a move are one, its glyphs are in no order."""
    return [
        (
            *(move.san, {*move.nags}, move.clock_ms, words(move.comments), words(move.before)),
            [joined(side) for variation in move.variations for side in alternatives(variation)],
        )
        for move in line
    ]


def alternatives(variation):
    """For python-chess what replaces the first move of a variation is one more variation beside it."""
    first, *rest = variation
    yield (replace(first, variations=()), *rest)
    for other in first.variations:
        yield from alternatives(other)


def words(comments):
    return " ".join(comments).split()


@settings(max_examples=50)
@given(tree=trees(variants=("chess", "crazyhouse"), said=plain))
def test_python_chess_reads_what_is_said_and_writes_it_as_we_read_it(tree):
    variant, line, said = tree
    game = chess.pgn.read_game(io.StringIO(write_pgn({}, variant, False, variant.start_fen, line, "*", said)))
    assert not game.errors
    again = read_pgn(str(game), VARIANTS)
    assert (joined(again.line), words(again.comments)) == (joined(line), words(said))


def rewritten(read):
    return write_pgn({}, read.variant, False, read.variant.start_fen, read.line, read.result, read.comments)


@pytest.mark.parametrize("name", GAME_FILES)
def test_recorded_games_keep_their_annotations(name):
    for game in records(name)[:3]:
        variant, chess960 = VARIANTS[game["variant"]], game.get("chess960", False)
        position, line = parse_fen(variant, game["start_fen"], chess960), []
        for ply, text in enumerate(game["moves"]):
            move = parse_uci(position, text)
            other = min(legal_moves(position), key=lambda one: one.uci)
            aside = PgnMove(other.uci, format_san(position, other), (6,), None, ("or so",), (f"ply {ply}",))
            line.append(
                PgnMove(move.uci, format_san(position, move), (1,), 1_000 * ply, ("[%eval 0.1] x",), (), ((aside,),))
            )
            position = play(position, move)
        written = write_pgn({"WhiteElo": "1800"}, variant, chess960, game["start_fen"], line, game["result"], ("so",))
        read = read_pgn(written, VARIANTS)
        assert (read.line, read.comments, read.result) == (tuple(line), ("so",), game["result"])
        assert (read.tags["WhiteElo"], format_fen(read.start)) == (
            "1800",
            format_fen(parse_fen(variant, game["start_fen"], chess960)),
        )


def movetext_of(text):
    read = read_pgn(text, VARIANTS)
    return run_at_once(write_movetext(read.line, VARIANTS["chess"].start_fen, read.result, read.comments))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. e4! e5?! 2. Nf3 $1 $14 !", "1. e4 $1 e5 $6 2. Nf3 $1 $14 *"),
        ("{a} {b} 1. e4 {c} ; d } e\n e5 1-0 {over}", "{ a } { b } 1. e4 { c } ;d } e\n1... e5 { over } 1-0"),
        (
            "1. e4 ({why not} 1. d4 {x} d5) ({just words}) e5",
            "1. e4 { just words } ({ why not } 1. d4 { x } 1... d5) 1... e5 *",
        ),
        (
            "1. e4 {[%clk 0:03:00] x} e5 {[%clk 1:02:03.45]}",
            "1. e4 { [%clk 0:03:00] x } 1... e5 { [%clk 1:02:03.45] } *",
        ),
        ("1. e4 {a\n  b\tc\x00 d} *", "1. e4 { a b c d } *"),
    ],
)
def test_how_notes_are_written(text, written):
    assert movetext_of(text) == f"{written}\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "1. e4 e5 (1... -- 2. d4 {threat (big)} (2. c4 c5)) 2. Nf3",
            "1. e4 e5 { -- 2. d4 threat (big) (2. c4 c5) } 2. Nf3 *",
        ),
        ("1. e4 e5 (1... c5 2. Ke3 Nc6 {no}) 2. Nf3", "1. e4 e5 (1... c5 { Ke3 Nc6 no }) 2. Nf3 *"),
        ("1. e4 (1. d4 (1. z9 {[%clk 0:01:00]}) d5) e5", "1. e4 (1. d4 { z9 } { %clk 0:01:00 } 1... d5) 1... e5 *"),
    ],
)
def test_an_illegal_variation_is_kept_as_text(text, written):
    assert movetext_of(text) == f"{written}\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. e4 {" + "x" * LONGEST_COMMENT + " }", "comment"),
        ("1. e4 " + "{" + "x " * (LONGEST_COMMENT // 2 - 1) + "}", None),
        ("1. e4 " + ("{" + "x" * 4_000 + "}") * (MAX_ANNOTATION // 4_000 + 1), "annotations"),
        ("1. e4 " + "(1. d4)" * (MAX_ANNOTATION // 21 + 1), "annotations"),
        ("1. e4 " + "(1. d4 " * MAX_DEPTH + ")" * MAX_DEPTH, None),
        ("1. e4 " + "(1. d4 " * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), "depth"),
        ('[Annotator "' + "x" * 501 + '"]\n1. e4', "tag_long"),
        ('[A "' + '\\"' * 400_000 + '"]\n1. e4', "tag_long"),
        ('[A "1"] ' * 101 + "1. e4", "tags"),
    ],
)
def test_what_is_too_much_is_refused_with_the_reason(text, code):
    found = None
    try:
        read_pgn(text, VARIANTS)
    except InvalidPgn as refusal:
        found = refusal.id
    assert found == code


@given(text=st.text(alphabet="1.e4d5 {}()$!?;\n[%clk 0:01]*-", max_size=80))
@example(text="1. e4 {[%clk\0 0:05:00]}")
@example(text="1. e4 ({[%clk [%clk 0:05:00] 0:06:00]}) e5")
def test_reading_what_was_written_changes_nothing(text):
    with suppress(InvalidPgn):
        read = read_pgn(text, VARIANTS)
        again = read_pgn(rewritten(read), VARIANTS)
        assert (again.line, again.comments, again.result) == (read.line, read.comments, read.result)
