"""The puzzles that come with the program, so that a new site has some: a file for each form of a variant, a line for
each puzzle.

They come from games of the site's own engine against itself (server.cli.shipped_puzzles), and were judged like all
others. What a line does not say follows from the rules, which play each one when it is read.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from server.games.puzzles import Puzzle, prove_puzzle, puzzle_id, themes_of
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Variant

FOLDER: Final = Path(__file__).parent / "puzzles_shipped"
GAMES: Final = "# games: "
"""What a file begins with, before the number of games that were searched for its puzzles."""
NO_ENGINE: Final = 3
"""The exit code of what makes puzzles where there is no engine."""


def forms_of(variant: Variant) -> Sequence[bool]:
    """The forms a variant has: False for the usual one, True for the shuffled one."""
    return (False, True) if variant.chess960 else (False,)


def shipped_version(variant: Variant) -> str:
    """Changes with the puzzles of that variant; "" if there are none."""
    files = [file for file in _files_of(variant) if file.is_file()]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10] if files else ""


def shipped_puzzles(variant: Variant, now: int) -> Iterator[Puzzle]:
    """Those of a variant in all its forms, as if made at `now` (ms). Raises as `puzzle_of_line` does, which the tests
    rule out.
    """
    for chess960, file in zip(forms_of(variant), _files_of(variant), strict=True):
        if file.is_file():
            for line in file.read_text(encoding="utf-8").splitlines()[1:]:
                yield puzzle_of_line(variant, line, now, chess960)


def games_shipped(variant: Variant, chess960: bool) -> int:
    """Of how many games of a form, numbered from 1, the puzzles came with the program."""
    file = FOLDER / f"{form_name(variant, chess960)}.txt"
    if not file.is_file():
        return 0
    with file.open(encoding="utf-8") as lines:
        return int(lines.readline().removeprefix(GAMES))


def puzzle_of_line(variant: Variant, line: str, now: int, chess960: bool = False) -> Puzzle:
    """The puzzle of a line: its FEN, the move that led to it, and its moves. It belongs to no game.

    Takes about a millisecond. Raises InvalidPuzzle, InvalidFen, IllegalMove, InvalidMove, ValueError.
    """
    fen, last, moves = line.split("\t")
    position, ucis = parse_fen(variant, fen, chess960), tuple(moves.split(" "))
    puzzle = Puzzle(
        id=puzzle_id(f"{form_name(variant, chess960)} {fen}", 0),
        variant=variant.id,
        chess960=chess960,
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


def form_name(variant: Variant, chess960: bool) -> str:
    """How a form's file is called, without its ending."""
    return f"{variant.id}{'960' * chess960}"


def _files_of(variant: Variant) -> Sequence[Path]:
    return [FOLDER / f"{form_name(variant, chess960)}.txt" for chess960 in forms_of(variant)]
