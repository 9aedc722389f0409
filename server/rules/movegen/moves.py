"""The three kinds of move.

Moves are interned: the compiled tables of a variant hold one object per move, so that listing moves creates none.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NormalMove:
    """A piece moves from `origin` to `target`; includes en passant."""

    origin: int
    target: int
    promotion: str | None
    """Role id that the piece promotes to ("q", "+n")."""
    gate: str | None
    """Role id of the piece gated on the square it leaves."""
    uci: str


@dataclass(frozen=True, slots=True)
class Castle:
    """King and rook castle; their targets are those of the standard game."""

    origin: int
    target: int
    rook_origin: int
    rook_target: int
    gate: str | None
    gate_square: int
    """Where the gated piece is placed: the initial square of king or rook; -1 without gating."""
    uci: str


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece is dropped from the pocket on an empty square."""

    role: str
    target: int
    uci: str


Move = NormalMove | Castle | Drop
