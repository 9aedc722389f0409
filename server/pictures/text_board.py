"""A position as a board drawn in letters, in the layout of the classic play-by-mail servers. Knows no game, no request.

White's pieces are plain letters, Black's are between stars, dark squares are drawn with colons:

           a   b   c
         +---+---+---+    Black
       3 |:::|*K*|:::|  3
         +---+---+---+
       2 |   |:::|   |  2
         +---+---+---+
       1 |:R:| K |:::|  1
         +---+---+---+    White
           a   b   c
"""

from collections.abc import Iterator

from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.piece_codes import BLACK

EDGE = " " * 5


def letter_board(position: Position, white: str, black: str, letters: Letters = OWN) -> Iterator[str]:
    """Yields the lines of the board from the last rank down, with `white` and `black` beside its edges.

    A piece is shown by its letter in moves, in `letters`; `~` after it marks one that goes to the pocket as a pawn.
    """
    variant = position.variant
    files = (EDGE + "  " + "   ".join(FILE_LETTERS[: variant.files])).rstrip()
    rule = EDGE + "+" + "---+" * variant.files
    yield files
    yield f"{rule}    {black}"
    for rank in range(variant.ranks - 1, -1, -1):
        cells = (_cell(position, variant.geometry.square(file, rank), letters) for file in range(variant.files))
        yield f"  {rank + 1:>2} |{'|'.join(cells)}| {rank + 1:>2}"
        yield rule if rank else f"{rule}    {white}"
    yield files


def _cell(position: Position, square: int, letters: Letters) -> str:
    code = position.board[square]
    kind = position.tables.codes.kinds[code]
    background = ":" if position.variant.geometry.is_dark(square) else " "
    if kind is None:
        return background * 3
    around = "*" if code > BLACK else background
    return around + letters.san(kind.role.san) + ("~" if kind.marked else around)
