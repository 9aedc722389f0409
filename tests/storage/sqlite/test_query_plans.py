"""The gatherer of plans finds a statement that reads a table. The store suite asks it after each test on SQLite."""

import pytest

from tests.support.storage.query_plans import Plans


@pytest.mark.parametrize(
    ("statement", "wasteful"),
    [
        ("SELECT head FROM games WHERE id = 'a'", False),
        ("SELECT head FROM games WHERE white = 'a' ORDER BY created DESC LIMIT 5", False),
        ("SELECT id FROM users ORDER BY id LIMIT 5", False),
        ("SELECT id FROM games WHERE token = 'a'", True),
        ("SELECT id FROM games", True),
        ("SELECT id FROM games WHERE white = 'a' ORDER BY token LIMIT 5", True),
        ("DELETE FROM sessions WHERE created + 5 < 7", True),
    ],
)
def test_a_statement_that_reads_more_than_it_returns_is_found(statement, wasteful):
    plans = Plans()
    plans.trace(statement)
    assert bool(list(plans.wasteful())) is wasteful
