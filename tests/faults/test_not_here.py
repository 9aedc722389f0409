"""Rows that have nothing to be tested on in this program, each with the reason. Printed as skipped, not as passed."""

import pytest

REASONS = {
    "A14": "no variant here hides anything from a player",
    "I8": "no native library judges moves: the rules are Python",
}


@pytest.mark.parametrize("reason", [pytest.param(why, marks=pytest.mark.row(row)) for row, why in REASONS.items()])
def test_rows_with_nothing_to_test_here(reason):
    pytest.skip(reason)
