"""Boards drawn as text, so that a test shows its position."""

import re

from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant


def draw(variant: Variant, board: str, rest: str = "w - - 0 1", pocket: str = "", chess960: bool = False) -> Position:
    """The position of a drawn board: one line for a rank, the last rank first, a dot for an empty square.

    One line "..." stands for as many empty ranks as are missing.
    """
    rows = [line.replace(" ", "") for line in board.strip().splitlines()]
    if "..." in rows:
        at = rows.index("...")
        rows[at : at + 1] = ["." * variant.files] * (variant.ranks - len(rows) + 1)
    text = "/".join(re.sub(r"\.+", lambda run: str(len(run.group())), row) for row in rows)
    bracket = f"[{pocket}]" if variant.pocket else ""
    return parse_fen(variant, f"{text}{bracket} {rest}", chess960)


def ucis(position: Position, start: str = "") -> set[str]:
    """The legal moves whose UCI text begins so."""
    return {move.uci for move in legal_moves(position) if move.uci.startswith(start)}


def targets(position: Position, origin: str) -> set[str]:
    """The squares to which the piece on `origin` may go."""
    names = position.variant.geometry.names
    return {names[move.target] for move in legal_moves(position) if move.uci.startswith(origin)}


def after(position: Position, *moves: str) -> Position:
    """The position after those moves, each of them legal."""
    for move in moves:
        position = play(position, parse_uci(position, move))
    return position
