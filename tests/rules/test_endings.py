"""How games end: reason, winner, order of the tests, and the key of repetition."""

import random

import chess
import chess.variant
import pyffish
import pytest

from server.rules.endings import can_win, outcome
from server.rules.json_lines import Question, judge
from server.rules.movegen.legal import legal_moves, repetition_key
from server.rules.notation.fen import parse_fen, start_position
from server.rules.variant.pieces import Color
from tests.support.rules.boards import after
from tests.support.rules.built_in import VARIANTS

PYTHON_CHESS_BOARDS = {
    board.uci_variant: board
    for board in chess.variant.VARIANTS
    if board.uci_variant in VARIANTS and not VARIANTS[board.uci_variant].pocket
}
"""Its boards for variants without a pocket. With one nothing leaves the game for good, and whose material is never
insufficient here and in Fairy-Stockfish is, for python-chess, while three pieces or fewer are left."""


@pytest.mark.parametrize(
    ("name", "fen", "reason", "result"),
    [
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate", "1-0"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", "1/2-1/2"),
        ("chess", "4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", "insufficient", "1/2-1/2"),
        ("chess", "4k2r/8/8/8/8/8/8/4K2R w - - 100 90", "move-rule", "1/2-1/2"),
        ("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", "checkmate", "1-0"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 100 90", "insufficient", "1/2-1/2"),
        ("grand", "K1k7/P9/10/10/10/10/10/10/10/10 w - - 0 1", "stalemate", "1/2-1/2"),
        ("crazyhouse", "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1", "stalemate", "1/2-1/2"),
        ("acedrex", "k6R4/11R/12/12/12/12/12/12/12/12/p11/K11 b - - 0 1", "checkmate", "1-0"),
        ("acedrex", "12/12/12/12/12/12/12/12/12/1k10/12/K10R b - - 0 1", "bare-king", "1-0"),
        ("acedrex", "12/12/12/12/12/12/12/12/12/1k9R/12/K11 b - - 0 1", "bare-king", "1-0"),
        ("acedrex", "12/12/12/12/12/12/12/12/1k10/10r1/12/K11 w - - 0 1", "bare-king", "0-1"),
    ],
)
def test_how_it_ends(variants, name, fen, reason, result):
    end = outcome(parse_fen(variants[name], fen))
    assert end is not None
    assert (end.reason, end.result) == (reason, result)


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("chess", "4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1"),
        ("chess", "4knn1/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k2r/8/8/8/8/8/8/4K2R w - - 99 90"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
        ("crazyhouse", "7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 1"),
        ("capablanca", "5k4/10/10/10/10/10/10/4AK4 w - - 0 1"),
        ("seirawan", "4k3/8/8/8/8/8/8/4K3[HEhe] w - - 0 1"),
        ("acedrex", "12/12/12/12/12/12/12/12/p11/1k10/12/K10R w - - 4000 1"),
    ],
)
def test_the_game_goes_on(variants, name, fen):
    assert outcome(parse_fen(variants[name], fen)) is None


def test_stalemate_loses_where_the_variant_says_so(variants):
    position = parse_fen(variants["acedrex"], "k11/12/1R9p/11P/12/12/12/12/12/12/1R10/1R9K b - - 0 1")
    stuck = parse_fen(variants["acedrex"], "k11/10R1/1R9p/11P/12/12/12/12/12/12/12/11K b - - 0 1")
    assert outcome(position) is None
    assert not legal_moves(stuck)
    assert outcome(stuck).reason == "stalemate"
    assert outcome(stuck).result == "1-0"


def test_no_reply_to_being_bared(variants):
    """Black's king could take White's last piece, but the game is over before it can."""
    position = parse_fen(variants["acedrex"], "12/12/12/12/12/12/12/12/12/1kr9/2R9/4K7 w - - 0 1")
    bared = after(position, "c2c3")
    assert outcome(bared).reason == "bare-king"
    assert outcome(bared).winner is Color.WHITE
    assert legal_moves(bared) == ()


