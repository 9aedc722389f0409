"""PGN: what we write, others can read; what others write, with all its ornaments, we read; the rest is refused."""

import io
import random
import re
from pathlib import Path

import chess.pgn
import pytest

from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import play
from server.rules.notation.pgn import LONGEST_COMMENT, LONGEST_FOREIGN, MAX_PLIES, MAX_TEXT, nags_of
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.san import format_san
from tests.support.rules.pgn_texts import as_pgn, read_pgn, write_pgn
from tests.support.rules.vectors import GAME_FILES, records

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", GAME_FILES)
def test_a_game_written_and_read_is_the_same(variants, name):
    for game in records(name)[:4]:
        read = read_pgn(as_pgn(variants, game, White="Ann"), variants)
        position, ucis = read.start, []
        for move in read.moves:
            ucis.append(move.uci)
            position = play(position, move)
        assert ucis == game["moves"]
        assert (read.variant.id, read.chess960) == (game["variant"], game.get("chess960", False))
        assert (read.result, read.tags["White"]) == (game["result"], "Ann")


@pytest.mark.parametrize("name", ["chess", "chess960", "crazyhouse", "crazyhouse960"])
def test_python_chess_reads_what_we_write(variants, name):
    for game in records(name)[:4]:
        read = chess.pgn.read_game(io.StringIO(as_pgn(variants, game)))
        assert not read.errors
        chess960 = game["chess960"]
        board = read.board()
        for move, uci in zip(read.mainline_moves(), game["moves"], strict=True):
            assert board.uci(move, chess960=chess960) == uci
            board.push(move)


def sans_of(text, variants):
    """What the moves of a PGN are called by us."""
    game = read_pgn(text, variants)
    position, sans = game.start, []
    for move in game.moves:
        sans.append(format_san(position, move))
        position = play(position, move)
    return sans


@pytest.mark.parametrize(
    ("text", "sans"),
    [
        ("", []),
        ("*", []),
        ("1. e4 e5 2. Nf3 *", ["e4", "e5", "Nf3"]),
        ("1.e4 e5 2.Nf3", ["e4", "e5", "Nf3"]),
        ("1. e4! e5?! $14 2. Nf3!! 1-0", ["e4", "e5", "Nf3"]),
        ("1. e4 {best ( by test} e5 ; rest ) of line\n2. Nf3", ["e4", "e5", "Nf3"]),
        ("1. e4 {[%clk 0:03:00]} 1... e5 {[%eval 0.2] [%cal Ge2e4]} 2. Nf3", ["e4", "e5", "Nf3"]),
        ("1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) 1... e5", ["e4", "e5"]),
        ("% an escaped line\n1. e4 e5", ["e4", "e5"]),
        ('\ufeff[Event "x"]\r\n\r\n1. e4\r\ne5\r\n1/2-1/2\r\n', ["e4", "e5"]),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6", ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O", "Nf6"]),
        ("1. e4 f6 2. d4 g5 3. Qh5 1-0", ["e4", "f6", "d4", "g5", "Qh5#"]),
        ('[A "a"] [B "b"] 1. e4', ["e4"]),
        ('[Variant "crazyhouse"] 1. e4 d5 2. exd5 Qxd5 3. @e4', ["e4", "d5", "exd5", "Qxd5", "P@e4"]),
        ('[Variant "S-Chess"] 1. Nc3/H', ["Nc3/H"]),
    ],
)
def test_what_others_write_is_read(variants, text, sans):
    assert sans_of(text, variants) == sans


