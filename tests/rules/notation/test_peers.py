r"""Files as other programs write them, and broken ones: peers.txt says what must come of each.

A line there is one file, `\n` in it a new line, and behind `  =>  ` what is read of each game: tags and moves, result,
and mends, or the id of its error. A move has its glyphs, clock in ms, comments and variations behind it. A line that
begins with `#` names the program whose manner the files below it have.
"""

from pathlib import Path

import pytest

from server.rules.errors import InvalidPgn
from server.rules.notation.pgn_file import split_games
from server.rules.sliced_work import run_at_once
from tests.support.rules.pgn_texts import read_pgn

ROWS = Path(__file__).with_name("peers.txt").read_text().splitlines()
CASES = [row.split("  =>  ") for row in ROWS if not row.startswith("# ")]


def test_there_are_many_files_and_none_twice():
    assert len({text for text, _ in CASES}) == len(CASES) >= 150


@pytest.mark.parametrize(("text", "told"), CASES)
def test_a_file_of_another_program_is_read_whole(variants, text, told):
    assert read_file(text, variants) == told


def read_file(text, variants):
    for escape, character in (("\\n", "\n"), ("\\t", "\t"), ("\\ufeff", "\ufeff"), ("\\u00a0", "\u00a0")):
        text = text.replace(escape, character)
    return " || ".join(read_game(game.text, variants) for game in run_at_once(split_games(text, 10)))


def read_game(text, variants):
    try:
        game = read_pgn(text, variants)
    except InvalidPgn as error:
        return f"refused: {error.id}"
    tags = (f"[{name} {value}]" for name, value in game.tags.items() if name != "FEN")
    moves = " ".join([*tags, *(f"{{{said}}}" for said in game.comments), shown(game.line)])
    return f"{moves} | {game.result} | {' '.join(mend.id for mend in game.mends)}"


def shown(line):
    return " ".join(
        " ".join(
            [
                *(f"{{{said}}}" for said in move.before),
                move.san,
                *(f"${nag}" for nag in move.nags),
                *([] if move.clock_ms is None else [f"@{move.clock_ms}"]),
                *(f"{{{said}}}" for said in move.comments),
                *(f"({shown(variation)})" for variation in move.variations),
            ]
        )
        for move in line
    )