def test_a_pawn_is_not_bare(variants):
    position = parse_fen(variants["acedrex"], "12/12/12/12/12/12/12/12/p11/1kr9/2R9/4K7 w - - 0 1")
    assert outcome(after(position, "c2c3")) is None


def test_repetition_is_counted_by_the_caller(variants):
    position = start_position(variants["chess"])
    assert outcome(position, seen=2) is None
    assert outcome(position, seen=3).reason == "repetition"


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", False),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w d6", "4k3/8/8/3pP3/8/8/8/4K3 w -", False),
        ("chess", "4k3/8/8/3pP3/7b/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/7b/8/8/4K3 w -", True),
        ("chess", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w -", True),
        ("chess", "6k1/8/8/r2pP2K/8/8/8/8 w - d6 0 1", "6k1/8/8/r2pP2K/8/8/8/8 w -", True),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", False),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 9 30", True),
        ("crazyhouse", "4k3/8/8/8/8/8/8/R3K3[N] w - - 0 1", "4k3/8/8/8/8/8/8/R3K3[n] w - - 0 1", False),
        ("crazyhouse", "4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3[] w - - 0 1", True),
        ("seirawan", "4k3/8/8/8/8/8/8/RN2K3[H] w ABE - 0 1", "4k3/8/8/8/8/8/8/RN2K3[H] w A - 0 1", True),
        (
            "acedrex",
            "12/12/12/12/12/12/p11/k11/12/12/12/6K4R w J - 0 1",
            "12/12/12/12/12/12/p11/k11/12/12/12/6K4R w - - 0 1",
            False,
        ),
    ],
)
def test_what_repetition_counts_as_the_same(variants, name, one, other, same):
    def key(fen):
        fen = fen if fen.count(" ") > 2 else fen.replace(" w ", " w - ")
        return repetition_key(parse_fen(variants[name], fen))

    assert (key(one) == key(other)) is same


UNUSABLE = "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1"
BACK_AND_FORTH = ["h7h5", "e6h6", "g7h7", "h6e6", "h7g7", "e6h6", "g7h7", "h6e6", "h7g7"]


def test_a_pawn_that_nobody_may_take_en_passant_makes_no_other_position(variants):
    """FIDE 9.2, python-chess and lichess ask whether it may be taken. Fairy-Stockfish asks whether it is attacked, and
    would go on."""
    assert judge(Question(variants["chess"], False, UNUSABLE, BACK_AND_FORTH))["outcome"]["reason"] == "repetition"
    board = chess.Board(UNUSABLE)
    for uci in BACK_AND_FORTH:
        board.push_uci(uci)
    assert board.is_repetition(3)
    assert not pyffish.is_optional_game_end("chess", UNUSABLE, BACK_AND_FORTH)[0]


def some_en_passant(rng):
    """A random FEN in which a black pawn has just passed a white one; it may be taken, or not."""
    file, board = rng.randrange(1, 8), chess.BaseBoard(None)
    pawn, passed = chess.square(file, 4), chess.square(file, 5)
    free = set(chess.SQUARES) - {pawn, pawn - 1, passed, chess.square(file, 6)}
    pieces = zip(rng.sample(sorted(free), 6), "Kk" + "".join(rng.choices("rbqnRBN", k=4)), strict=True)
    for square, letter in ((pawn, "p"), (pawn - 1, "P"), *pieces):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return f"{board.board_fen()} w - {chess.square_name(passed)} 0 1"