@pytest.mark.parametrize(
    ("text", "ply"),
    [
        ("1. e5 e6 2. d4", 0),
        ("1. Nxh9", 0),
        ('[FEN "4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1"] 1. Nc3', 0),
        ("1. e4 1-0 1. d4", None),
        ('1. e4 1-0 [Event "next"]', None),
        ('[Variant "Hexagonal"] 1. e4', None),
        ('[FEN "rubbish"] 1. e4', None),
        ("e4 e5 Ke2 Ke7 Ke1 Ke8 " + "Ke2 Ke7 Ke1 Ke8 " * (MAX_PLIES // 4), None),
        (" " * MAX_TEXT + "1. e4", None),
    ],
)
def test_text_that_is_not_a_game_is_refused_with_the_reason(variants, text, ply):
    with pytest.raises(InvalidPgn) as refusal:
        read_pgn(text, variants)
    assert refusal.value.ply == ply
    assert str(refusal.value)


@pytest.mark.parametrize(
    ("text", "played", "kept"),
    [
        ("1. e4 e5 1-0 1... c5", 2, ["1... c5"]),
        ("1. e4 1-0 1... e5 2. Nf3", 3, ["1... 1-0"]),
        ("1-0 1. e4 e5", 2, ["1. 1-0"]),
    ],
)
def test_move_one_behind_a_result_begins_another_game_only_where_it_cannot_follow(variants, text, played, kept):
    read = read_pgn(text, variants)
    said = [*read.comments, *(comment for move in read.line for comment in move.comments)]
    assert (len(read.moves), said) == (played, kept)


def test_words_that_follow_each_other_become_comments_that_can_be_read_again(variants):
    read = read_pgn("1. e4 " + "word " * 1_200 + "e5", variants)
    said = read.line[0].comments
    assert [len(comment) < LONGEST_COMMENT for comment in said] == [True, True]
    assert " ".join(said).split() == ["word"] * 1_200


@pytest.mark.parametrize("value", ['"]', "\\", '\\"', "a\nb", "[x]", "{", "1-0", "♔ é", "\\\\n", '"]\n\n1. e4 {'])
def test_tags_survive_a_round_trip(variants, value):
    variant = variants["chess"]
    text = write_pgn({"White": value, "Annotator": value}, variant, False, variant.start_fen, [], "*")
    read = read_pgn(text, variants)
    assert read.tags["White"] == read.tags["Annotator"] == value.replace("\n", " ")
    assert read.moves == ()
    elsewhere = chess.pgn.read_game(io.StringIO(text))
    assert elsewhere.headers.keys() == read.tags.keys()
    assert not list(elsewhere.mainline_moves())


def test_numbers_go_on_from_the_start_position(variants):
    fen = "4k3/8/8/8/8/8/8/4K2R b K - 3 17"
    line = [PgnMove("", san) for san in ("Kd7", "O-O", "Ke6")]
    text = write_pgn({}, variants["chess"], False, fen, line, "*")
    assert text.splitlines()[-1] == "17... Kd7 18. O-O Ke6 *"
    assert f'[FEN "{fen}"]' in text
    assert '[SetUp "1"]' in text


def test_lines_are_short(variants):
    game = next(game for game in records("grandhouse") if len(game["moves"]) == 200)
    assert max(map(len, as_pgn(variants, game).split("\n\n")[1].splitlines())) <= 80


@pytest.mark.parametrize(
    ("tag", "name", "chess960"),
    [
        ("Standard", "chess", False),
        ("Chess", "chess", False),
        ("From Position", "chess", False),
        ("Chess960", "chess", True),
        ("chess 960", "chess", True),
        ("Crazyhouse960", "crazyhouse", True),
        ("Caparandom", "capablanca", True),
        ("Capablanca960", "capablanca", True),
        ("Seirawan", "seirawan", False),
        ("S-Chess", "seirawan", False),
        ("S-House", "shouse", False),
        ("Grand", "grand", False),
        ("acedrex", "acedrex", False),
    ],
)
def test_names_of_variants_elsewhere(variants, tag, name, chess960):
    read = read_pgn(f'[Variant "{tag}"]', variants)
    assert (read.variant.id, read.chess960) == (name, chess960)


def test_shuffled_rights_show_the_chess960_form(variants):
    """lichess and pychess write plain "Crazyhouse" for the shuffled form too."""
    shuffled = "nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN[] w {} - 0 1"
    for rights in ("GBgb", "KQkq"):
        assert read_pgn(f'[Variant "Crazyhouse"]\n[FEN "{shuffled.format(rights)}"]', variants).chess960
    plain = variants["crazyhouse"].start_fen
    assert not read_pgn(f'[Variant "Crazyhouse"]\n[FEN "{plain}"]', variants).chess960


ODD = (
    *("foo", "Cup", "de", "be", "1-O-1", "7/9", "e9", "Zz9", "Nf3xx", "0:05", "5.2", "1999", "C60", "+0.3/12", "@"),
    *("=-=", "|", "<d>", "a<b", "&", "resigns", "White", "1-0-0", "$999", "!?!", "[x]", "[emt", "Nh8", "Ke5", "ed4"),
    *("O-O-O-O", "}", ")", "é", "...z", "12b", "--", "Z0", "(0:01)", "(see", "e.g.", "Sf3", "hg", "ef", "**", "'"),
    *("%x", "exd"),
)
"""What stands in files between moves and means nothing."""
MOVES = ("1.", "Nf3", "Nf6", "2.", "g3", "g6", "3.", "Bg2", "Bg7", "4.", "O-O", "O-O", "5.", "d3", "d6")


def test_no_word_of_a_file_is_lost_in_silence(variants, seed, scale):
    """Whatever stands between the moves is kept as a comment, and a mend says so."""
    rng = random.Random(seed)
    for _ in range(scale(2_000)):
        tokens = list(MOVES)
        for word in rng.choices(ODD, k=rng.randrange(1, 4)):
            tokens.insert(rng.randrange(2, len(tokens) + 1), word)
        text = " ".join(tokens)
        game = read_pgn(text, variants)
        kept = " ".join([*game.comments, *(said for move in game.line for said in said_in(move))])
        there = set(re.findall(r"\w+", kept + " " + " ".join(move.san for move in game.line)))
        words = set(re.findall(r"\w+", " ".join(word for word in tokens if not re.fullmatch(r"\d\.", word))))
        assert words <= there, text
        assert game.mends or not kept, text


def said_in(move):
    yield from (*move.before, *move.comments)
    for variation in move.variations:
        for one in variation:
            yield one.san
            yield from said_in(one)


def test_a_long_text_is_not_read_in_ten_languages(variants):
    text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 *"
    assert len(read_pgn(text, variants).moves) == 5
    assert len(read_pgn(text + " " * LONGEST_FOREIGN, variants).moves) == 2


def test_signs_that_the_analysis_board_shows_are_read_as_the_same_glyphs():
    """Those of Black, one higher, look like White's."""
    script = (ROOT / "static/js/analysis/pgn.js").read_text()
    shown = {int(nag): sign for nag, sign in re.findall(r"(\d+): '(.+?)',", script)}
    assert shown[36] == "↑"
    assert len(shown) > 30
    for nag, sign in shown.items():
        assert nags_of(sign)[0] in (nag, nag - 1), sign


def test_many_words_before_the_first_tag_refuse_no_game(variants):
    said = "One line of the mail that the game came in. " * 6
    read = read_pgn(f"{said}\n" * 25 + '[Event "x"]\n\n1. e4 e5 *', variants)
    assert [move.uci for move in read.moves] == ["e2e4", "e7e5"]
    assert len("".join(read.comments)) > 20 * len(said)
