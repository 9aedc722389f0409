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
from server.rules.variant.piece_codes import BLACK
from server.rules.variant.variant import FILE_LETTERS

EDGE = " " * 5


def letter_board(
    position: Position, white: str, black: str, letters: Letters = OWN, *, flipped: bool = False
) -> Iterator[str]:
    """Yields the lines of the board from the last rank down, with `white` and `black` beside its edges; from the first
    if it is `flipped`, as Black sees it.

    A piece is shown by its letter in moves, in `letters`; `~` after it marks one that goes to the pocket as a pawn.
    """
    variant = position.variant
    columns, ranks = list(range(variant.files)), list(range(variant.ranks))
    (columns if flipped else ranks).reverse()
    above, below = (white, black) if flipped else (black, white)
    files = (EDGE + "  " + "   ".join(FILE_LETTERS[file] for file in columns)).rstrip()
    rule = EDGE + "+" + "---+" * variant.files
    yield files
    yield f"{rule}    {above}"
    for rank in ranks:
        cells = (_cell(position, variant.geometry.square(file, rank), letters) for file in columns)
        yield f"  {rank + 1:>2} |{'|'.join(cells)}| {rank + 1:>2}"
        yield rule if rank != ranks[-1] else f"{rule}    {below}"
    yield files


def _cell(position: Position, square: int, letters: Letters) -> str:
    code = position.board[square]
    kind = position.tables.codes.kinds[code]
    background = ":" if position.variant.geometry.is_dark(square) else " "
    if kind is None:
        return background * 3
    around = "*" if code > BLACK else background
    return around + letters.san(kind.role.san) + ("~" if kind.marked else around)
