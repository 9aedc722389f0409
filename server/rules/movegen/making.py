"""Plays a move: the next position. Does not check that the move is legal; `legal.play` does."""

from typing import assert_never

from server.rules.movegen.attacks import is_attacked, squares_of
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.tables import Tables
from server.rules.variant.piece_codes import BLACK


def play_trusted(position: Position, move: Move) -> Position:
    """The position after a move that is known to be legal, as in replaying a stored game."""
    match move:
        case NormalMove():
            return _step(position, move)
        case Castle():
            return _castle(position, move)
        case Drop():
            return _drop(position, move)
        case _:
            assert_never(move)


def _step(position: Position, move: NormalMove) -> Position:
    tables, side, codes = position.tables, position.side, position.tables.codes
    origin, target = move.origin, move.target
    board = bytearray(position.board)
    code, captured = board[origin], board[target]
    board[origin] = 0
    board[target] = codes.become[side][move.promotion] if move.promotion else codes.settled[code]
    pawn = code in codes.pawns
    if target == position.en_passant and pawn and not captured:
        taken = tables.behind(side, target)
        captured, board[taken] = board[taken], 0
    pockets = position.pockets
    if captured and codes.to_pocket[captured] >= 0:
        pockets = _with_pocket(pockets, side, codes.to_pocket[captured], 1)
    if move.gate:
        board[origin] = codes.placed[side][move.gate]
        pockets = _with_pocket(pockets, side, codes.pocket_index[move.gate], -1)
    kings, castling = position.kings, position.castling
    if code in codes.kings:
        kings = (kings[0], target) if side else (target, kings[1])
        castling &= ~_first_rank(tables, side)
    if captured in codes.kings:
        kings = (kings[0], -1) if 1 - side else (-1, kings[1])
        castling &= ~_first_rank(tables, 1 - side)
    if captured and tables.around:
        kings, castling = _explode(tables, board, target, kings, castling)
    for home in tables.castling_homes:
        if home in (origin, target):
            castling &= ~_first_rank(tables, home > position.tables.variant.files)
    left = ~(1 << origin | 1 << target)
    double = tables.doubles[side].get(origin << 8 | target) if pawn else None
    en_passant = -1 if double is None else _en_passant(tables, board, 1 - side, double)
    halfmoves = 0 if pawn or captured or move.promotion else position.halfmoves + 1
    return _next(position, board, pockets, castling & left, position.gates & left, halfmoves, kings, en_passant)


def _explode(
    tables: Tables, board: bytearray, target: int, kings: tuple[int, int], castling: int
) -> tuple[tuple[int, int], int]:
    """Clears the board around a capture; the kings and castling rights that are left."""
    codes = tables.codes
    for square in (target, *tables.around[target]):
        code = board[square]
        if code and (square == target or code not in codes.pawns):
            board[square] = 0
            castling &= ~(1 << square)
            if code in codes.kings:
                side = code // BLACK
                kings = (kings[0], -1) if side else (-1, kings[1])
                castling &= ~_first_rank(tables, side)
    return kings, castling


def _next(
    position: Position,
    board: bytearray,
    pockets: tuple[bytes, bytes],
    castling: int,
    gates: int,
    halfmoves: int,
    kings: tuple[int, int],
    en_passant: int = -1,
) -> Position:
    """The position with the other side to move. `gates`: before a side loses them with its last pocket piece."""
    tables, side = position.tables, position.side
    gates = _gates(tables, gates, pockets) if gates else 0
    squares, to_check = bytes(board), position.to_check
    if to_check[side] and is_attacked(tables, squares, kings[1 - side], squares_of(tables, squares, side)):
        to_check = (to_check[0], to_check[1] - 1) if side else (to_check[0] - 1, to_check[1])
    return Position(
        tables, position.chess960, squares, 1 - side, pockets, castling, gates,
        en_passant, halfmoves, position.fullmove + side, kings, to_check,
    )  # fmt: skip


def _castle(position: Position, move: Castle) -> Position:
    tables, side = position.tables, position.side
    board = castled(position.board, move)
    pockets = position.pockets
    if move.gate:
        board[move.gate_square] = tables.codes.placed[side][move.gate]
        pockets = _with_pocket(pockets, side, tables.codes.pocket_index[move.gate], -1)
    gates = position.gates & ~(1 << move.origin | 1 << move.rook_origin)
    castling = position.castling & ~_first_rank(tables, side)
    kings = position.kings
    if kings[side] >= 0:
        kings = (kings[0], move.target) if side else (move.target, kings[1])
    return _next(position, board, pockets, castling, gates, position.halfmoves + 1, kings)


def castled(board: bytes, move: Castle) -> bytearray:
    """The board after castling, without a gated piece."""
    after = bytearray(board)
    king, rook = board[move.origin], board[move.rook_origin]
    after[move.origin] = after[move.rook_origin] = 0
    after[move.target] = king
    after[move.rook_target] = rook
    return after


def _drop(position: Position, move: Drop) -> Position:
    tables, side = position.tables, position.side
    codes = tables.codes
    code = codes.placed[side][move.role]
    board = bytearray(position.board)
    board[move.target] = code
    pockets = _with_pocket(position.pockets, side, codes.pocket_index[move.role], -1)
    kings = position.kings
    if code in codes.kings:
        kings = (kings[0], move.target) if side else (move.target, kings[1])
    castling = position.castling | _earned(tables, board, side)
    return _next(position, board, pockets, castling, position.gates, 0, kings)


def _with_pocket(pockets: tuple[bytes, bytes], side: int, index: int, change: int) -> tuple[bytes, bytes]:
    """The pockets with one role's count changed on one side."""
    mine = bytearray(pockets[side])
    mine[index] += change
    return (pockets[0], bytes(mine)) if side else (bytes(mine), pockets[1])


def _first_rank(tables: Tables, side: int) -> int:
    """A bit for each square of the side's first rank."""
    variant = tables.variant
    row = (1 << variant.files) - 1
    return row << (variant.ranks - 1) * variant.files if side else row


def _gates(tables: Tables, gates: int, pockets: tuple[bytes, bytes]) -> int:
    """The gating rights. A side loses them with its last pocket piece, unless captures can refill the pocket."""
    pocket = tables.variant.pocket
    if pocket is not None and not pocket.captures:
        for side in (0, 1):
            if not any(pockets[side]):
                gates &= ~_first_rank(tables, side)
    return gates


def _en_passant(tables: Tables, board: bytearray, side: int, square: int) -> int:
    """The square if a pawn of `side` attacks it, else -1."""
    takers = tables.en_passant[side].get(square, ())
    return square if any(board[origin] == code for origin, code in takers) else -1


def _earned(tables: Tables, board: bytearray, side: int) -> int:
    """Castling rights earned by king and rooks on their home squares."""
    castling = tables.variant.castling
    if castling is None or not castling.earned:
        return 0
    files, codes = tables.variant.files, tables.codes
    rank = (tables.variant.ranks - 1) * files if side else 0
    if board[rank + castling.king_from] not in codes.kings:
        return 0
    rook = codes.placed[side][castling.rook]
    return sum(1 << rank + file for file in castling.rook_from if board[rank + file] == rook)
