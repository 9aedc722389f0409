"""The sources of the rules pages: what is wrong in them is refused at the start, with the reason."""

import pytest

from server.web.rules_pages.prose import InvalidProse, read_prose
from tests.support.rules.built_in import VARIANTS

NAMES = {variant.id: variant.name for variant in VARIANTS.values()}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{move: Nf6}", "not legal"),
        ("{moves: e4 e4}", "not legal"),
        ("{move: hello}", "is not a move"),
        ("{refused: e4}", "is legal"),
        ("{rules: nonesuch}", "no variant"),
        ("{web: a page http://example.org/}", "is no link"),
        ("{web: https://example.org/}", "is no link"),
        ("{move: e4 from 8/8 w - - 0 1}", "ranks"),
        ("{mvoe: e4}", "not closed"),
        ("one *star", "not closed"),
    ],
)
def test_prose_with_a_mistake_is_refused(tmp_path, text, reason):
    (tmp_path / "chess.toml").write_text(f'strategy = ["{text}"]')
    with pytest.raises(InvalidProse, match=reason):
        read_prose(tmp_path, VARIANTS["chess"], NAMES)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('strategie = ["x"]', "nobody would read strategie"),
        ('pieces.z = ["x"]', "nobody would read z"),
        ('start = [{ fen = "8/8/8/8/8/8/8/8 w - - 0 1", caption = "x" }]', "king"),
        ('start = [{ moves = "e5", caption = "x" }]', "not legal"),
        ('start = [{ show = "e4", caption = "x" }]', "cannot go anywhere"),
        ('start = [{ color = "red", caption = "x" }]', "nothing a board has"),
    ],
)
def test_a_board_with_a_mistake_is_refused(tmp_path, content, reason):
    (tmp_path / "chess.toml").write_text(content)
    with pytest.raises(InvalidProse, match=reason):
        read_prose(tmp_path, VARIANTS["chess"], NAMES)
