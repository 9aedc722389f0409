"""Shuffled start positions for the chess960 forms; the caller supplies the randomness."""

from random import Random

from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.variant import Variant


def shuffled_fen(variant: Variant, random: Random) -> str:
    """A start FEN with a shuffled first rank, the same for both sides; each allowed rank is equally likely.

    The king stands between the rooks, and the pairs that the variant names on squares of opposite colours.
    """
    if not variant.chess960:
        raise ValueError(f"{variant.name} has no shuffled form")
    home = list(variant.start_fen.split(" ")[0].partition("[")[0].split("/")[-1].lower())
    while True:
        random.shuffle(home)
        if _is_allowed(variant, home):
            return _with_rank(variant, "".join(home))


def _is_allowed(variant: Variant, rank: list[str]) -> bool:
    rook = variant.castling.rook if variant.castling else ""
    rooks = [file for file, letter in enumerate(rank) if letter == rook]
    if not rooks[0] < rank.index(variant.king) < rooks[-1]:
        return False
    for one, other in variant.opposite:
        first = rank.index(one)
        second = len(rank) - 1 - rank[::-1].index(other)
        if (first - second) % 2 == 0:
            return False
    return True


def _with_rank(variant: Variant, rank: str) -> str:
    """The variant's start FEN with another first rank, and castling rights by file."""
    rook = variant.castling.rook if variant.castling else ""
    files = FILE_LETTERS[rank.rindex(rook)] + FILE_LETTERS[rank.index(rook)]
    placement, *fields = variant.start_fen.split(" ")
    board, bracket, pocket = placement.partition("[")
    rows = board.split("/")
    rows[0], rows[-1] = rank, rank.upper()
    fields[1] = files.upper() + files
    return " ".join(["/".join(rows) + bracket + pocket, *fields])
