"""The three kinds of move. Knows nothing of positions or legality.

Moves are interned: the compiled tables of a variant hold one object for each, so that listing legal moves makes none.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A piece goes from `origin` to `target`; en passant is such a step too."""

    origin: int
    target: int
    promotion: str | None
    """Role id of what the piece becomes ("q", "+n")."""
    gate: str | None
    """Role id of the piece put from the pocket on the square left behind."""
    uci: str


@dataclass(frozen=True, slots=True)
class Castle:
    """King and rook move together; the targets are those of the standard game."""

    origin: int
    target: int
    rook_origin: int
    rook_target: int
    gate: str | None
    gate_square: int
    """Where the gated piece stands afterwards: the king's or the rook's first square; -1 without a gate."""
    uci: str


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece from the pocket is put on an empty square."""

    role: str
    target: int
    uci: str


Move = Step | Castle | Drop
