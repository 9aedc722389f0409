"""Drops in a set-up phase, when only drops are legal and paired pieces need squares of both colours.

There are no checks while the armies are placed behind their pawns.
"""

from server.rules.movegen.moves import Drop
from server.rules.movegen.position import Position


def setup_drops(position: Position) -> list[Drop]:
    """The drops after which every pair can still be placed on opposite colours."""
    tables, board, side = position.tables, position.board, position.side
    pocket_rule = tables.variant.pocket
    pairs = pocket_rule.pairs if pocket_rule else frozenset[str]()
    is_dark = tables.variant.geometry.is_dark
    found: list[Drop] = []
    for row, number in zip(tables.drop_rows[side], position.pockets[side], strict=True):
        if not number:
            continue
        for drop in row.drops:
            if board[drop.target]:
                continue
            dark = is_dark(drop.target)
            if row.role in pairs and dark not in _wanted(position, row.role):
                continue
            if all(_can_complete(position, role, drop) for role in pairs):
                found.append(drop)
    return found


def _wanted(position: Position, role: str) -> set[bool]:
    """The square colours (True = dark) that the pieces of a paired role in the pocket still need."""
    tables, side = position.tables, position.side
    code = tables.codes.placed[side][role]
    standing = {tables.variant.geometry.is_dark(s) for s in tables.squares if position.board[s] == code}
    held = position.pockets[side][tables.codes.pocket_index[role]]
    return {True, False} - standing if held else set()


def _can_complete(position: Position, role: str, drop: Drop) -> bool:
    """Is there a free square of each colour that the role still needs after the drop?"""
    tables, side = position.tables, position.side
    is_dark = tables.variant.geometry.is_dark
    wanted = _wanted(position, role)
    if drop.role == role:
        wanted.discard(is_dark(drop.target))
    row = tables.drop_rows[side][tables.codes.pocket_index[role]]
    free = {is_dark(s) for s in row.by_square if not position.board[s] and s != drop.target}
    return wanted <= free
