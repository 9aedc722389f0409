"""Picked positions, each about one rule: legal moves, SANs, FENs afterwards, check, dead material."""

import pytest

from server.rules.endings import can_win, outcome
from server.rules.movegen.legal import in_check, legal_moves, play
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from tests.support.rules.vectors import canonical, records

IMPOSSIBLE = {
    "grand-33": "a king stands to be taken",
    "grand-35": "a king stands to be taken",
    "shogun-22": "the en passant square is occupied",
}
"""Records whose position cannot arise: what becomes of it is nobody's rule."""

OTHERWISE = {
    "3check-11": "Fairy-Stockfish takes a FEN without counters for one in which the next check wins",
    "5check-03": "Fairy-Stockfish takes the checks given, which lichess writes, off three even where five win",
}
"""Records whose FEN we read otherwise, on purpose."""

PICKED = [*records("positions"), *records("unoffered/positions")]


@pytest.mark.parametrize("record", PICKED, ids=lambda record: f"{record['id']} {record['theme']}")
def test_picked_position(variants, record):
    position = parse_fen(variants[record["variant"]], record["fen"], record["chess960"])
    moves = {move.uci: move for move in legal_moves(position)}
    assert sorted(moves) == record["legal"]
    assert in_check(position) == record["check"]
    end = outcome(position)
    assert (end and end.reason) == record["end"]
    if "result" in record:
        assert (end.result if end else "*") == record["result"]
    assert [can_win(position, Color.WHITE), can_win(position, Color.BLACK)] == [
        not insufficient for insufficient in record["insufficient"]
    ]
    for uci, san in zip(record["legal"], record.get("sans", ()), strict=False):
        assert format_san(position, moves[uci]) == san
        assert parse_san(position, san) == moves[uci]
    if record["id"] in (*IMPOSSIBLE, *OTHERWISE):
        return
    assert canonical(format_fen(position)) == canonical(record["fen_norm"])
    for uci, fen in record["after"].items():
        assert canonical(format_fen(play(position, parse_uci(position, uci)))) == canonical(fen)
