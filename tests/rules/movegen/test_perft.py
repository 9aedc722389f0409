"""Perft of the start and of middle-game positions of every variant; `--deep` counts every recorded depth."""

import pytest

from server.rules.movegen.legal import divide, perft
from server.rules.notation.fen import parse_fen
from tests.support.rules.vectors import records

pytestmark = pytest.mark.slow

SHALLOW = 1_000_000
"""Leaves counted for one position without `--deep`."""
COUNTED = [*records("perft"), *records("unoffered/perft")]


@pytest.mark.parametrize("record", COUNTED, ids=lambda record: record["id"])
def test_perft(variants, record, deep):
    position = parse_fen(variants[record["variant"]], record["fen"], record["chess960"])
    for depth, leaves in record["perft"].items():
        if deep or leaves <= SHALLOW:
            assert perft(position, int(depth)) == leaves


@pytest.mark.parametrize(
    "record", [record for record in COUNTED if "divide2" in record], ids=lambda record: record["id"]
)
def test_divide_names_the_first_moves(variants, record):
    position = parse_fen(variants[record["variant"]], record["fen"], record["chess960"])
    assert divide(position, 2) == record["divide2"]
