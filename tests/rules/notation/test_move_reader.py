"""The one reader of moves: what is read and what is refused, by the table that the scripts of the pages pass, too."""

import json
from pathlib import Path

import pytest

from server.rules.errors import RulesError
from server.rules.movegen.legal import legal_moves, legal_ucis
from server.rules.notation.fen import parse_fen
from server.rules.notation.move_reader import read_move
from server.rules.notation.uci import parse_uci

TABLE = json.loads(Path(__file__).with_name("move_forms.json").read_text())


def told(position, text):
    """What comes of the text: a move in UCI, or the id of the refusal."""
    try:
        return read_move(position, text).uci
    except RulesError as why:
        return why.id


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case['variant']} {case['fen'][:20]}")
def test_each_form_is_read_as_one_legal_move_or_refused_for_its_reason(variants, case):
    position = parse_fen(variants[case["variant"]], case["fen"], case.get("chess960", False))
    assert sorted(legal_ucis(position)) == case["legal"].split()  # what the scripts are given
    assert {text: told(position, text) for text in case["read"]} == case["read"]
    assert {text: told(position, text) for text in case["refused"]} == case["refused"]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case['variant']} {case['fen'][:20]}")
def test_no_legal_move_is_hidden_by_the_other_forms(variants, case):
    position = parse_fen(variants[case["variant"]], case["fen"], case.get("chess960", False))
    for move in legal_moves(position):
        assert read_move(position, move.uci) is move
        assert parse_uci(position, move.uci) is move


@pytest.mark.parametrize(
    ("fen", "chess960", "text", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, "e1h1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False, "e8a8", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", True, "e1g1", "e1h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b HAha - 0 1", True, "e8c8", "e8a8"),
    ],
)
def test_a_program_may_castle_onto_the_rook_or_beside_it(variants, fen, chess960, text, uci):
    assert parse_uci(parse_fen(variants["chess"], fen, chess960), text).uci == uci
