"""A whole game as one animated SVG (SMIL). It needs no script, so it moves wherever SVG is shown as a picture.

Only changes are written: a piece that never moves costs one element, a move some 40 bytes. Which piece moves is
read from the moves; whatever else a move causes (a capture, en passant, a promotion, a gated piece) is read from the
boards before and after it, so that the replay always ends where the rules say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from server.pictures.board import (
    background,
    badge,
    coordinates,
    counted_check,
    document,
    left_mark,
    piece_set_of,
    plates,
    pocket_background,
    pocket_piece,
    promoted_mark,
    reached_mark,
    star,
)
from server.pictures.drawings import Drawings, Piece, PieceSymbols, piece_of
from server.pictures.markup import element, number
from server.pictures.scene import PIECE, Scene, View
from server.rules.movegen.moves import Castle, Drop, Move
from server.rules.variant.piece_codes import SIDES


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


OFF = (0, -9999)
"""Where a hidden mark is kept."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: the start is shown for `first`, each later scene for `step`, the last for another `last`; then it starts
    again. `slide` is the part of each step in which the piece moves."""

    step: float = 0.8
    first: float = 1.0
    last: float = 4.0
    slide: float = 0.18

    def length(self, scenes: int) -> float:
        """Seconds until it starts again."""
        return self.first + (scenes - 1) * self.step + self.last


class Timeline:
    """Writes the animations of one replay: what is shown from which scene on."""

    def __init__(self, scenes: int, pace: Pace) -> None:
        self.pace = pace
        self.length = pace.length(scenes)

    def key(self, scene: int, late: float = 0) -> str:
        """When a scene begins, plus `late` seconds, as a fraction of the whole replay."""
        begins = 0.0 if scene == 0 else self.pace.first + (scene - 1) * self.pace.step
        return f"{(begins + late) / self.length:.5f}".rstrip("0").rstrip(".").removeprefix("0") or "0"

    def switch(self, attribute: str, values: Sequence[tuple[int, str]], late: float = 0) -> str:
        """Values that change abruptly: (from which scene on, value), starting with scene 0."""
        return self._animate("animate", values, late, attributeName=attribute)

    def jumps(self, places: Sequence[tuple[int, tuple[int, int]]]) -> str:
        """Places that something jumps between."""
        values = [(scene, f"{x} {y}") for scene, (x, y) in places]
        return self._animate("animateTransform", values, 0, attributeName="transform", type="translate")

    def _animate(self, name: str, values: Sequence[tuple[int, str]], late: float, **attributes: str) -> str:
        changes = [values[0], *(after for before, after in pairwise(values) if before[1] != after[1])]
        if len(changes) == 1:
            return ""
        return element(
            name, calcMode="discrete", dur=self._dur, repeatCount="indefinite",
            values=";".join(value for _, value in changes),
            keyTimes=";".join(self.key(scene, late if scene else 0) for scene, _ in changes), **attributes,
        )  # fmt: skip

    def walk(self, places: Sequence[tuple[int, tuple[int, int]]]) -> str:
        """Places between which a piece slides."""
        values, keys = [places[0][1]], ["0"]
        for (_, before), (scene, after) in pairwise(places):
            values += [before, after]
            keys += [self.key(scene), self.key(scene, self.pace.slide)]
        values, keys = [*values, values[-1]], [*keys, "1"]
        return element(
            "animateTransform", attributeName="transform", type="translate", dur=self._dur, repeatCount="indefinite",
            values=";".join(f"{x} {y}" for x, y in values), keyTimes=";".join(keys),
        )  # fmt: skip

    @property
    def _dur(self) -> str:
        return f"{number(round(self.length, 2))}s"


def replay_svg(scenes: Sequence[Scene], view: View, drawings: Drawings, pace: Pace | None = None) -> str:
    """The game from its first scene to its last, in a loop. The scenes are consecutive, as from `scenes`."""
    line = Timeline(len(scenes), pace or Pace())
    symbols = PieceSymbols(piece_set_of(view, drawings))
    tracks = piece_tracks(scenes)
    content = [
        background(view),
        _marks([scene.left for scene in scenes], left_mark(), view, line),
        _marks([scene.reached for scene in scenes], reached_mark(), view, line),
        _marks([scene.check for scene in scenes], star(), view, line),
        coordinates(view) if view.coordinates else "",
        *(symbols.in_color(side, _pieces(tracks, side, view, symbols, line)) for side in SIDES),
        *_pockets(scenes, view, symbols, line),
        *_checks(scenes, view, line),
        plates(view),
    ]
    return document(view, symbols, content)


def _marks(squares: Sequence[int | None], mark: str, view: View, line: Timeline) -> str:
    """A mark that is on one square in each scene, or on none."""
    places = [(scene, OFF if square is None else view.corner(square)) for scene, square in enumerate(squares)]
    if all(place == OFF for _, place in places):
        return ""
    return element("g", mark, line.jumps(places), transform=_translate(places[0][1]))


def _pieces(
    tracks: Sequence[PieceTrack], side: int, view: View, symbols: PieceSymbols, line: Timeline
) -> Iterator[str]:  # fmt: skip
    for track in tracks:
        if track.piece.side == side:
            yield _piece(track, view, symbols, line)


def _piece(track: PieceTrack, view: View, symbols: PieceSymbols, line: Timeline) -> str:
    path = [(scene, _standing(view, square)) for scene, square in track.path]
    seen = [(0, "visible" if track.born == 0 else "hidden"), (track.born, "visible")]
    if track.gone is not None:
        seen.append((track.gone, "hidden"))
    inside = [line.switch("visibility", seen, line.pace.slide), line.walk(path) if len(path) > 1 else ""]
    hidden: dict[str, str | float] = {} if track.born == 0 else {"visibility": "hidden"}
    place = _translate(path[0][1])
    if not track.piece.marked:
        return symbols.use(track.piece, *inside, transform=place, **hidden)
    mark = element("g", promoted_mark(), transform=_translate((-PIECE[0], -PIECE[1])))
    return element("g", symbols.use(track.piece), mark, *inside, transform=place, **hidden)


def _standing(view: View, square: int) -> tuple[int, int]:
    x, y = view.corner(square)
    return x + PIECE[0], y + PIECE[1]


def _translate(place: tuple[int, int]) -> str:
    return f"translate({place[0]} {place[1]})"


def _pockets(scenes: Sequence[Scene], view: View, symbols: PieceSymbols, line: Timeline) -> Iterator[str]:
    """Both pockets: a kind turns pale when the last piece leaves; each count has a badge, shown while it is right."""
    for side in SIDES if view.variant.pocket else ():
        yield pocket_background(view, side)
        counts = list(zip(*(scene.position.pockets[side] for scene in scenes), strict=True))
        yield symbols.in_color(
            side, (_pocket_piece(view, symbols, side, nth, one, line) for nth, one in enumerate(counts))
        )
        for nth, one in enumerate(counts):
            yield from (_badge(view, side, nth, many, one, line) for many in sorted(set(one) - {0}))


def _checks(scenes: Sequence[Scene], view: View, line: Timeline) -> Iterator[str]:
    """The stars of both sides: each fills when that check is given."""
    most = view.variant.endings.checks
    for side in SIDES:
        for nth in range(most):
            given = [nth < most - scene.position.to_check[side] for scene in scenes]
            filled = [(at, str(int(one))) for at, one in enumerate(given)]
            filling = line.switch("fill-opacity", filled, line.pace.slide)
            yield counted_check(view, side, nth, filling, given=given[0])


def _pocket_piece(view: View, symbols: PieceSymbols, side: int, nth: int, counts: Sequence[int], line: Timeline) -> str:
    values = [(at, "1" if count else ".2") for at, count in enumerate(counts)]
    return pocket_piece(view, symbols, side, nth, line.switch("opacity", values), opacity=1 if counts[0] else 0.2)


def _badge(view: View, side: int, nth: int, many: int, counts: Sequence[int], line: Timeline) -> str:
    values = [(at, "visible" if count == many else "hidden") for at, count in enumerate(counts)]
    return badge(view, side, nth, many, line.switch("visibility", values), visibility=values[0][1])
