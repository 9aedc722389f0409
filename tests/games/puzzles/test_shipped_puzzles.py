"""The puzzles that come with the program: each variant has some, and the rules and the engine confirm them."""

import pytest

from server.cli.engines import running_engine
from server.cli.shipped_puzzles import NODES
from server.games.puzzle_mining import DEEPER, only_winning_move
from server.games.puzzles import ENDINGS, InvalidPuzzle
from server.games.shipped_puzzles import puzzle_of_line, shipped_puzzles, shipped_version
from server.rules.errors import RulesError
from server.rules.notation.fen import parse_fen
from tests.support.rules.built_in import VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_some_which_the_rules_play_to_the_end(name):
    found = list(shipped_puzzles(VARIANTS[name], 7))
    assert found
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert (one.variant, one.game, one.made, one.chess960) == (name, "", 7, False)
        assert one.themes
        assert one.ply > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_the_engine_finds_the_first_move_of_a_sample_to_be_the_only_one_that_wins(name):
    *_, sample = shipped_puzzles(VARIANTS[name], 0)
    with running_engine(None) as engine:
        position = parse_fen(VARIANTS[name], sample.fen)
        assert only_winning_move(position, engine, NODES * DEEPER) == sample.line[0]


def test_a_line_that_does_not_hold_what_it_claims_is_no_puzzle():
    line = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 30\tg7g8\ta1a8"
    assert set(puzzle_of_line(VARIANTS["chess"], line, 0).themes) <= set(ENDINGS.values())
    for wrong in ("a1b2", "a1a8 g8h8", "a1a8 g8h8 a8a1"):
        with pytest.raises((InvalidPuzzle, RulesError)):
            puzzle_of_line(VARIANTS["chess"], line.replace("a1a8", wrong), 0)


def test_a_variant_of_the_hosts_own_has_none():
    class Own:
        id = "of-the-hosts-own"

    assert shipped_version(Own) == ""
