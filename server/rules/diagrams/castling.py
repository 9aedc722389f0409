"""Diagrams of castling: king and rooks before it, and after castling on each wing."""

from dataclasses import dataclass
from random import Random

from server.rules.diagrams.diagram import Diagram, Mark, Proof, Use
from server.rules.diagrams.staging import PieceSetup, letter_of, stage
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.moves import Castle
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san
from server.rules.shuffle import shuffled_fen
from server.rules.variant.variant import Castling, Variant

SHUFFLES = range(5, 100)
"""Seeds tried until the king stands off its usual square and can castle on both wings."""


@dataclass(frozen=True, slots=True)
class CastlingDiagrams:
    """The diagram before castling, and one after it for each wing."""

    start: Diagram
    """The start position that king and rooks are taken from."""
    before: Diagram
    after: tuple[tuple[Castle, str, Diagram], ...]
    """The move, its SAN, and the position after it."""


def castling(variant: Variant) -> CastlingDiagrams | None:
    """White's castling from the usual squares; None if the variant has none."""
    rule = variant.castling
    if rule is None:
        return None
    pieces = {rule.king_from: letter_of(variant.king)} | {file: letter_of(rule.rook) for file in rule.rook_from}
    return _diagrams_of(PieceSetup(variant, pieces, rights="KQ"), Diagram(variant, variant.start_fen))


def castling_960(variant: Variant) -> CastlingDiagrams | None:
    """White's castling from a shuffled first rank; None if the variant has no chess960 form."""
    rule = variant.castling
    if not variant.chess960 or rule is None:
        return None
    starts = (Diagram(variant, shuffled_fen(variant, Random(seed)), chess960=True) for seed in SHUFFLES)
    unusual = (start for start in starts if start.position.kings[0] != rule.king_from)
    return next((diagrams for start in unusual if (diagrams := _from_shuffled(start, rule))), None)


def _from_shuffled(start: Diagram, rule: Castling) -> CastlingDiagrams | None:
    pieces = {square: start.position.letter_at(square) for square in _castlers(start.position, rule)}
    rights = "".join(letter for letter in start.fen.split(" ")[2] if letter.isupper())
    return _diagrams_of(PieceSetup(start.variant, pieces, rights=rights, chess960=True), start)


def _castlers(position: Position, rule: Castling) -> set[int]:
    """The squares of White's king and rooks."""
    rook = position.tables.codes.placed[0][rule.rook]
    return {position.kings[0]} | {square for square in range(position.variant.files) if position.board[square] == rook}


def _diagrams_of(setup: PieceSetup, start: Diagram) -> CastlingDiagrams | None:
    wings = len(setup.rights)
    staged = stage(setup, lambda position: len(_castles(position)) == wings)
    if staged is None:
        return None
    variant, castles = setup.variant, _castles(staged.position)
    marks = tuple(
        Mark(move.target, Use.REACHED, (Proof(staged.fen, move.uci, setup.chess960),))
        for move in castles
        if not staged.position.board[move.target]
    )
    king = staged.position.kings[0]
    before = Diagram(variant, staged.fen, setup.chess960, king, marks, hidden=staged.hidden)
    after = tuple(
        (move, format_san(staged.position, move), _after(staged.position, move, staged.hidden)) for move in castles
    )
    return CastlingDiagrams(start, before, after)


def _castles(position: Position) -> list[Castle]:
    """The legal castling moves without gating, towards the last file first."""
    found = [move for move in legal_moves(position) if isinstance(move, Castle) and move.gate is None]
    return sorted(found, key=lambda move: -move.rook_origin)


def _after(position: Position, move: Castle, hidden: frozenset[int]) -> Diagram:
    after = format_fen(play(position, move))
    parse_fen(position.variant, after, position.chess960)
    moved = tuple(dict.fromkeys((move.origin, move.rook_origin, move.target, move.rook_target)))
    return Diagram(position.variant, after, position.chess960, moved=moved, hidden=hidden)
