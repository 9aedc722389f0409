"""What of a variant Fairy-Stockfish's variants.ini has no words for."""

from enum import StrEnum


class Part(StrEnum):
    """The part of the rules that cannot be said."""

    BOARD = "board"
    PIECES = "pieces"
    PROMOTION = "promotion"
    DROPS = "drops"
    GATING = "gating"
    CASTLING = "castling"
    ENDINGS = "endings"


class Inexpressible(Exception):
    """The variant cannot be said in variants.ini, because of `part`; `why` says it to programmers."""

    def __init__(self, part: Part, why: str) -> None:
        super().__init__(f"{part}: {why}")
        self.part = part
        self.why = why
