"""What a variant is, as data: its board, its army and its mechanisms. Knows no files, positions or moves."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.rules.variant.board import Geometry
from server.rules.variant.pieces import Role


@dataclass(frozen=True, slots=True)
class Promotion:
    """What one role may become, and where. Ranks count from 1 at the own side."""

    to: tuple[str, ...]
    ranks: frozenset[int]
    forced: frozenset[int]
    """Ranks on which the piece may not stay what it is."""
    touch: bool
    """Moving within and out of the zone counts too, not only into it."""
    by_file: tuple[str, ...]
    """The role decided by the file of arrival, instead of a choice; () = a choice."""
    limits: Mapping[str, int]
    """Not to a role of which the own side already has that many on the board."""


@dataclass(frozen=True, slots=True)
class Pocket:
    """Pieces in the pocket. Ranks count from 1 at the own side."""

    order: tuple[str, ...]
    """The roles that may be in the pocket, in the order of the FEN."""
    captures: bool
    """A captured piece goes to the captor's pocket."""
    drops: bool
    setup: bool
    """Drops come first: while the own pocket holds a piece nothing else is legal."""
    ranks: Mapping[str, frozenset[int]]
    """Where each role may be dropped."""
    pairs: frozenset[str]
    """Roles whose two pieces must stand on squares of opposite colours after the set-up."""


@dataclass(frozen=True, slots=True)
class Castling:
    """Files (from 0) of castling; both pieces stand on the own first rank."""

    king_from: int
    king_to: tuple[int, int]
    """Towards the higher files, towards the lower files; so for the rooks."""
    rook_from: tuple[int, int]
    rook_to: tuple[int, int]
    rook: str
    earned: bool
    """The right arises when the set-up puts king and rook on their home squares."""


@dataclass(frozen=True, slots=True)
class Endings:
    """What ends a game on the board."""

    stalemate_loses: bool
    bare_king_loses: bool
    move_rule: int
    """Plies without progress that make a draw; 0 = no such rule."""
    repetition: int
    """Occurrences of one position that make a draw."""
    insufficient: bool
    """Whether too little material on both sides is a draw."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A variant; two are equal only if they are the same object."""

    id: str
    name: str
    tagline: str
    differences: tuple[str, ...]
    """Two to five sentences on how it differs from chess."""
    differences_960: tuple[str, ...]
    """Sentences on what the shuffled form changes, in addition; () where there is none or a file says nothing."""
    order: int
    """Place in the list of variants."""
    geometry: Geometry
    start_fen: str
    chess960: bool
    """Whether it has a form with shuffled first ranks."""
    pgn_tag: str
    """What stands in the Variant tag of a PGN; `pgn_tag_960` for the shuffled form."""
    pgn_tag_960: str
    pgn_aliases: tuple[str, ...]
    """What other programs write there; `pgn_aliases_960` for the shuffled form."""
    pgn_aliases_960: tuple[str, ...]
    """Other names that are read in that tag; "" stands for a PGN without one."""
    takeable_king: bool
    """Whether a FEN in which the king can be taken at once is read, as Fairy-Stockfish does; no game reaches one."""
    opposite: tuple[tuple[str, str], ...]
    """Pairs of roles that a shuffled start puts on squares of opposite colours."""
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

    def role(self, role_id: str) -> Role:
        """The role of that id. Raises KeyError."""
        for role in self.roles:
            if role.id == role_id:
                return role
        raise KeyError(role_id)
