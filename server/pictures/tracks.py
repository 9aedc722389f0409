"""A whole game as the track of each piece, so that an animation contains only changes. Knows no markup, no seconds.

Which piece moves is read from the moves; whatever else a move causes (a capture, en passant, a promotion, a gated
piece) is read from the boards before and after it, so that the replay always ends where the rules say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.pictures.drawings import Piece, piece_of
from server.pictures.scene import Scene
from server.rules.movegen.moves import Castle, Drop, Move


@dataclass(frozen=True, slots=True)
class PieceTrack:
    """One piece, shown from the scene `born` (0: the start) until the scene `gone`, which no longer shows it (None: to
    the end). `path`: (scene, square), the square where it stands from that scene on; it appears on the first."""

    piece: Piece
    born: int
    gone: int | None
    path: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Track:
    """A track that is still being recorded."""

    piece: Piece
    born: int
    path: list[tuple[int, int]] = field(default_factory=list)
    gone: int | None = None


def piece_tracks(scenes: Sequence[Scene]) -> tuple[PieceTrack, ...]:
    """The tracks of all pieces that are ever on the board in these consecutive scenes."""
    tracks: list[_Track] = []
    standing: dict[int, _Track] = {}
    for nth, scene in enumerate(scenes):
        if scene.move is not None:
            _move(standing, scene.move, nth)
        _agree(tracks, standing, scene, nth)
    return tuple(PieceTrack(track.piece, track.born, track.gone, tuple(track.path)) for track in tracks)


def _move(standing: dict[int, _Track], move: Move, nth: int) -> None:
    """Continues the tracks of the pieces that move; a piece on a square where one arrives is gone."""
    match move:
        case Castle():
            journeys = [(move.origin, move.target), (move.rook_origin, move.rook_target)]
        case Drop():
            journeys = []
        case _:
            journeys = [(move.origin, move.target)]
    travelling = [(standing.pop(origin), origin, target) for origin, target in journeys]
    for track, origin, target in travelling:
        if target in standing:
            standing[target].gone = nth
        standing[target] = track
        if target != origin:
            track.path.append((nth, target))


def _agree(tracks: list[_Track], standing: dict[int, _Track], scene: Scene, nth: int) -> None:
    """Makes the tracks agree with the board: a piece that is missing or has changed is gone, a new one appears."""
    codes = scene.position.tables.codes
    for square, code in enumerate(scene.position.board):
        piece = piece_of(codes, code)
        track = standing.get(square)
        if track is not None and track.piece != piece:
            track.gone = nth
            del standing[square]
        if piece is not None and square not in standing:
            standing[square] = _Track(piece, nth, [(nth, square)])
            tracks.append(standing[square])
