"""The puzzles that come with the program: each variant has some, and the rules and the engine confirm them."""

import pytest

from server.cli.engines import running_engine
from server.cli.shipped_puzzles import NODES
from server.cli.shipped_puzzles import main as make_puzzles
from server.games.puzzle_mining import DEEPER, only_winning_move
from server.games.puzzles import ENDINGS, InvalidPuzzle
from server.games.shipped_puzzles import forms_of, puzzle_of_line, shipped_puzzles, shipped_version
from server.rules.errors import RulesError
from server.rules.notation.fen import parse_fen
from tests.support.rules.built_in import VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_some_which_the_rules_play_to_the_end(name):
    found = list(shipped_puzzles(VARIANTS[name], 7))
    assert {one.chess960 for one in found} == set(forms_of(VARIANTS[name]))
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert (one.variant, one.game, one.made) == (name, "", 7)
        assert one.themes
        assert one.ply > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_the_engine_finds_the_first_move_of_a_sample_to_be_the_only_one_that_wins(name):
    *_, sample = shipped_puzzles(VARIANTS[name], 0)
    with running_engine(None) as engine:
        position = parse_fen(VARIANTS[name], sample.fen, sample.chess960)
        assert only_winning_move(position, engine, NODES * DEEPER) == sample.line[0]


@pytest.mark.slow
def test_they_are_made_for_each_form_and_making_them_goes_on_where_it_was_ended(tmp_path):
    make_puzzles(["chess", "--most", "1", "--folder", str(tmp_path)])
    made = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert set(made) == {"chess.txt", "chess960.txt"}
    for name, text in made.items():
        for line in text.splitlines()[1:]:
            puzzle_of_line(VARIANTS["chess"], line, 0, "960" in name)
    make_puzzles(["chess", "--most", "1", "--folder", str(tmp_path)])
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == made


def test_a_line_that_does_not_hold_what_it_claims_is_no_puzzle():
    line = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 30\tg7g8\ta1a8"
    assert set(puzzle_of_line(VARIANTS["chess"], line, 0).themes) <= set(ENDINGS.values())
    for wrong in ("a1b2", "a1a8 g8h8", "a1a8 g8h8 a8a1"):
        with pytest.raises((InvalidPuzzle, RulesError)):
            puzzle_of_line(VARIANTS["chess"], line.replace("a1a8", wrong), 0)


def test_a_variant_of_the_hosts_own_has_none():
    class Own:
        id = "of-the-hosts-own"
        chess960 = True

    assert shipped_version(Own) == ""
    assert list(shipped_puzzles(Own, 0)) == []
