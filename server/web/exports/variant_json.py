"""The shape of a variant as data, for the description of the API. What it says comes from `rules.variant.rule_data`,
which knows no library that could describe it; a test compares the two on every variant.
"""

from typing import NotRequired

from typing_extensions import TypedDict

Vector = tuple[int, int]
"""Files to the right and ranks forward, as White sees it."""


class PieceMove(TypedDict):
    """One way in which a piece moves: by any of `steps`, up to `max` times in a row (0: as far as the board goes).

    `mode`: whether it captures. `ranks`: only from these; `unmoved`: only from where it began. `then`: on which ways a
    bent rider goes on after its step.
    """

    steps: list[Vector]
    max: int
    mode: str
    ranks: NotRequired[list[int]]
    unmoved: NotRequired[bool]
    enPassant: NotRequired[bool]
    then: NotRequired[list[Vector]]


class RoleJson(TypedDict):
    """A kind of piece. `san`: its letter in moves. `value`: in pawns."""

    name: str
    san: str
    royal: bool
    pawn: bool
    value: float
    moves: list[PieceMove]


class PromotionJson(TypedDict):
    """`ranks`: where it is possible, `forced`: where it must; `to`: into what. `byFile`: only into these, by file."""

    ranks: list[int]
    forced: list[int]
    to: list[str]
    when: str
    byFile: list[str] | None


class DropJson(TypedDict):
    """The ranks on which a piece may be put."""

    ranks: list[int]


class CastlingJson(TypedDict):
    """Files: where king and rook stand after castling on either side, and whence the king comes."""

    kingTo: list[str]
    rookTo: list[str]
    kingFrom: str
    rook: str


class EndingsJson(TypedDict):
    """What ends a game besides mate. `moveRule`, `repetition`: after how many; 0: never."""

    stalemateLoses: bool
    bareKingLoses: bool
    moveRule: int
    repetition: int
    insufficient: bool


class RulesJson(TypedDict):
    """What only a program that plays it needs."""

    captures: bool
    setup: bool
    opposite: list[list[str]]
    pairs: list[str]
    capturedAs: dict[str, str]
    limits: dict[str, int]
    castlingEarned: bool
    firstMove: str
    mating: list[str]
    takeableKing: bool
    endings: EndingsJson


class FairyStockfishJson(TypedDict):
    """The variant as a section of a variants.ini; or `cannot`: the part of its rules that has no words there."""

    name: NotRequired[str]
    ini: NotRequired[str]
    cannot: NotRequired[str]


class VariantJson(TypedDict):
    """A variant: what boards show of it, under `rules` all that its rules depend on, also for Fairy-Stockfish."""

    id: str
    name: str
    tagline: str
    differences: list[str]
    files: int
    ranks: int
    startFen: str
    chess960: bool
    differences960: list[str]
    pocket: str
    pocketRoles: list[str]
    promoted: bool
    roles: dict[str, RoleJson]
    promotion: dict[str, PromotionJson]
    drops: dict[str, DropJson] | None
    castling: CastlingJson | None
    gates: list[str]
    rules: RulesJson
    fairyStockfish: NotRequired[FairyStockfishJson]
