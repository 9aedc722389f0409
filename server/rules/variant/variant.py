"""A variant as data: its board, army and mechanisms.

A square is a number: rank * files + file, both from 0 at White's left corner (a1 = 0).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from server.rules.variant.pieces import Role

FILE_LETTERS = "abcdefghijklmnop"
MAX_FILES = len(FILE_LETTERS)
MAX_RANKS = 16


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of `files` by `ranks` squares."""

    files: int
    ranks: int

    @property
    def size(self) -> int:
        return self.files * self.ranks

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all squares, by number."""
        return _names(self.files, self.ranks)

    def file(self, square: int) -> int:
        """From 0, the a-file."""
        return square % self.files

    def rank(self, square: int) -> int:
        """From 0, White's first."""
        return square // self.files

    def rank_for(self, square: int, side: int) -> int:
        """The rank from 1, as seen by `side` (0 is White, 1 is Black)."""
        rank = square // self.files
        return self.ranks - rank if side else rank + 1

    def square(self, file: int, rank: int) -> int:
        """The number of a square, from 0 (a1), rank by rank."""
        return rank * self.files + file

    def parse(self, name: str) -> int | None:
        """The square with that name ("a1", "j10"), or None."""
        return _numbers(self.files, self.ranks).get(name)

    def shifted(self, square: int, step: tuple[int, int]) -> int | None:
        """The square (dx, dy) away, or None if that is off the board."""
        file = square % self.files + step[0]
        rank = square // self.files + step[1]
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def is_dark(self, square: int) -> bool:
        """Has the square the colour of a1?"""
        return (square % self.files + square // self.files) % 2 == 0


@lru_cache(maxsize=32)
def _names(files: int, ranks: int) -> tuple[str, ...]:
    return tuple(f"{FILE_LETTERS[file]}{rank + 1}" for rank in range(ranks) for file in range(files))


@lru_cache(maxsize=32)
def _numbers(files: int, ranks: int) -> dict[str, int]:
    return {name: square for square, name in enumerate(_names(files, ranks))}


@dataclass(frozen=True, slots=True)
class Promotion:
    """What a role may promote to, and where. Ranks count from 1, as its side sees them."""

    to: tuple[str, ...]
    ranks: frozenset[int]
    forced: frozenset[int]
    """Ranks on which promotion is forced."""
    touch: bool
    """A piece also promotes when it moves within or out of the zone."""
    by_file: tuple[str, ...]
    """The role for each target file, instead of a choice; () = a choice."""
    limits: Mapping[str, int]
    """How many pieces of a role its side may have on the board by promotion."""


@dataclass(frozen=True, slots=True)
class Pocket:
    """The pocket and drops. Ranks count from 1, as that side sees them."""

    order: tuple[str, ...]
    """The roles that may be in the pocket, in FEN order."""
    captures: bool
    """A captured piece goes to the captor's pocket."""
    drops: bool
    setup: bool
    """The game begins with drops: while a side has pieces in the pocket, only drops are legal."""
    ranks: Mapping[str, frozenset[int]]
    """Where each role may be dropped."""
    pairs: frozenset[str]
    """Roles whose two pieces must be set up on squares of opposite colours."""


@dataclass(frozen=True, slots=True)
class Castling:
    """The files (from 0) of castling. Both pieces stand on their side's first rank."""

    king_from: int
    king_to: tuple[int, int]
    """Towards the higher files, then towards the lower ones; likewise for rooks."""
    rook_from: tuple[int, int]
    rook_to: tuple[int, int]
    king: str
    """The piece that castles with the rook: the royal one, unless there is none."""
    rook: str
    earned: bool
    """The right is earned by setting up king and rook on their home squares."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Squares that win the game for the side that brings a piece there."""

    role: str
    squares: tuple[frozenset[int], frozenset[int]]
    """By side."""
    reply: bool
    """When White arrives first, Black has one more move, and draws by arriving with it."""

    @property
    def shared(self) -> frozenset[int]:
        """The squares that win for either side: a mark on a board does not say for whom."""
        white, black = self.squares
        return white & black


@dataclass(frozen=True, slots=True)
class Extinction:
    """Losing one's pieces ends the game."""

    kinds: tuple[str, ...]
    """Each of these roles counts by itself; () = the whole army together."""
    left: int
    """It is over for a side that has so many left, or fewer."""
    against: int
    """But only while the other side has at least so many."""
    reply: bool
    """A side to move that has just been reduced may still reduce the other, if one capture is enough."""
    wins: bool
    """The side that loses its pieces wins."""


@dataclass(frozen=True, slots=True)
class Endings:
    """What ends a game on the board."""

    stalemate_loses: bool
    stalemate_wins: bool
    bare_king_loses: bool
    move_rule: int
    """Plies without progress that draw the game; 0 = no such rule."""
    repetition: int
    """Occurrences of a position that draw the game."""
    insufficient: bool
    """Is insufficient material on both sides a draw?"""
    goal: Goal | None
    checks: int
    """How many checks win; 0 = no number of them."""
    extinction: Extinction | None

    @property
    def special(self) -> bool:
        """Can a game end in a way that chess does not have?"""
        return self.bare_king_loses or self.goal is not None or self.checks > 0 or self.extinction is not None


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A variant; two are equal only if they are the same object."""

    id: str
    name: str
    tagline: str
    differences: tuple[str, ...]
    """Two to five sentences on how it differs from chess."""
    differences_960: tuple[str, ...]
    """More sentences on what the chess960 form changes; () if there is nothing to say."""
    order: int
    """Position in the list of variants."""
    geometry: Geometry
    start_fen: str
    chess960: bool
    """Has it a form with shuffled first ranks?"""
    pgn_tag: str
    """The value of the Variant tag of a PGN; `pgn_tag_960` is that of the chess960 form."""
    pgn_tag_960: str
    pgn_aliases: tuple[str, ...]
    """What other programs write there; `pgn_aliases_960` for the shuffled form."""
    pgn_aliases_960: tuple[str, ...]
    """Other names that are read in that tag; "" stands for a PGN without one."""
    takeable_king: bool
    """May a FEN allow the king to be captured at once, as in Fairy-Stockfish? No game reaches one."""
    must_capture: bool
    """Is a side that can capture bound to?"""
    may_not_check: bool
    """Is every move illegal that gives check?"""
    explodes: bool
    """Does every capture explode? What captures, and all around but pawns, goes with what is captured."""
    kingless: tuple[bool, bool]
    """By side: has it no royal piece? It is never in check, and loses otherwise."""
    opposite: tuple[tuple[str, str], ...]
    """Pairs of roles that start on squares of opposite colours in the chess960 form."""
    roles: tuple[Role, ...]
    promotions: Mapping[str, Promotion]
    pocket: Pocket | None
    gates: tuple[str, ...]
    """Roles that may be gated from the pocket; () = no gating."""
    castling: Castling | None
    endings: Endings

    @property
    def files(self) -> int:
        return self.geometry.files

    @property
    def ranks(self) -> int:
        return self.geometry.ranks

    @property
    def king(self) -> str:
        """The id of the royal role; "" if the variant has none."""
        return next((role.id for role in self.roles if role.royal), "")

    @property
    def pawn(self) -> str:
        """The id of the first role that is a pawn. Raises StopIteration if there is none."""
        return next(role.id for role in self.roles if role.pawn)

    @property
    def first_move(self) -> str:
        """The lower-case letter of the first-move right in a FEN; "" if the variant has no such right."""
        return next((role.first_move for role in self.roles if role.first_move), "")

    @property
    def promotion_limits(self) -> dict[str, int]:
        """How many pieces of a role a side may have on the board by promotion: the least that any promotion states."""
        found: dict[str, int] = {}
        for rule in self.promotions.values():
            for role, most in rule.limits.items():
                found[role] = min(most, found.get(role, most))
        return found

    def role(self, role_id: str) -> Role:
        """The role with that id. Raises KeyError."""
        for role in self.roles:
            if role.id == role_id:
                return role
        raise KeyError(role_id)
