"""A whole game as the track of each piece, so that an animation contains only changes. Knows no markup, no seconds.

Which piece moves is read from the moves; whatever else a move causes (a capture, en passant, a promotion, a gated
piece) is read from the boards before and after it, so that the replay always ends where the rules say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.pictures.drawings import Piece, piece_of
from server.pictures.scene import Scene
from server.rules.movegen.moves import Castle, Drop, Move


@dataclass(slots=True)
class PieceTrack:
    """One piece, shown from the scene `born` (0: the start) until the scene `gone`, which no longer shows it (None: to
    the end). `path`: (scene, square), the square where it stands from that scene on; it appears on the first."""

    piece: Piece
    born: int
    path: list[tuple[int, int]]
    gone: int | None = None


def piece_tracks(scenes: Sequence[Scene]) -> Sequence[PieceTrack]:
    """The tracks of all pieces that are ever on the board in these consecutive scenes."""
    tracks: list[PieceTrack] = []
    standing: dict[int, PieceTrack] = {}
    for nth, scene in enumerate(scenes):
        if scene.move is not None:
            _move(standing, scene.move, nth)
        _agree(tracks, standing, scene, nth)
    return tracks


def _move(standing: dict[int, PieceTrack], move: Move, nth: int) -> None:
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


def _agree(tracks: list[PieceTrack], standing: dict[int, PieceTrack], scene: Scene, nth: int) -> None:
    """Makes the tracks agree with the board: a piece that is missing or has changed is gone, a new one appears."""
    codes = scene.position.tables.codes
    for square, code in enumerate(scene.position.board):
        piece = piece_of(codes, code)
        track = standing.get(square)
        if track is not None and track.piece != piece:
            track.gone = nth
            del standing[square]
        if piece is not None and square not in standing:
            standing[square] = PieceTrack(piece, nth, [(nth, square)])
            tracks.append(standing[square])
