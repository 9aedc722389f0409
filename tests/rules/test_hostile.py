"""Ten thousand random and mutated texts: each gets an answer or a typed error, quickly.

Time is the thread's own CPU time, and the best of three when the first try is over the limit, so that a busy machine
or a collection of garbage makes no false alarm.
"""

import json
import random

import pytest

from server.rules.errors import InvalidFen, InvalidPgn, RulesError
from server.rules.json_lines import answer_line
from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.san import parse_san
from server.rules.notation.uci import parse_uci
from tests.support.rules.hostile_texts import BOMBS, timed
from tests.support.rules.pgn_texts import read_pgn, write_pgn
from tests.support.rules.vectors import GAME_FILES, records

pytestmark = pytest.mark.slow

ALPHABET = 'KQRBNPkqrbnpCAHEGMFacehgmf0123456789/[]+~@=#xO-wb {}();.$!? "\n\t\0é½\U0001f642'


def mutated(text, rng):
    """`text` with a few letters or stretches changed, cut, doubled or moved."""
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + rng.choice((0, 1, 1, 2, 30)))
        inserted = rng.choice(("", rng.choice(ALPHABET), text[at:end] * 2, text[at:end][::-1]))
        text = text[:at] + inserted + text[end:]
    return text[:4000]


def noise(rng):
    return "".join(rng.choices(ALPHABET, k=rng.randrange(120)))


def recorded(rng):
    """A recorded game, and one of its FENs."""
    game = rng.choice(records(rng.choice(GAME_FILES)))
    return game, rng.choice([fen for fen in game["fens"] if fen] or [game["start_fen"]])


@pytest.mark.row("I7")
def test_fens(variants, seed):
    rng = random.Random(f"{seed} fens")
    for number in range(3000):
        game, fen = recorded(rng)
        variant, chess960 = variants[game["variant"]], game.get("chess960", False)
        if number % 5 == 0:
            variant = rng.choice(list(variants.values()))
            chess960 = variant.chess960 and rng.random() < 0.5
        text = noise(rng) if number % 10 == 0 else mutated(fen, rng)
        position = timed(parse_fen, variant, text, chess960)
        if isinstance(position, RulesError):
            assert isinstance(position, InvalidFen), text
            continue
        # What is accepted must be playable and must come back the same.
        timed(legal_moves, position)
        assert parse_fen(variant, format_fen(position), chess960) == position, text


@pytest.mark.row("I7")
@pytest.mark.parametrize(("parse", "recorded_as"), [(parse_uci, "moves"), (parse_san, "sans")])
def test_moves(variants, seed, parse, recorded_as):
    rng = random.Random(f"{seed} {parse.__name__}")
    for _ in range(400):
        game, fen = recorded(rng)
        position = parse_fen(variants[game["variant"]], fen, game.get("chess960", False))
        moves = legal_moves(position) or legal_moves(start_position(position.variant))
        for number in range(5):
            text = noise(rng) if number == 0 else mutated(rng.choice(game.get(recorded_as, game["moves"])), rng)
            move = timed(parse, position, text)
            assert isinstance(move, RulesError) or move in moves, f"{text!r} in {fen}"


@pytest.mark.row("I7")
def test_pgns(variants, seed):
    rng = random.Random(f"{seed} pgns")
    for number in range(1500):
        game, _ = recorded(rng)
        variant, sans = variants[game["variant"]], game.get("sans", [])[:60]
        line = [PgnMove("", san) for san in sans]
        pgn = write_pgn({}, variant, game.get("chess960", False), game["start_fen"], line, "*")
        text = noise(rng) if number % 10 == 0 else mutated(pgn, rng)
        read = timed(read_pgn, text, variants)
        assert isinstance(read, InvalidPgn) or read.variant.id in variants, text


@pytest.mark.row("I7")
@pytest.mark.parametrize("text", [bomb * (4096 // len(bomb)) for bomb in BOMBS], ids=BOMBS)
def test_bombs(variants, text):
    position = start_position(variants["chess"])
    for answer in (
        timed(read_pgn, text, variants),
        timed(parse_fen, variants["chess"], text),
        timed(parse_uci, position, text),
        timed(parse_san, position, text),
    ):
        assert isinstance(answer, RulesError) or not answer.moves


@pytest.mark.row("I7")
def test_judge_lines(variants, seed):
    rng = random.Random(f"{seed} judge")
    for number in range(1500):
        game, fen = recorded(rng)
        question = {"variant": game["variant"], "chess960": game.get("chess960", False), "fen": fen, "moves": []}
        if rng.random() < 0.3:
            question |= {"fen": game["start_fen"], "moves": game["moves"][:3]}
        line = noise(rng) if number % 10 == 0 else mutated(json.dumps(question), rng)
        answer = timed(answer_line, line.encode("utf-8", "replace"), variants)
        assert "legal" in answer or answer["error"] in ("BadLine", "UnknownVariant", "InvalidFen", "IllegalMove"), line
        assert json.loads(json.dumps(answer)) == answer
