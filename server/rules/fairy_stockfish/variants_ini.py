"""A variant as a section of Fairy-Stockfish's variants.ini, so that it plays what the data says, a host's own included.

What it makes of the section is held to our rules by counting moves (tests/rules/fairy_stockfish). That material is
insufficient it decides by rules of its own, which change no move.
"""

from collections.abc import Iterator

from server.rules.fairy_stockfish.army import Army, army
from server.rules.fairy_stockfish.inexpressible import Inexpressible, Part
from server.rules.fairy_stockfish.pocket_ini import pocket_lines
from server.rules.fairy_stockfish.promotion_ini import promotion_lines
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.variant import Castling, Variant

MOST_FILES, MOST_RANKS = 12, 10


def section_name(variant: Variant) -> str:
    """How Fairy-Stockfish is to call it: no name that it has built in."""
    return f"our-{variant.id}"


def variants_ini(variant: Variant) -> str:
    """The section of the variant, with its name. Raises Inexpressible."""
    if variant.files > MOST_FILES or variant.ranks > MOST_RANKS:
        raise Inexpressible(Part.BOARD, f"it goes to {MOST_FILES} files and {MOST_RANKS} ranks")
    pieces = army(variant)
    lines = [
        f"[{section_name(variant)}]",
        f"maxFile = {variant.files}",
        f"maxRank = {variant.ranks}",
        f"startFen = {variant.start_fen}",
        *pieces.lines,
        *promotion_lines(variant, pieces),
        *pocket_lines(variant, pieces),
        *_castling_lines(variant, pieces),
        *_ending_lines(variant),
    ]
    return "\n".join(lines) + "\n"


def fairy_stockfish_data(variant: Variant) -> dict[str, str]:
    """The section and its name, ready for JSON; or under "cannot" the part of the rules that cannot be said."""
    try:
        return {"name": section_name(variant), "ini": variants_ini(variant)}
    except Inexpressible as error:
        return {"cannot": error.part.value}


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _castling_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    castling = variant.castling
    if castling is None:
        yield "castling = false"
        return
    _check_castling(variant, castling)
    yield f"castlingKingFile = {FILE_LETTERS[castling.king_from]}"
    yield f"castlingKingsideFile = {FILE_LETTERS[castling.king_to[0]]}"
    yield f"castlingQueensideFile = {FILE_LETTERS[castling.king_to[1]]}"
    yield f"castlingRookPieces = {pieces.letters[castling.rook]}"
    yield f"castlingDroppedPiece = {_flag(castling.earned)}"


def _check_castling(variant: Variant, castling: Castling) -> None:
    right, left = castling.king_to
    if castling.rook_to != (right - 1, left + 1):
        raise Inexpressible(Part.CASTLING, "the rook comes to stand beside the king, on its inner side")
    king = variant.role(variant.king)
    steps = {(to - castling.king_from, 0) for to in castling.king_to}
    if any(step in steps for atom in king.atoms for step in atom.steps) or any(
        atom.limit != 1 and (dx, 0) in atom.steps for atom in king.atoms for dx in (1, -1)
    ):
        raise Inexpressible(Part.CASTLING, "a move of the king could be meant as well")


def _ending_lines(variant: Variant) -> Iterator[str]:
    endings = variant.endings
    if endings.move_rule % 2:
        raise Inexpressible(Part.ENDINGS, "the move rule counts whole moves")
    yield f"stalemateValue = {'loss' if endings.stalemate_loses else 'draw'}"
    yield f"nMoveRule = {endings.move_rule // 2}"
    yield f"nFoldRule = {endings.repetition}"
    if endings.bare_king_loses:
        if variant.pocket is not None:
            raise Inexpressible(Part.ENDINGS, "what is in the pocket counts as if it stood on the board")
        yield "extinctionValue = loss"
        yield "extinctionPieceTypes = *"
        yield "extinctionPieceCount = 1"
