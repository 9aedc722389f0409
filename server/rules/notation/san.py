"""Reads and writes moves as SAN.

Writes what Fairy-Stockfish writes (`O-O`, `a8=Q`, `P@e4`, `Nc3/H`, `O-O/He1`), except that `#` means mate only and not
also a check that wins in another way; where captures explode, neither `#` nor `+`. Reads little more than that:
`move_reader` knows what others write.
"""

import re
from typing import assert_never

from server.rules.errors import AmbiguousMove, IllegalMove, InvalidMove
from server.rules.movegen.attacks import is_attacked, squares_of
from server.rules.movegen.legal import in_check, is_mate, king_can_be_taken, legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Role

_LONGEST = 20
_MARKS = "+#!?"
_CASTLE = re.compile(r"([O0o])-\1(-\1)?(?:/([A-Z])([a-p]\d{1,2}))?", re.ASCII)
_DROP = re.compile(r"([A-Z]?)@([a-p]\d{1,2})", re.ASCII)
_STEP = re.compile(
    r"([A-Z])?([a-p])?(\d{1,2})?[x:-]?([a-p]\d{1,2})(?:=([A-Za-z])|([A-Z]))?(?:/([A-Z]))?(?: ?e\.p\.)?", re.ASCII
)


def format_san(position: Position, move: Move, after: Position | None = None) -> str:
    """The SAN of a legal move. `after`: the position after it, if the caller has it."""
    match move:
        case NormalMove():
            text = _step_text(position, move)
        case Castle():
            text = "O-O" if move.rook_origin > move.origin else "O-O-O"
            if move.gate:
                text += f"/{_letter(position, move.gate)}{position.variant.geometry.names[move.gate_square]}"
        case Drop():
            text = f"{_letter(position, move.role)}@{position.variant.geometry.names[move.target]}"
        case _:
            assert_never(move)
    if position.tables.around:
        return text
    if after is None:
        after = play_trusted(position, move)
    if not in_check(after) or (king_can_be_taken(position) and not _adds_check(position, move, after)):
        return text
    return text + ("#" if is_mate(after) else "+")


def _adds_check(position: Position, move: Move, after: Position) -> bool:
    """Does the move give a check of its own where there was one before? (No game reaches such a position.)

    As in Fairy-Stockfish, an attack through the square that an attacker has just left was there before.
    """
    tables, side, king = position.tables, position.side, after.kings[after.side]

    def attackers(board: bytes) -> set[int]:
        return {s for s in squares_of(tables, board, side) if is_attacked(tables, board, king, [s])}

    before = attackers(position.board)
    board = bytearray(after.board)
    if isinstance(move, NormalMove) and move.origin in before:
        board[move.origin] = position.board[move.origin]
    return not attackers(bytes(board)) <= before


def _letter(position: Position, role_id: str) -> str:
    return position.variant.role(role_id).san


def _moved(position: Position, step: NormalMove) -> Role:
    kind = position.tables.codes.kinds[position.board[step.origin]]
    if kind is None:
        raise IllegalMove("illegal", move=step.uci)
    return kind.role


def _step_text(position: Position, move: NormalMove) -> str:
    names, role = position.variant.geometry.names, _moved(position, move)
    target = names[move.target]
    if role.pawn:
        aside = (move.target - move.origin) % position.variant.files != 0
        text = f"{names[move.origin][0]}x{target}" if aside else target
    else:
        takes = "x" if position.board[move.target] else ""
        text = f"{role.san}{_which(position, move, role)}{takes}{target}"
    if move.promotion:
        text += f"={_letter(position, move.promotion)}"
    if move.gate:
        text += f"/{_letter(position, move.gate)}"
    return text


def _which(position: Position, move: NormalMove, role: Role) -> str:
    """The file, else the rank, else the square of origin, if another such piece has the same move.

    The same move means the same target, promotion and gate.
    """
    target, origin = move.target, move.origin
    others = {
        other.origin
        for other in legal_moves(position)
        if other.target == target
        and type(other) is NormalMove
        and other.origin != origin
        and other.promotion == move.promotion
        and other.gate == move.gate
        and _moved(position, other) is role
    }
    if not others:
        return ""
    geometry = position.variant.geometry
    name = geometry.names[origin]
    if all(geometry.file(other) != geometry.file(origin) for other in others):
        return name[0]
    if all(geometry.rank(other) != geometry.rank(origin) for other in others):
        return name[1:]
    return name


def parse_san(position: Position, text: str) -> Move:
    """The legal move with that SAN. Check marks, `=` and `x` are optional, castling may have zeros or small letters.

    Raises InvalidMove if it is no move at all, IllegalMove if it is illegal, AmbiguousMove if it fits several moves.
    """
    bare = text[: _LONGEST + 1].rstrip(_MARKS)
    if len(text) > _LONGEST:
        raise InvalidMove("unreadable", move=f"{text[:_LONGEST]}...")
    found = san_candidates(position, bare)
    if not found:
        raise IllegalMove("illegal", move=bare)
    if len(found) > 1:
        raise AmbiguousMove("ambiguous", move=bare, moves=", ".join(move.uci for move in found[:4]))
    return found[0]


def san_candidates(position: Position, text: str) -> list[Move]:
    """All legal moves that `text`, a SAN without check marks, fits. Raises InvalidMove if it is no SAN."""
    moves = legal_moves(position)
    if castle := _CASTLE.fullmatch(text):
        _, long, gate, square = castle.groups()
        return [m for m in moves if isinstance(m, Castle) and _castles_so(position, m, bool(long), gate, square)]
    if drop := _DROP.fullmatch(text):
        letter, square = drop.group(1) or "P", position.variant.geometry.parse(drop.group(2))
        return [
            move
            for move in moves
            if isinstance(move, Drop) and move.target == square and _letter(position, move.role) == letter
        ]
    if step := _STEP.fullmatch(text):
        return _steps_like(position, step)
    raise InvalidMove("unreadable", move=text)


def _castles_so(position: Position, move: Castle, long: bool, gate: str | None, square: str | None) -> bool:
    if long == (move.rook_origin > move.origin):
        return False
    if move.gate is None or gate is None:
        return move.gate is None and gate is None
    return _letter(position, move.gate) == gate and position.variant.geometry.names[move.gate_square] == square


def _steps_like(position: Position, text: re.Match[str]) -> list[Move]:
    letter, file, rank, target_name, *promotions, gate = text.groups()
    geometry = position.variant.geometry
    names, target = geometry.names, geometry.parse(target_name)
    if target is None:
        return []
    promotion = next((one.upper() for one in promotions if one), None)
    fitting = []
    for move in legal_moves(position):
        if not isinstance(move, NormalMove) or move.target != target:
            continue
        role, origin = _moved(position, move), names[move.origin]
        if letter != role.san and not (letter is None and role.pawn):
            continue
        if letter is None and file is None and geometry.file(move.origin) != geometry.file(target):
            continue  # "d5" is a step: a capture names the file that the pawn leaves
        if file not in (None, origin[0]) or rank not in (None, origin[1:]):
            continue
        if (_letter(position, move.gate) if move.gate else None) == gate:
            fitting.append(move)
    exact = [move for move in fitting if (move.promotion and _letter(position, move.promotion)) == promotion]
    # If promotion is forced, the text need not name the piece as long as there is no choice.
    return list(exact or ([] if promotion else fitting))
