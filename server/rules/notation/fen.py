"""Reads and writes positions as FEN, and gives the start position.

Reads what Fairy-Stockfish and pychess write: pockets in brackets, `+` and `~` before and after promoted pieces,
castling as KQkq or by files, gating files, first-move letters. Refuses positions that cannot arise in a game.
"""

import re
from functools import lru_cache

from server.rules.errors import InvalidFen
from server.rules.movegen.attacks import squares_of
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.movegen.tables import Tables, tables_of
from server.rules.notation.fen_rights import format_rights, parse_rights
from server.rules.variant.piece_codes import BLACK, SIDES, PieceCodes
from server.rules.variant.variant import Variant

LONGEST = 200
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)
_PIECE_OR_RUN = re.compile(r"\+?[A-Za-z]~?|[1-9]\d?", re.ASCII)


def start_position(variant: Variant, chess960: bool = False) -> Position:
    """The usual start position; with `chess960` it castles as in chess960."""
    return parse_fen(variant, variant.start_fen, chess960)


def parse_fen(variant: Variant, text: str, chess960: bool = False) -> Position:
    """The position of a FEN, whose last two fields are optional. Raises InvalidFen."""
    if len(text) > LONGEST or not text.isascii():
        raise InvalidFen("long", most=LONGEST)
    fields = text.split(" ")
    if len(fields) not in (4, 6) or not all(fields[:2] + fields[3:]):
        raise InvalidFen("fields")
    tables = tables_of(variant)
    placement, pocket_text = _split_pocket(variant, fields[0])
    board = _parse_board(tables, placement)
    pockets = _parse_pockets(tables, pocket_text)
    if fields[1] not in ("w", "b"):
        raise InvalidFen("side", side=fields[1])
    side = "wb".index(fields[1])
    kings = _find_kings(tables, board, pockets)
    castling, gates, board = parse_rights(tables, fields[2], chess960, board, kings, pockets)
    halfmoves, fullmove = (_parse_number(field) for field in fields[4:]) if fields[4:] else (0, 1)
    position = Position(
        tables, chess960, board, side, pockets, castling, gates,
        _parse_en_passant(tables, board, side, fields[3]), halfmoves, max(fullmove, 1), kings,
    )  # fmt: skip
    _check_sanity(position)
    return position


def _split_pocket(variant: Variant, field: str) -> tuple[str, str]:
    placement, bracket, rest = field.partition("[")
    if not bracket:
        return placement, ""
    if not rest.endswith("]"):
        raise InvalidFen("pocket_open")
    return placement, "" if rest == "-]" else rest[:-1]


def _parse_board(tables: Tables, placement: str) -> bytes:
    variant = tables.variant
    rows = placement.split("/")
    if len(rows) != variant.ranks:
        raise InvalidFen("ranks", ranks=variant.ranks, found=len(rows))
    return b"".join(_parse_row(tables, row) for row in reversed(rows))


def _parse_row(tables: Tables, row: str) -> bytes:
    found = bytearray()
    at, after_run = 0, False
    while at < len(row):
        token = _PIECE_OR_RUN.match(row, at)
        if token is None:
            raise InvalidFen("rank", rank=row)
        text = token.group()
        if text.isdigit():
            if after_run:
                raise InvalidFen("two_numbers", rank=row)
            found += bytes(int(text))
        elif text in tables.codes.by_symbol:
            found.append(tables.codes.by_symbol[text])
        else:
            raise InvalidFen("no_such_piece", piece=text)
        after_run = text.isdigit()
        at = token.end()
    if len(found) != tables.variant.files:
        raise InvalidFen("rank_length", rank=row, found=len(found), files=tables.variant.files)
    return bytes(found)


def _parse_pockets(tables: Tables, text: str) -> tuple[bytes, bytes]:
    index = tables.codes.pocket_index
    pockets = (bytearray(len(index)), bytearray(len(index)))
    for letter in text:
        if letter.lower() not in index:
            raise InvalidFen("pocket_piece", piece=letter)
        pockets[letter.islower()][index[letter.lower()]] += 1
    cap = tables.army
    if any(sum(pocket) > cap for pocket in pockets):
        raise InvalidFen("pocket_full", most=cap)
    return bytes(pockets[0]), bytes(pockets[1])


