"""Movement compiled for one board: where atoms lead from every square, and what must be empty on the way.

Everything is cached by value, so variants with the same board and movement share one table, and the roles of a variant
their rays.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from server.rules.movegen.moves import NormalMove
from server.rules.variant.board import Geometry
from server.rules.variant.movement import Atom, Mode, Vector

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


@cache
def plain_targets(geometry: Geometry) -> dict[int, Target]:
    """The steps without promotion or gating so far, each beside its target, by `origin << 8 | target`; shared by all
    roles and variants."""
    return {}


def _plain_target(pool: dict[int, Target], names: tuple[str, ...], origin: int, target: int) -> Target:
    found = pool.get(origin << 8 | target)
    if found is None:
        step = NormalMove(origin, target, None, None, names[origin] + names[target])
        found = pool[origin << 8 | target] = (target, step)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RoleMoves:
    """One role of one colour on one board, by square; there is one object for all that move alike."""

    moves: tuple[Moves, ...]
    captures: tuple[dict[int, Path], ...]
    """Every square that can be captured on, with the squares that must be empty on the way."""


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
    pool, names = plain_targets(geometry), geometry.names
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
    pool, names = plain_targets(geometry), geometry.names
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


def forget_parts() -> None:
    """Lets go of what was only kept so that the roles of a variant share it while they are compiled."""
    _ray.cache_clear()
    _beginnings.cache_clear()
