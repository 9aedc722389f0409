"""A whole game as what each piece does, so that an animation holds only what changes. Knows no markup and no seconds.

Who moves is read from the moves; whatever else a move brings about (a capture, en passant, a promotion, a gated piece)
is read from the boards before and after it, so that the film always ends where the rules say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.pictures.drawings import Look, look_of
from server.pictures.scene import Scene
from server.rules.movegen.moves import Castle, Drop, Move


@dataclass(frozen=True, slots=True)
class Actor:
    """One piece. Seen from the scene `born` (0: the start) up to the scene `gone`, in which it is seen no more (None:
    to the end). `path`: (scene, square) where it stands from that scene on; the first is where it appears."""

    look: Look
    born: int
    gone: int | None
    path: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Role:
    """An actor while the film is made."""

    look: Look
    born: int
    path: list[tuple[int, int]] = field(default_factory=list)
    gone: int | None = None


def actors(scenes: Sequence[Scene]) -> tuple[Actor, ...]:
    """Every piece that is ever on the board in these scenes, which follow one upon the other."""
    cast: list[_Role] = []
    standing: dict[int, _Role] = {}
    for nth, scene in enumerate(scenes):
        if scene.move is not None:
            _move(standing, scene.move, nth)
        _agree(cast, standing, scene, nth)
    return tuple(Actor(role.look, role.born, role.gone, tuple(role.path)) for role in cast)


def _move(standing: dict[int, _Role], move: Move, nth: int) -> None:
    """Moves the actors whom the move names; who stands where they arrive is gone."""
    match move:
        case Castle():
            journeys = [(move.origin, move.target), (move.rook_origin, move.rook_target)]
        case Drop():
            journeys = []
        case _:
            journeys = [(move.origin, move.target)]
    travelling = [(standing.pop(origin), origin, target) for origin, target in journeys]
    for role, origin, target in travelling:
        if target in standing:
            standing[target].gone = nth
        standing[target] = role
        if target != origin:
            role.path.append((nth, target))


def _agree(cast: list[_Role], standing: dict[int, _Role], scene: Scene, nth: int) -> None:
    """Who is not on the board of the scene, or no longer looks like that, is gone; who is new appears."""
    codes = scene.position.tables.codes
    for square, code in enumerate(scene.position.board):
        look = look_of(codes, code)
        role = standing.get(square)
        if role is not None and role.look != look:
            role.gone = nth
            del standing[square]
        if look is not None and square not in standing:
            standing[square] = _Role(look, nth, [(nth, square)])
            cast.append(standing[square])