def _find_kings(tables: Tables, board: bytes, pockets: tuple[bytes, bytes]) -> tuple[int, int]:
    found = []
    for side in SIDES:
        squares = [s for s in squares_of(tables, board, side) if board[s] in tables.codes.kings]
        held = sum(pockets[side][tables.codes.pocket_index[r]] for r in tables.codes.royal_in_pocket)
        if len(squares) + held != 1:
            raise InvalidFen("black_kings" if side else "white_kings", found=len(squares) + held)
        found.append(squares[0] if squares else -1)
    return found[0], found[1]


def _parse_number(field: str) -> int:
    if not _NUMBER.fullmatch(field):
        raise InvalidFen("counter", counter=field[:12])
    return int(field)


def _parse_en_passant(tables: Tables, board: bytes, side: int, field: str) -> int:
    """The square, or -1 if no pawn attacks it. Kept even if it is occupied, as in Fairy-Stockfish."""
    if field == "-":
        return -1
    square = tables.variant.geometry.parse(field)
    if square is None or square not in tables.doubles[1 - side].values():
        raise InvalidFen("en_passant", square=field[:6])
    pawn = tables.behind(side, square)
    if board[pawn] not in tables.codes.pawns or board[pawn] // BLACK == side:
        return -1
    takers = tables.en_passant[side].get(square, ())
    return square if any(board[origin] == code for origin, code in takers) else -1


def _check_sanity(position: Position) -> None:
    tables, board, side = position.tables, position.board, position.side
    geometry = tables.variant.geometry
    for square in tables.squares:
        code = board[square]
        if code in tables.codes.pawns and geometry.rank_for(square, code // BLACK) in tables.pawnless:
            raise InvalidFen("pawn_rank", square=geometry.names[square])
    own = squares_of(tables, board, side)
    if not tables.variant.takeable_king and king_can_be_taken(position):
        raise InvalidFen("check")
    if tables.variant.endings.bare_king_loses and len(own) == 1 and len(squares_of(tables, board, 1 - side)) == 1:
        raise InvalidFen("bare_kings")


def format_fen(position: Position) -> str:
    """The FEN of a position, as Fairy-Stockfish writes it."""
    tables = position.tables
    en_passant = tables.variant.geometry.names[position.en_passant] if position.en_passant >= 0 else "-"
    return (
        f"{_format_board(tables, position.board)}{_format_pockets(tables, position.pockets)} "
        f"{'b' if position.side else 'w'} {format_rights(position)} {en_passant} "
        f"{position.halfmoves} {position.fullmove}"
    )


def format_placement(position: Position) -> str:
    """What a FEN begins with: the pieces on the board, without the pockets."""
    return _format_board(position.tables, position.board)


@lru_cache(maxsize=512)
def _format_board(tables: Tables, board: bytes) -> str:
    """Cached, because a move is written down for the store and soon after for those who see it."""
    codes, files = tables.codes, tables.variant.files
    return "/".join([_format_row(codes, board[at : at + files]) for at in range(len(board) - files, -1, -files)])


@lru_cache(maxsize=4_096)
def _format_row(codes: PieceCodes, row: bytes) -> str:
    """One row of a FEN. Cached, because a move changes two rows at most."""
    text = "".join([codes.symbols[code] for code in row])
    for run in range(text.count(" "), 0, -1):
        text = text.replace(_BLANKS[run], str(run))
    return text


_BLANKS = tuple(" " * run for run in range(17))


def _format_pockets(tables: Tables, pockets: tuple[bytes, bytes]) -> str:
    pocket = tables.variant.pocket
    if pocket is None:
        return ""
    white = "".join([role.upper() * number for role, number in zip(pocket.order, pockets[0], strict=True) if number])
    black = "".join([role * number for role, number in zip(pocket.order, pockets[1], strict=True) if number])
    return f"[{white}{black}]"