def test_en_passant_counts_in_repetition_where_python_chess_says_so(variants, seed):
    rng, counted = random.Random(f"{seed} en passant"), {True: 0, False: 0}
    while min(counted.values()) < 100:
        fen = some_en_passant(rng)
        board = chess.Board(fen)
        if board.was_into_check():
            continue
        with_square = repetition_key(parse_fen(variants["chess"], fen))
        without = " ".join([*fen.split()[:3], "- 0 1"])
        counts = with_square != repetition_key(parse_fen(variants["chess"], without))
        assert counts is board.has_legal_en_passant(), fen
        counted[counts] += 1


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", True, False),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", False, False),
        ("4k3/p7/8/8/8/8/8/4KN2 w - - 0 1", True, True),
        ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", False, False),
        ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", True, False),
        ("4kb2/8/8/8/8/8/8/B3K3 w - - 0 1", False, False),
        ("4kn2/8/8/8/8/8/8/QQ2K3 w - - 0 1", True, False),
        ("4kb2/8/8/8/8/8/8/RQ2K3 w - - 0 1", True, False),
        ("4kb2/8/8/8/8/8/8/RB2K3 w - - 0 1", True, True),
        ("4kn2/8/8/8/8/8/8/R3K3 w - - 0 1", True, True),
        ("4knn1/8/8/8/8/8/8/Q3K3 w - - 0 1", True, True),
    ],
)
def test_which_sides_could_still_win(variants, fen, white, black):
    position = parse_fen(variants["chess"], fen)
    assert (can_win(position, Color.WHITE), can_win(position, Color.BLACK)) == (white, black)


@pytest.mark.parametrize("name", PYTHON_CHESS_BOARDS)
def test_who_could_still_win_is_what_python_chess_says(variants, name, seed):
    variant, board_of = variants[name], PYTHON_CHESS_BOARDS[name]
    rest = f"w - - {f'{variant.endings.checks}+{variant.endings.checks} ' if variant.endings.checks else ''}0 1"
    rng, seen = random.Random(f"{seed} material"), set()
    for _ in range(1_500):
        pieces = "".join(rng.choices("QRBNPqrbnp", weights=(2, 2, 4, 3, 1) * 2, k=rng.randint(0, 3)))
        board = chess.BaseBoard(None)
        for square, letter in zip(rng.sample(range(8, 56), len(pieces) + 2), "Kk" + pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        fen = f"{board.board_fen()} {rest}"
        theirs = [not board_of(fen).has_insufficient_material(color) for color in chess.COLORS]
        position = parse_fen(variant, fen)
        if board_of(fen).was_into_check():
            continue
        assert [can_win(position, color) for color in Color] == theirs, fen
        dead = outcome(position) is not None and outcome(position).reason == "insufficient"
        if legal_moves(position):
            assert dead is not any(theirs), fen
            assert dead is all(pyffish.has_insufficient_material(name, fen, [])), fen
        seen.add(tuple(theirs))
    assert len(seen) == (4 if variant.endings.insufficient else 1)


def test_fairy_stockfish_lets_a_knight_win_against_a_queen():
    """Its rule asks only whether anything else is on the board; no series of moves mates, so the flag draws here."""
    assert pyffish.has_insufficient_material("chess", "4kn2/8/8/8/8/8/8/Q3K3 w - - 0 1", []) == (False, False)


@pytest.mark.parametrize(
    ("name", "fen", "could"),
    [
        ("capablanca", "4kn4/10/10/10/10/10/10/C3K5 w - - 0 1", True),
        ("capablanca", "4kb4/10/10/10/10/10/10/C3K5 w - - 0 1", False),
        ("seirawan", "4kn2/8/8/8/8/8/8/R3K3[H] w A - 0 1", True),
        ("crazyhouse", "4kn2/8/8/8/8/8/8/Q3K3[] w - - 0 1", True),
    ],
)
def test_elsewhere_a_side_could_win_unless_that_is_certainly_impossible(variants, name, fen, could):
    assert can_win(parse_fen(variants[name], fen), Color.BLACK) is could


def test_without_the_rule_everyone_can_win(variants):
    position = parse_fen(variants["acedrex"], "12/12/12/12/12/12/p11/k11/12/12/12/6K4R w - - 0 1")
    assert can_win(position, Color.BLACK)
