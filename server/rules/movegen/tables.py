"""A variant compiled for play: moves by piece and square, attacks, promotions, drops, gates.

Built once per variant, on first use: 1 to 20 ms and 0.1 to 3 MB, on a board of 12×12 40 ms and 7 MB. Lists by code are
indexed with the numbers of piece_codes.py. Movement is cached by value, so variants with the same board and movement
share one table, and the roles of a variant their rays.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter
from threading import Lock
from typing import Any, Final

from server.rules.movegen.moves import Drop, NormalMove
from server.rules.variant.movement import Atom, Mode, Vector
from server.rules.variant.piece_codes import BLACK, SIDES, PieceCodes, PieceKind, encode_pieces
from server.rules.variant.variant import Geometry, Promotion, Variant

Target = tuple[int, NormalMove]
Ray = tuple[Target, ...]
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of one role from one square, by what may stand on their squares."""

    jumps: Ray
    """Single squares, empty or enemy."""
    rays: tuple[Ray, ...]
    """Through empty squares, possibly ending on an enemy."""
    bents: tuple[tuple[int, NormalMove, tuple[Ray, ...]], ...]
    """The first square, its step, and the rays that continue from it if it is empty."""
    quiet: tuple[Ray, ...]
    """Through empty squares only."""
    takes: tuple[Ray, ...]
    """Through empty squares, ending on an enemy only."""


class DoublePath(ValueError):
    """A role reaches a square by two paths, which the detection of checks and pins cannot express."""


@dataclass(frozen=True, slots=True, eq=False)
class RoleMoves:
    """One role of one colour on one board, by square; there is one object for all that move alike."""

    moves: tuple[Moves, ...]
    captures: tuple[dict[int, Path], ...]
    """Every square that can be captured on, with the squares that must be empty on the way."""


Upgrades = dict[int, tuple[bool, tuple[NormalMove, ...]]]
"""By target: whether promotion is forced, and the promotions."""
Plan = tuple[
    Ray,
    tuple[Ray, ...],
    tuple[tuple[int, NormalMove, tuple[Ray, ...]], ...],
    tuple[Ray, ...],
    tuple[Ray, ...],
    Upgrades | None,
]
"""The fields of `Moves`, and the upgrades. A tuple, because the move generator unpacks one per piece."""


@dataclass(frozen=True, slots=True)
class DropRow:
    """Where one side may drop one role."""

    role: str
    drops: tuple[Drop, ...]
    by_square: dict[int, Drop]
    select: Callable[[Sequence[int]], Any]
    """Picks the entries of the squares in `drops` from a mask of the board."""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Everything that is constant for a variant. Pairs are by side, White first."""

    variant: Variant
    codes: PieceCodes
    squares: range
    targets: Mapping[int, Target]
    """(origin << 8 | target) -> the target, and the step without promotion or gating."""
    plans: tuple[tuple[Plan, ...], ...]
    """By code and square."""
    captures: tuple[tuple[dict[int, Path], ...], ...]
    """By code and square: the squares that can be captured on, and what must be empty for it."""
    drop_rows: tuple[tuple[DropRow, ...], tuple[DropRow, ...]]
    """In the order of the pocket."""
    doubles: tuple[dict[int, int], dict[int, int]]
    """(origin << 8 | target) of a pawn's double step -> the square between."""
    en_passant: tuple[dict[int, tuple[tuple[int, int], ...]], dict[int, tuple[tuple[int, int], ...]]]
    """By capturing side: en passant square -> (origin, code) of those that can capture there."""
    limits: tuple[tuple[str, int], ...]
    """Roles, and how many of each promotion may put on the board."""
    gated: dict[str, tuple[NormalMove, ...]]
    """By UCI text of a plain step: that step with each role of `variant.gates`."""

    homes: tuple[int, int]
    """Initial squares of the kings; -1 for one that starts in the pocket."""
    army: int
    """How many pieces both sides start with, without kings."""
    pawnless: frozenset[int]
    """Own ranks on which a pawn can never stand."""
    castling_homes: tuple[int, ...]
    """By side: where the piece that castles starts, if it is not royal; () if it is, or there is none."""
    extinct: tuple[tuple[bytes, bytes], ...]
    """What must not die out: for each, by side, every code that is not of it, to be deleted from a board."""
    around: tuple[tuple[int, ...], ...]
    """By square: the squares next to it, where captures explode; () where they do not."""
    restricted: bool
    """Is not every move legal that leaves the own king safe?"""
    ends: bool
    """Can a game end in a way that chess does not have? Where not, nothing is looked for."""
    goals: tuple[tuple[frozenset[int], frozenset[int]], ...]
    """By side: the pieces that have a goal, and its squares; () if nothing has."""

    def behind(self, side: int, square: int) -> int:
        """The adjacent square towards that side's first rank."""
        return square + (self.variant.files if side else -self.variant.files)


