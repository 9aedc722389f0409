"""Pieces as numbers, so that a board is plain bytes.

0 is the empty square, 1..k are White's kinds and 128+1..128+k Black's. A kind is a role, possibly marked as promoted
(`~` in a FEN: it goes to the pocket as a pawn) or as unmoved (a king with its first-move right).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from server.rules.variant.movement import Atom, Mode, Vector
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant

BLACK = 128
"""Added to a kind's number for a black piece."""
SIDES = (0, 1)
STRAIGHT: frozenset[Vector] = frozenset({(0, 1), (0, -1), (1, 0), (-1, 0)})
DIAGONAL: frozenset[Vector] = frozenset({(1, 1), (1, -1), (-1, 1), (-1, -1)})

OWN = (bytes(0 < code < BLACK for code in range(256)), bytes(code > BLACK for code in range(256)))
"""By side: translates a board to 1 on own pieces, 0 elsewhere."""
VIEW = (
    bytes(code and (2 if code < BLACK else 1) for code in range(256)),
    bytes(code and (1 if code < BLACK else 2) for code in range(256)),
)
"""By side: translates a board to 0 empty, 1 enemy, 2 own."""
VACANT = bytes(code == 0 for code in range(256))
"""Translates a board to 1 on empty squares, 0 elsewhere."""


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece, whatever its colour."""

    role: Role
    marked: bool = False
    unmoved: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PieceCodes:
    """The numbering of one variant. Lists by code have 256 entries; pairs are by side, White first."""

    kinds: tuple[PieceKind | None, ...]
    symbols: tuple[str, ...]
    """FEN text by code; a space for the empty square."""
    by_symbol: dict[str, int]
    """Code by FEN text; the king's is that of the moved one."""
    placed: tuple[dict[str, int], dict[str, int]]
    """Code by role id, without a mark."""
    become: tuple[dict[str, int], dict[str, int]]
    """Code by role id of a promoted piece, with its mark."""
    unmoved: tuple[int, int]
    """Code of the king with its first-move right; 0 if the variant has no such right."""
    kings: frozenset[int]
    pawns: frozenset[int]
    mating: frozenset[int]
    """Pieces that can mate with only their king, or can become one that does."""
    color_bound: frozenset[int]
    """Pieces that never leave their square colour."""
    like_knights: frozenset[int]
    """Pieces that can do nothing but what a knight can."""
    like_bishops: frozenset[int]
    like_rooks: frozenset[int]
    """Pieces that can do all that a rook can, and never become anything else."""
    like_queens: frozenset[int]
    weak: bytes
    """The empty square and every piece not in `mating`: to be deleted from a board."""
    unmarked: bytes
    """Translates a board to one without `~`, which repetition ignores."""
    settled: bytes
    """Translates a code to that after a move, without the first-move right."""
    pocket_index: dict[str, int]
    royal_in_pocket: tuple[str, ...]
    to_pocket: tuple[int, ...]
    """By code: index in the captor's pocket; -1 if it does not go there."""

    def all_of(self, role: str, side: int) -> frozenset[int]:
        """The codes of a role's pieces of one side, marked or not."""
        return frozenset(code for code, kind in _of_side(self.kinds, side) if kind.role.id == role)


