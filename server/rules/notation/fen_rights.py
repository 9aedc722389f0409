"""The third field of a FEN: castling, gating and first-move rights.

Castling is KQkq in the standard game and file letters in the 960 form, the king's side first. After a side's
castling letters come the files of its unmoved first-rank pieces that may gate; a castling right implies the files
of its king and rook. A first-move right is the letter that the variant names, upper case for White.
"""

from server.rules.errors import InvalidFen
from server.rules.movegen.position import Position
from server.rules.movegen.tables import Tables
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.piece_codes import OWN, SIDES

Pair = tuple[int, int]
Pockets = tuple[bytes, bytes]


def parse_rights(
    tables: Tables, field: str, chess960: bool, board: bytes, kings: Pair, pockets: Pockets
) -> tuple[int, int, bytes]:
    """Castling and gating bits, and the board with unmoved kings marked. Raises InvalidFen."""
    if field in ("-", ""):  # Fairy-Stockfish leaves the field empty when only dead gating rights are left
        return 0, 0, board
    variant = tables.variant
    if len(field) > 2 * variant.files + 6 or not field.isascii() or not field.isalpha():
        raise InvalidFen("rights", rights=field[:20])
    castling = gates = 0
    for side in SIDES:
        letters = [letter.lower() for letter in field if letter.islower() == bool(side)]
        if tables.codes.unmoved[side]:
            board = _first_move(tables, letters, side, board, kings[side])
        elif variant.castling is not None:
            castles, brings = _side_rights(tables, letters, chess960, side, board, kings[side], pockets)
            castling |= castles
            gates |= brings
        elif any(letter not in "kq" for letter in letters):
            raise InvalidFen("no_castling", rights=field)
    return castling, gates, board


def _first_move(tables: Tables, letters: list[str], side: int, board: bytes, king: int) -> bytes:
    if not letters:
        return board
    letter, home = tables.variant.first_move, tables.homes[side]
    if letters != [letter]:
        raise InvalidFen("first_move_letters", white=letter.upper(), black=letter)
    if king != home:
        raise InvalidFen("first_move_king", square=tables.variant.geometry.names[home])
    marked = bytearray(board)
    marked[king] = tables.codes.unmoved[side]
    return bytes(marked)


def _side_rights(
    tables: Tables, letters: list[str], chess960: bool, side: int, board: bytes, king: int, pockets: Pockets
) -> tuple[int, int]:
    """Castling and gating bits of one side."""
    variant, files = tables.variant, tables.variant.files
    rank = (variant.ranks - 1) * files if side else 0
    castling = gates = 0
    spent = not any(pockets[side]) and not (variant.pocket and variant.pocket.captures)
    flagged = {rank + FILE_LETTERS.index(letter) for letter in letters if letter in FILE_LETTERS[:files]}
    for letter in letters:
        if letter in "kq":
            castling |= 1 << _castling_rook(tables, letter == "k", chess960, side, board, king)
        elif letter not in FILE_LETTERS[:files]:
            raise InvalidFen("right", right=letter)
    for square in flagged:
        if not variant.gates:
            castling |= 1 << _rook_on(tables, square, chess960, side, board, king)
        elif not OWN[side][board[square]] or board[square] in tables.codes.pawns:
            raise InvalidFen("no_gate", square=variant.geometry.names[square])
        else:
            gates |= 1 << square
            if chess960 and _is_rook(tables, side, board, square) and (king in flagged or spent):
                castling |= 1 << _rook_on(tables, square, chess960, side, board, king)
    if variant.gates:
        gates |= castling | (1 << king if castling else 0)
        if spent:
            gates = 0
    if sum(castling >> square & 1 for square in range(king)) > 1 or (castling >> king + 1).bit_count() > 1:
        raise InvalidFen("two_rooks")
    return castling, gates


def _is_rook(tables: Tables, side: int, board: bytes, square: int) -> bool:
    castling = tables.variant.castling
    return castling is not None and board[square] == tables.codes.placed[side][castling.rook]


def _castling_rook(tables: Tables, king_side: bool, chess960: bool, side: int, board: bytes, king: int) -> int:
    """The outermost rook on that wing."""
    files = tables.variant.files
    rank = (tables.variant.ranks - 1) * files if side else 0
    wing = range(rank + files - 1, king, -1) if king_side else range(rank, king)
    for square in wing if chess960 else wing[:1]:
        if _is_rook(tables, side, board, square):
            return _rook_on(tables, square, chess960, side, board, king)
    raise InvalidFen("no_rook")


def _rook_on(tables: Tables, square: int, chess960: bool, side: int, board: bytes, king: int) -> int:
    """The square, if king and rook stand where castling is possible. Raises InvalidFen."""
    variant = tables.variant
    castling = variant.castling
    rank = (variant.ranks - 1) * variant.files if side else 0
    at_home = castling is not None and (
        rank <= king < rank + variant.files
        if chess960
        else king == rank + castling.king_from and square - rank in castling.rook_from
    )
    if not at_home or not _is_rook(tables, side, board, square):
        raise InvalidFen("not_at_home")
    return square


def format_rights(position: Position) -> str:
    """The rights field of a position; "-" if there are none."""
    tables = position.tables
    codes = tables.codes
    if codes.unmoved[0]:
        letter = tables.variant.first_move
        white = letter.upper() if position.board[tables.homes[0]] == codes.unmoved[0] else ""
        return white + (letter if position.board[tables.homes[1]] == codes.unmoved[1] else "") or "-"
    if not position.castling and not position.gates:
        return "-"
    return (_format_side(position, 0).upper() + _format_side(position, 1)) or "-"


def _format_side(position: Position, side: int) -> str:
    variant, king = position.variant, position.kings[side]
    rank = (variant.ranks - 1) * variant.files if side else 0
    row = (1 << variant.files) - 1
    castling, gates = position.castling >> rank & row, position.gates >> rank & row
    text, implied = "", castling
    if castling and not position.chess960:
        implied |= 1 << king - rank
    for file in range(variant.files - 1, -1, -1):
        if castling >> file & 1:
            king_side = rank + file > king
            text += FILE_LETTERS[file] if position.chess960 else "k" if king_side else "q"
    return text + "".join(FILE_LETTERS[file] for file in range(variant.files) if (gates & ~implied) >> file & 1)
