"""Files of several games: where each begins and ends, whatever they were written by, and in how short steps."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.errors import InvalidPgn
from server.rules.notation import pgn
from server.rules.notation.pgn import PgnGame
from server.rules.notation.pgn_file import MOST_MIXED, decode_pgn, split_games
from server.rules.sliced_work import run_at_once
from tests.support.machine_speed import costs_at_most
from tests.support.rules.pgn_texts import as_pgn, read_pgn
from tests.support.rules.vectors import GAME_FILES, records

MOST = 500
STEP = 20
"""Units of computing that one step may take, as live games wait for it. It needs a quarter of that."""
MILLION = 1_000_000


def split(text, most=MOST):
    return run_at_once(split_games(text, most))


def texts(text):
    return [game.text.strip() for game in split(text)]


@pytest.mark.slow
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_recorded_games_of_every_variant_in_one_file_are_separated_again(variants, line_break):
    games = [game for name in GAME_FILES for game in records(name)[:2]]
    file = "\n".join(as_pgn(variants, game, White="Zoë") for game in games)
    body = ("\ufeff" + file.replace("\n", line_break)).encode()
    pieces = split(decode_pgn(body))
    assert [piece.number for piece in pieces] == list(range(1, len(games) + 1))
    for piece, game in zip(pieces, games, strict=True):
        read = read_pgn(piece.text, variants)
        assert (read.variant.id, len(read.moves), read.tags["White"]) == (game["variant"], len(game["moves"]), "Zoë")
        assert file.split("\n")[piece.line - 1].startswith("[Event ")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("", []),
        (" \n\n", []),
        ("1. e4 e5 *", ["1. e4 e5 *"]),
        ('[A "1"]\n\n1. e4 *\n[A "2"]\n\n1. d4 *', ['[A "1"]\n\n1. e4 *', '[A "2"]\n\n1. d4 *']),
        ('[A "1"]\n\n[A "2"]\n1. d4 *', ['[A "1"]', '[A "2"]\n1. d4 *']),
        ('[A "1"]\n1. e4 {\n[B "not a tag"]\n} e5 *', ['[A "1"]\n1. e4 {\n[B "not a tag"]\n} e5 *']),
        ('[A "1"]\n1. e4 {[%clk 0:01:00]\n[%eval 0.1]} *', ['[A "1"]\n1. e4 {[%clk 0:01:00]\n[%eval 0.1]} *']),
        ('[A "1"]\n1. e4 {open\n[Event "2"]\n1. d4 *', ['[A "1"]\n1. e4 {open', '[Event "2"]\n1. d4 *']),
        ('[A "1"]\n1. e4 ; {open\n[A "2"]\n1. d4 *', ['[A "1"]\n1. e4 ; {open', '[A "2"]\n1. d4 *']),
        ('%[A "0"]\n[A "1"]\n1. e4 *', ['[A "1"]\n1. e4 *']),
        ('1. e4 *\n[A "2"]\n1. d4 *', ["1. e4 *", '[A "2"]\n1. d4 *']),
        ('1. e4 *\nRemark "fine"\n[A "2"]\n1. d4 *', ['1. e4 *\nRemark "fine"', '[A "2"]\n1. d4 *']),
        ('1. e4 *\nRemark\t"fine"\n[A "2"]\n1. d4 *', ['1. e4 *\nRemark\t"fine"', '[A "2"]\n1. d4 *']),
        ("1. e4 e5 1-0\n\n1. d4 d5 0-1", ["1. e4 e5 1-0", "1. d4 d5 0-1"]),
        ("1. e4 1-0 1. d4 0-1 {so} 1. c4 *", ["1. e4 1-0", "1. d4 0-1 {so}", "1. c4 *"]),
        ("1. e4 1-0 <1. d4 d5 *", ["1. e4 1-0 <", "1. d4 d5 *"]),
        ("1. e4 1-0 &&1. d4 d5 *", ["1. e4 1-0 &&", "1. d4 d5 *"]),
        ("1. e4 e5\n\n 1. d4 d5", ["1. e4 e5", "1. d4 d5"]),
        ("1. e4 (1. d4 1-0) e5 *\ne4", ["1. e4 (1. d4 1-0) e5 *", "e4"]),
        ("1. e4 (\n1. d4 d5)\n1... e5 *", ["1. e4 (\n1. d4 d5)\n1... e5 *"]),
        ("1. e4 (1. d4)\n1. ... e5\n10. d4 *", ["1. e4 (1. d4)\n1. ... e5\n10. d4 *"]),
        ("{so}\n1. e4 *", ["{so}\n1. e4 *"]),
        ('1. e4 1-0\n[A "2"]\n\n1. d4 *\n1. c4', ["1. e4 1-0", '[A "2"]\n\n1. d4 *', "1. c4"]),
    ],
)
def test_where_games_begin(text, games):
    assert texts(text) == games


def test_no_game_begins_in_a_long_comment_or_a_long_word():
    long_comment = "1. e4 {" + "a\n1. d4 1-0\n" * 5_000 + "} e5 *"
    long_word = "1. " + "a" * 255 + "1-0 e4 1-0"
    assert texts(f"{long_comment}\n{long_word}") == [long_comment, long_word]


def test_files_in_any_usual_encoding_are_read():
    for encoding in ("latin-1", "cp1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        assert decode_pgn('[White "Müller"]\r\n'.encode(encoding)) == '[White "Müller"]\n'
    assert decode_pgn("‘e4’ – 1–0".encode("cp1252")) == "‘e4’ – 1–0"
    assert decode_pgn(b"\x81\xff") == "\x81ÿ"
    assert decode_pgn(b"1. e4 *\r\n\x1a\x00\x00") == "1. e4 *\n"
    assert decode_pgn(b"") == decode_pgn(b"\x00\x00") == ""


def test_a_line_in_another_encoding_spoils_no_other_line():
    lines = ["Zoë", "Müller", "Jörg ♘", "Ann"]
    body = b"\n".join(line.encode("cp1252" if line == "Müller" else "utf-8") for line in lines)
    assert decode_pgn(body).split("\n") == lines
    many = "ä\n" * (3 * MOST_MIXED)
    assert decode_pgn(many.encode("cp1252")) == many


def test_at_most_one_game_more_than_asked_is_cut_out():
    assert len(split('[A "1"]\n1. e4 *\n' * 50, 3)) == 4


hostile = st.lists(
    st.sampled_from(['[Event "x"]', '[Variant "Grand"]', "[", "]", "{", "}", "(", ")", ";", "%", "\n", " ", "1.", "e4"])
    | st.sampled_from(
        ["e5", "Nf3", "O-O", "P@e4", "1-0", "*", "$5", "!?", '"', "\\", "\x00", "\ufeff", "½-½", "[%clk 0:00:01]"]
    )
    | st.text(max_size=5),
    max_size=60,
).map("".join)


@pytest.mark.slow
@given(text=hostile)
def test_any_text_gives_games_or_reasons(variants, text):
    pieces = split(decode_pgn(text.encode("utf-8", "replace")))
    assert sum(piece.text.count("\n") for piece in pieces) <= text.count("\n") + text.count("\r")
    for piece in pieces:
        with suppress(InvalidPgn):
            assert isinstance(read_pgn(piece.text, variants), PgnGame)


@given(body=st.binary(max_size=200))
def test_any_bytes_can_be_read_as_text(body):
    assert isinstance(decode_pgn(body), str)


@pytest.mark.parametrize("body", [b"\xff\n" * (MOST_MIXED // 2) + b"a" * MILLION, b"\xff\n" * (MILLION // 2)])
def test_a_file_of_mixed_lines_is_decoded_as_fast_as_any(body):
    def cpu_s():
        begun = time.thread_time()
        decode_pgn(body)
        return time.thread_time() - begun

    assert any(costs_at_most(cpu_s(), 40) for _ in range(3))


@pytest.mark.parametrize("row", ["<", "</", "<a", "<1", "<1 ", "O<", "&", "[", "}", ")(", "\r"])
def test_a_row_of_signs_costs_little_more_than_words(row):
    def cpu_s():
        begun = time.thread_time()
        run_at_once(split_games(row * (60_000 // len(row)), MOST))
        return time.thread_time() - begun

    assert any(costs_at_most(cpu_s(), 200) for _ in range(3))


KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")


def unspaced(plies, between="", numbered=True):
    """Knights that go out and back, without a space."""
    numbers = [f"{ply // 2 + 1}." if numbered and ply % 2 == 0 else "" for ply in range(plies)]
    return between.join(number + KNIGHTS[ply % 4] for ply, number in enumerate(numbers))


@pytest.mark.parametrize("line", [("",), (",",), (",", False), ("|", False)])
@pytest.mark.parametrize("plies", [40, 400, 4_000])
def test_a_line_without_spaces_is_read_whole_and_costs_as_much_for_each_move(variants, line, plies):
    def cpu_s():
        begun = time.thread_time()
        game = read_pgn(f"{unspaced(plies, *line)} 1-0", variants)
        assert (len(game.moves), game.result, {mend.id for mend in game.mends}) == (plies, "1-0", {"joined"})
        return time.thread_time() - begun

    assert any(costs_at_most(cpu_s(), max(200, plies)) for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        unspaced(5_000),
        unspaced(5_000, ",", False),
        f"1. e4 ({unspaced(1_000)[2:]}",
        "1." + "e4e5" * (MILLION // 4),
        "e4,e5," * (MILLION // 6),
        "{" * MILLION,
        "{a}" * (MILLION // 3),
        "{" + "\n" * MILLION,
        "(" * MILLION,
        "()" * (MILLION // 2),
        "1" * MILLION,
        "e4 " * (MILLION // 3),
        ";\n" * (MILLION // 2),
        " " * MILLION,
        "\n " * (MILLION // 2),
        '[A "' + "\\" * MILLION,
        '[A "b"]\n' * (MILLION // 8),
        '[A "b"]\ne4\n' * (MILLION // 11),
        "[%clk 0:00:" * (MILLION // 11),
        "{[%clk 0:00:" + " " * MILLION + "}",
        '[A ""]' * (MILLION // 6),
        '[A "' + '\\"' * (MILLION // 2) + '"]',
        "e4 (" * (MILLION // 4),
        "1. e4 " + "(1. d4) " * (MILLION // 8),
        "1. e4 " + "{a} $1 " * (MILLION // 7),
        "1. e4 " + "$1 " * (MILLION // 3),
        "1. e4 {" + "[%clk   " * (MILLION // 8) + "}",
        "1. e4 (" + "{" + "[%clk " * 300 + "0:00:01] " + "0:00:01]" * 299 + "}" + "1. d4)",
        "1. e4 (1. zz " + "{" * (MILLION // 10),
        "1. e4 (1. zz " + "{}" * (MILLION // 2) + ") *",
        "1. e4 -- " + "[" * 90_000,
        "1. e4 " + "foo " * (MILLION // 4),
        "1. e4 " + "!*" * (MILLION // 2) + "e5",
        "1. e4 " + "{x 1... e5 {" * (MILLION // 12),
        "1. e4 " + "e5±○" * (MILLION // 4),
        '[Event "a\n' * (MILLION // 10),
        "1. e4 *\n" + "foo bar\n\n" * (MILLION // 9),
        "1. e4 *\n\n" + "[x]\n\n" * (MILLION // 5),
        "".join(f'{{}}\n\n[a{number} "x"]' for number in range(MILLION // 16)),
    ],
    ids=lambda text: repr(text[:11]),
)
def test_a_bomb_is_read_in_short_steps(variants, text):
    assert any(costs_at_most(longest_step(variants, text), STEP) for _ in range(3))


def test_few_but_long_words_are_cut_up_with_pauses_too():
    assert sum(1 for _ in split_games(("a" * 250 + " ") * 4_000, MOST)) > 30


def longest_step(variants, text):
    """Seconds of this thread's own time in the longest step of cutting and reading."""
    longest, begun = 0.0, time.thread_time()

    def run(steps):
        nonlocal longest, begun
        while True:
            begun = time.thread_time()
            try:
                next(steps)
            except StopIteration as end:
                return end.value
            finally:
                longest = max(longest, time.thread_time() - begun)

    for piece in run(split_games(text, MOST)):
        try:
            run(pgn.read_pgn(piece.text, variants))
        except InvalidPgn:
            continue
    return longest