_ONE_AT_A_TIME: Final = Lock()
_made: Final[dict[Variant, Tables]] = {}
"""What is there is read without the lock, so that nobody waits while another variant is compiled."""


def tables_of(variant: Variant) -> Tables:
    """The compiled form of a variant. Raises DoublePath for a movement that cannot be compiled."""
    made = _made.get(variant)
    if made is not None:
        return made
    # Two threads would make two of them, and positions on the one would differ from those on the other.
    with _ONE_AT_A_TIME:
        if variant not in _made:
            _made[variant] = _compiled(variant)
        return _made[variant]


def _compiled(variant: Variant) -> Tables:
    codes = encode_pieces(variant)
    lines = [_role_moves(variant, kind, code // BLACK) if kind else None for code, kind in enumerate(codes.kinds)]
    tables = Tables(
        variant=variant,
        codes=codes,
        squares=range(variant.geometry.size),
        targets=_plain_targets(variant.geometry),
        plans=tuple(_plans(variant, codes.kinds[code], code // BLACK, line) for code, line in enumerate(lines)),
        captures=tuple(line.captures if line else () for line in lines),
        drop_rows=(_drop_rows(variant, 0), _drop_rows(variant, 1)),
        doubles=(_doubles(variant, codes, 0), _doubles(variant, codes, 1)),
        en_passant=(_en_passant(variant, codes, 0), _en_passant(variant, codes, 1)),
        limits=tuple({pair: None for rule in variant.promotions.values() for pair in rule.limits.items()}),
        gated=_gated(variant, lines),
        homes=_homes(variant),
        army=sum(letter.isalpha() for letter in variant.start_fen.split(" ")[0]) - 2,
        pawnless=_pawnless(variant),
        castling_homes=_castling_homes(variant),
        extinct=_extinct(variant, codes),
        restricted=variant.must_capture or variant.may_not_check,
        around=_around(variant.geometry) if variant.explodes else (),
        ends=variant.endings.special or variant.explodes,
        goals=_goals(variant, codes),
    )
    # Kept only so that the roles of a variant share it while they are compiled.
    _ray.cache_clear()
    _beginnings.cache_clear()
    return tables


def _role_moves(variant: Variant, kind: PieceKind, side: int) -> RoleMoves:
    geometry, role = variant.geometry, kind.role
    atoms = tuple(atom.mirrored() for atom in role.atoms) if side else role.atoms
    every = range(geometry.size)
    first = every if kind.unmoved else [s for s in every if geometry.rank_for(s, side) in role.initial_ranks]
    return compile_role(geometry, atoms, frozenset(first))


def _plans(variant: Variant, kind: PieceKind | None, side: int, lines: RoleMoves | None) -> tuple[Plan, ...]:
    if kind is None or lines is None:
        return ()
    rule = None if kind.marked else variant.promotions.get(kind.role.id)
    if rule is None:
        return _plans_without_promotion(lines)
    return tuple(
        _plan(moves, _upgrades(variant, rule, side, origin, moves)) for origin, moves in enumerate(lines.moves)
    )


@cache
def _plans_without_promotion(lines: RoleMoves) -> tuple[Plan, ...]:
    return tuple(_plan(moves, None) for moves in lines.moves)


def _plan(moves: Moves, upgrades: Upgrades | None) -> Plan:
    return moves.jumps, moves.rays, moves.bents, moves.quiet, moves.takes, upgrades


def _upgrades(variant: Variant, rule: Promotion, side: int, origin: int, moves: Moves) -> Upgrades | None:
    geometry = variant.geometry
    from_zone = rule.touch and geometry.rank_for(origin, side) in rule.ranks
    found: Upgrades = {}
    for step in _steps(moves):
        rank = geometry.rank_for(step.target, side)
        if from_zone or rank in rule.ranks:
            to = (rule.by_file[geometry.file(step.target)],) if rule.by_file else rule.to
            # A piece promoted to its own promoted form, "+n", is written with "+" alone.
            promoted = tuple(NormalMove(origin, step.target, one, None, step.uci + one[0]) for one in to)
            found[step.target] = (rank in rule.forced, promoted)
    return found or None


def _steps(moves: Moves) -> Iterator[NormalMove]:
    for line in (moves.jumps, *moves.rays, *moves.quiet, *moves.takes):
        yield from (step for _, step in line)
    for _, step, rays in moves.bents:
        yield step
        for ray in rays:
            yield from (step for _, step in ray)


def _drop_rows(variant: Variant, side: int) -> tuple[DropRow, ...]:
    pocket, geometry = variant.pocket, variant.geometry
    if pocket is None or not pocket.drops:
        return ()
    rows = []
    for role in pocket.order:
        zone = [s for s in range(geometry.size) if geometry.rank_for(s, side) in pocket.ranks[role]]
        by_square = {square: _drop(role, square, geometry.names[square]) for square in zone}
        rows.append(DropRow(role, tuple(by_square.values()), by_square, _selector(zone)))
    return tuple(rows)


@lru_cache(maxsize=4_096)
def _drop(role: str, square: int, name: str) -> Drop:
    return Drop(role, square, f"{role.upper()}@{name}")


def _selector(zone: list[int]) -> Callable[[Sequence[int]], Any]:
    """A selector of the squares in a zone of whole ranks; a slice, which is quickest, if they are adjacent."""
    if not zone or zone[-1] - zone[0] == len(zone) - 1:
        return itemgetter(slice(zone[0], zone[-1] + 1) if zone else slice(0))
    return itemgetter(*zone)


def _doubles(variant: Variant, codes: PieceCodes, side: int) -> dict[int, int]:
    forward = -variant.files if side else variant.files
    found = {}
    for role in variant.roles:
        if role.pawn:
            for moves in _role_moves(variant, PieceKind(role), side).moves:
                for line in moves.quiet:
                    if (
                        len(line) > 1
                        and line[1][0] - line[1][1].origin == 2 * forward
                        and (
                            not role.initial_ranks
                            or variant.geometry.rank_for(line[1][1].origin, side) in role.passing_ranks
                        )
                    ):
                        found[line[1][1].origin << 8 | line[1][0]] = line[0][0]
    return found


def _en_passant(variant: Variant, codes: PieceCodes, side: int) -> dict[int, tuple[tuple[int, int], ...]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for role in variant.roles:
        taking = tuple(atom for atom in role.atoms if atom.en_passant)
        if taking:
            for origin, targets in enumerate(
                _role_moves(variant, PieceKind(replace(role, atoms=taking)), side).captures
            ):
                for target in targets:
                    found.setdefault(target, []).append((origin, codes.placed[side][role.id]))
    return {target: tuple(origins) for target, origins in found.items()}


def _gated(variant: Variant, lines: list[RoleMoves | None]) -> dict[str, tuple[NormalMove, ...]]:
    if not variant.gates:
        return {}
    found: dict[str, tuple[NormalMove, ...]] = {}
    for code, line in enumerate(lines):
        for origin, moves in enumerate(line.moves if line else ()):
            if variant.geometry.rank_for(origin, code // BLACK) == 1:
                for step in _steps(moves):
                    found[step.uci] = tuple(
                        NormalMove(origin, step.target, None, gate, step.uci + gate) for gate in variant.gates
                    )
    return found


def _homes(variant: Variant) -> tuple[int, int]:
    rows = variant.start_fen.split(" ")[0].partition("[")[0].split("/")
    squares = [-1, -1]
    for rank, row in enumerate(reversed(rows)):
        cells = re.sub(r"\d{1,2}", lambda run: " " * int(run.group()), row).replace("+", "")
        for side, letter in enumerate((variant.king.upper(), variant.king)):
            if letter and letter in cells:
                squares[side] = variant.geometry.square(cells.index(letter), rank)
    return squares[0], squares[1]


def _pawnless(variant: Variant) -> frozenset[int]:
    """The ranks of forced promotion, and the first rank unless pawns can be dropped on it or move back to it."""
    pawns = [role for role in variant.roles if role.pawn]
    pocket = variant.pocket
    dropped = pocket is not None and pocket.drops and any(1 in pocket.ranks.get(pawn.id, ()) for pawn in pawns)
    retreats = any(dy < 0 for pawn in pawns for atom in pawn.atoms for _, dy in atom.steps)
    forced = {rank for pawn in pawns if pawn.id in variant.promotions for rank in variant.promotions[pawn.id].forced}
    begins = any(1 in pawn.initial_ranks for pawn in pawns)
    return frozenset(forced if dropped or retreats or begins else forced | {1})


def _castling_homes(variant: Variant) -> tuple[int, ...]:
    rule = variant.castling
    if rule is None or variant.role(rule.king).royal:
        return ()
    return rule.king_from, variant.geometry.square(rule.king_from, variant.ranks - 1)


def _around(geometry: Geometry) -> tuple[tuple[int, ...], ...]:
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    near = ([geometry.shifted(square, step) for step in steps] for square in range(geometry.size))
    return tuple(tuple(square for square in squares if square is not None) for squares in near)


def _extinct(variant: Variant, codes: PieceCodes) -> tuple[tuple[bytes, bytes], ...]:
    rule = variant.endings.extinction
    if rule is None:
        return ()
    every = tuple(role.id for role in variant.roles)
    groups: list[tuple[str, ...]] = [(kind,) for kind in rule.kinds] or [every]

    def others(kinds: tuple[str, ...], side: int) -> bytes:
        counted = frozenset[int]().union(*(codes.all_of(kind, side) for kind in kinds))
        return bytes(code for code in range(256) if code not in counted)

    return tuple((others(kinds, 0), others(kinds, 1)) for kinds in groups)


def _goals(variant: Variant, codes: PieceCodes) -> tuple[tuple[frozenset[int], frozenset[int]], ...]:
    goal = variant.endings.goal
    return () if goal is None else tuple((codes.all_of(goal.role, side), goal.squares[side]) for side in SIDES)


@lru_cache(maxsize=512)
def compile_role(geometry: Geometry, atoms: tuple[Atom, ...], first: frozenset[int]) -> RoleMoves:
    """The moves of `atoms` (as that colour sees them). First moves are allowed from the squares `first`.

    Raises DoublePath.
    """
    later, at_first = _ways(atoms, initial=False), _ways(atoms, initial=True)
    moves = tuple(
        _moves_from(geometry, at_first if origin in first else later, origin) for origin in range(geometry.size)
    )
    return RoleMoves(moves, tuple(_capture_paths(found) for found in moves))


@dataclass(frozen=True, slots=True)
class _Ways:
    """The directions in which a role moves, each with how often it may step there (0: to the edge)."""

    both: tuple[tuple[Vector, int], ...]
    quiet: tuple[tuple[Vector, int], ...]
    takes: tuple[tuple[Vector, int], ...]
    bent: tuple[Atom, ...]


def _ways(atoms: tuple[Atom, ...], initial: bool) -> _Ways:
    limits: dict[Mode, dict[Vector, int]] = {mode: {} for mode in Mode}
    allowed = [atom for atom in atoms if initial or not atom.initial]
    for atom in allowed:
        if not atom.onward:
            of_mode = limits[atom.mode]
            for step in atom.steps:
                known = of_mode.get(step, 1)
                of_mode[step] = 0 if 0 in (known, atom.limit) else max(known, atom.limit)
    both, quiet, takes = (tuple(limits[mode].items()) for mode in (Mode.BOTH, Mode.MOVE, Mode.CAPTURE))
    return _Ways(both, quiet, takes, tuple(atom for atom in allowed if atom.onward))


def _moves_from(geometry: Geometry, ways: _Ways, origin: int) -> Moves:
    both, quiet, takes = (
        tuple(ray for vector, limit in lines if (ray := _ray(geometry, origin, origin, vector, limit)))
        for lines in (ways.both, ways.quiet, ways.takes)
    )
    jumps = tuple(line[0] for line in both if len(line) == 1)
    rays = tuple(line for line in both if len(line) > 1)
    bents = tuple(bent for atom in ways.bent for bent in _bents(geometry, atom, origin))
    found = Moves(jumps, rays, bents, quiet, takes)
    _refuse_double_paths(found)
    return found


@lru_cache(maxsize=16_384)
def _ray(geometry: Geometry, origin: int, start: int, vector: Vector, limit: int) -> Ray:
    pool, names = _plain_targets(geometry), geometry.names
    line = []
    at = geometry.shifted(start, vector)
    while at is not None:
        line.append(_plain_target(pool, names, origin, at))
        if len(line) == limit:
            break
        at = geometry.shifted(at, vector)
    return tuple(line)


def _bents(geometry: Geometry, atom: Atom, origin: int) -> list[tuple[int, NormalMove, tuple[Ray, ...]]]:
    found = []
    pool, names = _plain_targets(geometry), geometry.names
    for vector, onward in zip(atom.steps, atom.onward, strict=True):
        elbow = geometry.shifted(origin, vector)
        if elbow is not None:
            rays = (_ray(geometry, origin, elbow, run, 0) for run in onward)
            found.append((*_plain_target(pool, names, origin, elbow), tuple(ray for ray in rays if ray)))
    return found


def _refuse_double_paths(moves: Moves) -> None:
    both = [target for target, _ in moves.jumps]
    both += [target for ray in moves.rays for target, _ in ray]
    for elbow, _, rays in moves.bents:
        both.append(elbow)
        both += [target for ray in rays for target, _ in ray]
    for lines in (moves.quiet, moves.takes):
        targets = both + [target for line in lines for target, _ in line]
        if len(set(targets)) != len(targets):
            raise DoublePath("the movement reaches one square in two ways")


def _capture_paths(moves: Moves) -> dict[int, Path]:
    paths: dict[int, Path] = {target: () for target, _ in moves.jumps}
    for line in moves.rays + moves.takes:
        squares = tuple(target for target, _ in line)
        paths.update(zip(squares, _beginnings(squares), strict=True))
    for elbow, _, rays in moves.bents:
        paths[elbow] = ()
        for ray in rays:
            squares = (elbow, *(target for target, _ in ray))
            paths.update(zip(squares, _beginnings(squares), strict=True))
    return paths


@lru_cache(maxsize=16_384)
def _beginnings(squares: Path) -> tuple[Path, ...]:
    """What lies before each of the squares."""
    return tuple(squares[:nth] for nth in range(len(squares)))


@cache
def _plain_targets(geometry: Geometry) -> dict[int, Target]:
    """The steps without promotion or gating so far, each beside its target, by `origin << 8 | target`; shared by all
    roles and variants."""
    return {}


def _plain_target(pool: dict[int, Target], names: tuple[str, ...], origin: int, target: int) -> Target:
    found = pool.get(origin << 8 | target)
    if found is None:
        step = NormalMove(origin, target, None, None, names[origin] + names[target])
        found = pool[origin << 8 | target] = (target, step)
    return found