def encode_pieces(variant: Variant) -> PieceCodes:
    """The numbering of the variant's pieces."""
    kinds = tuple(_kinds(variant))
    by_code: list[PieceKind | None] = [None] * 256
    for nth, kind in enumerate(kinds, 1):
        by_code[nth] = by_code[BLACK + nth] = kind
    symbols = tuple(_symbol(kind, code) for code, kind in enumerate(by_code))
    placed = tuple(
        {kind.role.id: code for code, kind in _of_side(by_code, side) if not kind.marked and not kind.unmoved}
        for side in SIDES
    )
    marked = tuple({kind.role.id: code for code, kind in _of_side(by_code, side) if kind.marked} for side in SIDES)
    unmoved = [next((code for code, kind in _of_side(by_code, side) if kind.unmoved), 0) for side in SIDES]
    pocket_index = {role: nth for nth, role in enumerate(variant.pocket.order)} if variant.pocket else {}
    mating = frozenset(c for c, kind in enumerate(by_code) if kind and kind.role.mates and not kind.role.royal)

    def those(fits: Callable[[Role], bool]) -> frozenset[int]:
        return frozenset(code for code, kind in enumerate(by_code) if kind and not kind.role.royal and fits(kind.role))

    lasting = {role.id for role in variant.roles} - variant.promotions.keys()

    def plain(code: int, kind: PieceKind) -> int:
        return placed[code // BLACK][kind.role.id]

    return PieceCodes(
        kinds=tuple(by_code),
        symbols=symbols,
        by_symbol={symbols[code]: code for code, kind in enumerate(by_code) if kind and not kind.unmoved},
        placed=(placed[0], placed[1]),
        become=(placed[0] | marked[0], placed[1] | marked[1]),
        unmoved=(unmoved[0], unmoved[1]),
        kings=frozenset(code for code, kind in enumerate(by_code) if kind and kind.role.royal),
        pawns=frozenset(code for code, kind in enumerate(by_code) if kind and kind.role.pawn),
        mating=mating,
        color_bound=those(_is_color_bound),
        like_knights=those(lambda role: all(_leaps_as_knight(atom) for atom in role.atoms)),
        like_bishops=those(lambda role: all(_keeps_to_diagonals(atom) for atom in role.atoms)),
        like_rooks=those(lambda role: role.id in lasting and _rides(role) >= STRAIGHT),
        like_queens=those(lambda role: role.id in lasting and _rides(role) >= STRAIGHT | DIAGONAL),
        weak=bytes(code for code in range(256) if code not in mating),
        unmarked=bytes(plain(code, kind) if kind and kind.marked else code for code, kind in enumerate(by_code)),
        settled=bytes(plain(code, kind) if kind and kind.unmoved else code for code, kind in enumerate(by_code)),
        pocket_index=pocket_index,
        royal_in_pocket=tuple(role.id for role in variant.roles if role.royal and role.id in pocket_index),
        to_pocket=tuple(_pocket_of(variant, kind, pocket_index) for kind in by_code),
    )


def _kinds(variant: Variant) -> Iterator[PieceKind]:
    for role in variant.roles:
        yield PieceKind(role)
        if role.first_move:
            yield PieceKind(role, unmoved=True)
    if variant.pocket and variant.pocket.captures:
        promoted = dict.fromkeys(to for rule in variant.promotions.values() for to in rule.to if to[0] != "+")
        for role_id in promoted:
            yield PieceKind(variant.role(role_id), marked=True)


def _symbol(kind: PieceKind | None, code: int) -> str:
    if kind is None:
        return " "
    text = kind.role.id if code > BLACK else kind.role.id.upper()
    return text + "~" if kind.marked else text


def _of_side(by_code: Sequence[PieceKind | None], side: int) -> Iterator[tuple[int, PieceKind]]:
    for code in range(side * BLACK, side * BLACK + BLACK):
        kind = by_code[code]
        if kind is not None:
            yield code, kind


def _leaps_as_knight(atom: Atom) -> bool:
    return atom.limit == 1 and not atom.onward and all({abs(dx), abs(dy)} == {1, 2} for dx, dy in atom.steps)


def _keeps_to_diagonals(atom: Atom) -> bool:
    return not atom.onward and DIAGONAL.issuperset(atom.steps)


def _rides(role: Role) -> frozenset[Vector]:
    """The directions in which it moves and captures at any distance."""
    lasting = (atom for atom in role.atoms if atom.limit == 0 and atom.mode is Mode.BOTH and not atom.initial)
    return frozenset(step for atom in lasting for step in atom.steps)


def _is_color_bound(role: Role) -> bool:
    runs = [run for atom in role.atoms for group in atom.onward for run in group]
    return all((dx + dy) % 2 == 0 for atom in role.atoms for dx, dy in (*atom.steps, *runs))


def _pocket_of(variant: Variant, kind: PieceKind | None, index: dict[str, int]) -> int:
    if kind is None or not variant.pocket or not variant.pocket.captures or kind.role.royal:
        return -1
    if kind.marked:
        return index[variant.pawn]
    return index[kind.role.captured_as]
