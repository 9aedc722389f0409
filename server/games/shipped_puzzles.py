"""The puzzles that come with the program, so that a new site has some: a file for each variant, a line for each puzzle.

They come from games of the site's own engine against itself (server.cli.shipped_puzzles), and were judged like all
others. What a line does not say follows from the rules, which play each one when it is read.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from server.games.puzzles import Puzzle, prove_puzzle, puzzle_id, themes_of
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Variant

FOLDER: Final = Path(__file__).parent / "puzzles_shipped"


def shipped_version(variant: Variant) -> str:
    """Changes with the puzzles of that variant; "" if there are none."""
    file = _file_of(variant)
    return sha256(file.read_bytes()).hexdigest()[:10] if file.is_file() else ""


def shipped_puzzles(variant: Variant, now: int) -> Iterator[Puzzle]:
    """Those of a variant, as if made at `now` (ms). Raises as `puzzle_of_line` does, which the tests rule out."""
    for line in _file_of(variant).read_text(encoding="utf-8").splitlines()[1:]:
        yield puzzle_of_line(variant, line, now)


def puzzle_of_line(variant: Variant, line: str, now: int) -> Puzzle:
    """The puzzle of a line: its FEN, the move that led to it, and its moves. It belongs to no game.

    Takes about a millisecond. Raises InvalidPuzzle, InvalidFen, IllegalMove, InvalidMove, ValueError.
    """
    fen, last, moves = line.split("\t")
    position, ucis = parse_fen(variant, fen), tuple(moves.split(" "))
    puzzle = Puzzle(
        id=puzzle_id(f"{variant.id} {fen}", 0),
        variant=variant.id,
        chess960=False,
        fen=fen,
        last=last,
        line=ucis,
        themes=themes_of(position, ucis),
        game="",
        ply=2 * (position.fullmove - 1) + position.side,
        made=now,
    )
    prove_puzzle(puzzle, variant)
    return puzzle


def _file_of(variant: Variant) -> Path:
    return FOLDER / f"{variant.id}.txt"
