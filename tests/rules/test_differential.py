"""Fresh random games, compared move by move with Fairy-Stockfish and python-chess.

Other games and longer ones: `pytest tests/rules/test_differential.py --seed N --plies N`.
"""

import random
from collections import Counter

import chess
import chess.variant
import pyffish
import pytest

from server.rules.endings import outcome
from server.rules.movegen.legal import in_check, legal_moves, play, repetition_key
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.san import format_san, parse_san
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS
from tests.support.rules.fairy_stockfish import PLAYABLE
from tests.support.rules.vectors import canonical

pytestmark = pytest.mark.slow

FORMS = [
    pytest.param(variant.id, chess960, id=f"{variant.id}960" if chess960 else variant.id)
    for variant in VARIANTS.values()
    for chess960 in ((False, True) if variant.chess960 else (False,))
]
PYFFISH_FORMS = [form for form in FORMS if form.values[0] in PLAYABLE]
PYTHON_CHESS_BOARDS = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "3check": chess.variant.ThreeCheckBoard,
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
    "antichess": chess.variant.AntichessBoard,
    "racingkings": chess.variant.RacingKingsBoard,
}
PLAYED_ON = {"atomic": "a bare king against a lone rook, bishop or knight, and two knights, is a draw there"}
"""Whose games go on here, as in Fairy-Stockfish, with material that ends them there."""
PYTHON_CHESS_FORMS = [
    pytest.param(name, chess960, id=f"{name}960" if chess960 else name)
    for name in PYTHON_CHESS_BOARDS
    for chess960 in ((False, True) if EVERY_VARIANT[name].chess960 else (False,))
]


def random_game(variant, chess960, rng, plies):
    """Yields (start FEN, moves so far, position, times this position was seen, next move or None)."""
    start = shuffled_fen(variant, rng) if chess960 else variant.start_fen
    position, played = parse_fen(variant, start, chess960), []
    seen = Counter([repetition_key(position)])
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        move = rng.choice(moves)
        yield start, played, position, seen[repetition_key(position)], move
        played.append(move.uci)
        position = play(position, move)
        seen[repetition_key(position)] += 1
    yield start, played, position, seen[repetition_key(position)], None


def pyffish_reason(name, start, played, chess960):
    """Why Fairy-Stockfish would end the game here, in our words, tested in our order."""
    if not pyffish.legal_moves(name, start, played, chess960):
        return "checkmate" if pyffish.gives_check(name, start, played, chess960) else "stalemate"
    if all(pyffish.has_insufficient_material(name, start, played, chess960)):
        return "insufficient"
    if pyffish.is_optional_game_end(name, start, played, chess960)[0]:
        clock = int(pyffish.get_fen(name, start, played, chess960).split()[-2])
        return "move-rule" if clock >= 100 else "repetition"
    return None


@pytest.mark.parametrize(("name", "chess960"), PYFFISH_FORMS)
def test_agrees_with_fairy_stockfish(variants, name, chess960, seed, plies):
    rng = random.Random(f"{seed} {name} {chess960}")
    for start, played, position, seen, move in random_game(variants[name], chess960, rng, plies):
        where = f"{start} {' '.join(played)}"
        fen = format_fen(position)
        ucis = {legal.uci for legal in legal_moves(position)}
        assert ucis == set(pyffish.legal_moves(name, start, played, chess960)), where
        assert in_check(position) == pyffish.gives_check(name, start, played, chess960), where
        end = outcome(position, seen)
        assert (end and end.reason) == pyffish_reason(name, start, played, chess960), where
        if played:
            assert canonical(fen) == canonical(pyffish.get_fen(name, start, played, chess960)), where
        if move is not None:
            uci = move.uci
            san = pyffish.get_san(name, fen, uci, chess960, pyffish.NOTATION_SAN)
            assert format_san(position, move) == san, where


@pytest.mark.parametrize(("name", "chess960"), PYTHON_CHESS_FORMS)
def test_agrees_with_python_chess(variants, name, chess960, seed, plies):
    rng = random.Random(f"{seed} {name} {chess960} python-chess")
    for _ in range(4):
        for start, played, position, _, move in random_game(variants[name], chess960, rng, 2 * plies):
            board = PYTHON_CHESS_BOARDS[name](start, chess960=chess960)
            for uci in played:
                board.push_uci(uci)
            where = f"{start} {' '.join(played)}"
            ucis = {legal.uci for legal in legal_moves(position)}
            assert ucis == {board.uci(legal) for legal in board.legal_moves}, where
            assert in_check(position) == board.is_check(), where
            end = outcome(position)
            if name not in PLAYED_ON:
                assert (end is not None) >= board.is_insufficient_material(), where
            if board.is_variant_end():
                assert end is not None, where
                assert end.result == board.result(), where
            if move is not None:
                san = board.san(board.parse_uci(move.uci))
                assert parse_san(position, san) == move, where
