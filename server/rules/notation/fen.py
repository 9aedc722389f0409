"""Reads and writes positions as FEN, and gives the start positions, those of the chess960 forms shuffled.

Reads what Fairy-Stockfish, pychess and lichess write: pockets in brackets or after a further slash, `+` and `~` before
and after promoted pieces, castling as KQkq or by files, gating files, first-move letters. Refuses positions that cannot
arise in a game. Of what comes from elsewhere, `tidy_fen` puts the fields in order, and `read_fen` drops the rights that
the position cannot have.

The third field: castling is KQkq in the standard game and file letters in the 960 form, the king's side first. After a
side's castling letters come the files of its unmoved first-rank pieces that may gate; a castling right implies those of
its king and rook. A first-move right is the letter that the variant names, upper case for White.

Where checks are counted, those that each side still has to give come before the two counters, "3+3", as Fairy-Stockfish
has them; those that were given, "+0+0", are read as well, which lichess writes behind them.
"""

import re
from functools import lru_cache
from random import Random

from server.rules.errors import InvalidFen
from server.rules.movegen.attacks import squares_of
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.movegen.tables import Tables, tables_of
from server.rules.notation.move_reader import DASHES
from server.rules.variant.piece_codes import BLACK, OWN, SIDES, PieceCodes
from server.rules.variant.variant import FILE_LETTERS, Variant

LONGEST = 200
MOST_COUNTED = 9999
"""The largest counter that is read, or written."""
_MISSING = ("", "w", "-", "-", "0", "1", "")
"""What a field says that is left out at the end."""
_OF_RIGHTS = frozenset(
    (
        *("rights", "no_castling", "first_move_letters", "first_move_king", "right"),
        *("no_gate", "no_rook", "not_at_home", "two_rooks"),
    )
)
"""Ids of the refusals of the third field."""
_CHECKS = re.compile(r"(\+?)(\d)\+(\d)", re.ASCII)
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)
_PIECE_OR_RUN = re.compile(r"\+?[A-Za-z]~?|[1-9]\d?", re.ASCII)
_DIGITS = re.compile(r"\d{2,}", re.ASCII)
_DOTS = re.compile(r"\.+")
"""Empty squares, in the manner of a printed board."""
_POCKET = re.compile(r"\[[A-Za-z-]*\]")
_CASTLING = re.compile("[KQ]{1,2}|[kq]{1,2}")
"""The rights of one side, which some write apart from the other's."""
_AROUND = re.compile(r"^\s*['\"]?\s*(?:position\s+)?(?:fen\b:?\s*)?['\"]?|\s*['\"]\s*$", re.IGNORECASE)
"""Quotes around a FEN, and what programs are told before it."""
_BLANKS = tuple(" " * run for run in range(17))


def start_position(variant: Variant, chess960: bool = False) -> Position:
    """The usual start position; with `chess960` it castles as in chess960."""
    return parse_fen(variant, variant.start_fen, chess960)


def shuffled_fen(variant: Variant, random: Random) -> str:
    """A start FEN with a shuffled first rank, the same for both sides; each allowed rank is equally likely.

    The king stands between the rooks, and the pairs that the variant names on squares of opposite colours. A side
    without a king keeps its usual rank.
    """
    if not variant.chess960:
        raise ValueError(f"{variant.name} has no shuffled form")
    rows = variant.start_fen.split(" ")[0].partition("[")[0].split("/")
    home = list(rows[0 if variant.kingless[0] else -1].lower())
    while True:
        random.shuffle(home)
        if _is_allowed_rank(variant, home):
            return _with_rank(variant, "".join(home))


def _is_allowed_rank(variant: Variant, rank: list[str]) -> bool:
    rook = variant.castling.rook if variant.castling else ""
    rooks = [file for file, letter in enumerate(rank) if letter == rook]
    if not rooks[0] < rank.index(variant.king) < rooks[-1]:
        return False
    for one, other in variant.opposite:
        first = rank.index(one)
        second = len(rank) - 1 - rank[::-1].index(other)
        if (first - second) % 2 == 0:
            return False
    return True


def _with_rank(variant: Variant, rank: str) -> str:
    """The variant's start FEN with another first rank, and castling rights by file."""
    rook = variant.castling.rook if variant.castling else ""
    files = FILE_LETTERS[rank.rindex(rook)] + FILE_LETTERS[rank.index(rook)]
    placement, *fields = variant.start_fen.split(" ")
    board, bracket, pocket = placement.partition("[")
    rows = board.split("/")
    white, black = not variant.kingless[0], not variant.kingless[1]
    if white:
        rows[-1] = rank.upper()
    if black:
        rows[0] = rank
    fields[1] = files.upper() * white + files * black
    return " ".join(["/".join(rows) + bracket + pocket, *fields])


def parse_fen(variant: Variant, text: str, chess960: bool = False) -> Position:
    """The position of a FEN, of which the last fields may be left out. Raises InvalidFen."""
    return _position_of(variant, _fields(text), chess960)


def tidy_fen(variant: Variant, text: str) -> tuple[str, str]:
    """A FEN as other programs write it, in the usual form; and what of it is left out, as it belongs to none.

    That is what stands behind a position in EPD, and counters that are no numbers.
    """
    plain = _AROUND.sub("", DASHES.sub("-", text))
    words = (plain if " " in plain.strip() else plain.replace("_", " ")).split()
    if pocket := next((word for word in words[1:] if _POCKET.fullmatch(word)), ""):
        words.remove(pocket)
        words[0] += pocket
    if len(words) > 3 and _CASTLING.fullmatch(words[2]) and _CASTLING.fullmatch(words[3]):
        words[2:4] = [words[2] + words[3]]
    checks = [word for word in words[2:] if _CHECKS.fullmatch(word)] if variant.endings.checks else []
    words = [word for word in words if word not in checks]
    placement, side, rights, en_passant, *rest = [*words, *_MISSING[len(words) : 4]]
    numbers = [word for word in (rights, en_passant) if word.isdecimal()]
    if numbers:
        rest = [*numbers, *rest]
        rights, en_passant = "-" if rights.isdecimal() else rights, "-"
    placement = placement.replace("\\", "/")
    if variant.files < 10:
        # One number for each empty square, or for some of them.
        placement = _DOTS.sub(lambda dots: str(len(dots[0])), placement)
        placement = _DIGITS.sub(lambda run: str(sum(map(int, run[0]))), placement)
    side = {"white": "w", "black": "b"}.get(side.lower(), side.lower())
    counters: list[str] = []
    while rest and len(counters) < 2 and (_NUMBER.fullmatch(rest[0]) or rest[0] == "-"):
        counters.append(rest.pop(0))
    return " ".join([placement, side, rights, en_passant.lower(), *counters, *checks]), " ".join(rest)


def read_fen(variant: Variant, text: str, chess960: bool = False) -> tuple[Position, tuple[str, ...]]:
    """The position of a FEN, and which of its fields were left out, as no such position can have them.

    That is "rights" (castling, gating, first moves) and "en_passant". Raises InvalidFen.
    """
    fields = _fields(text)
    dropped: list[str] = []
    while True:
        try:
            return _position_of(variant, fields, chess960), tuple(dropped)
        except InvalidFen as why:
            if why.id in _OF_RIGHTS and "rights" not in dropped:
                fields[2] = _possible_rights(variant, fields, chess960)
                dropped.append("rights")
            elif why.id == "en_passant" and "en_passant" not in dropped:
                fields[3] = "-"
                dropped.append("en_passant")
            else:
                raise


def _possible_rights(variant: Variant, fields: list[str], chess960: bool) -> str:
    """As many of the letters of the third field, from the left, as the position can have."""
    kept = ""
    for letter in fields[2][: 2 * variant.files + 6]:
        try:
            _position_of(variant, [*fields[:2], kept + letter, *fields[3:]], chess960)
        except InvalidFen as why:
            if why.id in _OF_RIGHTS:
                continue
        kept += letter
    return kept or "-"


def _fields(text: str) -> list[str]:
    """The six fields, and behind them the counters of checks, wherever they stood, or "". Raises InvalidFen."""
    if len(text) > LONGEST or not text.isascii():
        raise InvalidFen("long", most=LONGEST)
    fields = text.split(" ")
    # Fairy-Stockfish leaves the third field empty when only dead gating rights are left.
    if len(fields) not in (4, 6) or not all(fields[:2] + fields[3:]):
        fields = text.split()
    counters = [field for field in fields[2:] if _CHECKS.fullmatch(field)]
    fields = [field for field in fields if field not in counters]
    if len(fields) == 5 and fields[3].isdigit():
        fields.insert(3, "-")
    if not 0 < len(fields) < len(_MISSING) or len(counters) > 1:
        raise InvalidFen("fields")
    return [*fields, *_MISSING[len(fields) : 6], *(counters or [""])]


def _position_of(variant: Variant, fields: list[str], chess960: bool) -> Position:
    tables = tables_of(variant)
    placement, pocket_text = _split_pocket(variant, fields[0])
    board = _parse_board(tables, placement)
    pockets = _parse_pockets(tables, pocket_text)
    if fields[1] not in ("w", "b"):
        raise InvalidFen("side", side=fields[1])
    side = "wb".index(fields[1])
    kings = _find_kings(tables, board, pockets)
    castling, gates, board = _parse_rights(tables, fields[2], chess960, board, kings, pockets)
    halfmoves, fullmove = (_parse_number(field) for field in fields[4:6])
    position = Position(
        tables, chess960, board, side, pockets, castling, gates,
        _parse_en_passant(tables, board, side, fields[3]), halfmoves, max(fullmove, 1), kings,
        _parse_checks(variant, fields[6]),
    )  # fmt: skip
    _check_sanity(position)
    return position


def _split_pocket(variant: Variant, field: str) -> tuple[str, str]:
    placement, bracket, rest = field.partition("[")
    if not bracket:
        if placement.count("/") == variant.ranks:
            placement, _, rest = placement.rpartition("/")
            return placement, rest.strip("-")
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
        if len(squares) + held != (not tables.variant.kingless[side]):
            raise InvalidFen("black_kings" if side else "white_kings", found=len(squares) + held)
        found.append(squares[0] if squares else -1)
    return found[0], found[1]


def _parse_rights(
    tables: Tables, field: str, chess960: bool, board: bytes, kings: tuple[int, int], pockets: tuple[bytes, bytes]
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
            board = _mark_unmoved_king(tables, letters, side, board, kings[side])
        elif variant.castling is not None:
            king = _castling_king(tables, board, side, kings[side])
            castles, brings = _side_rights(tables, letters, chess960, side, board, king, pockets)
            castling |= castles
            gates |= brings
        elif any(letter not in "kq" for letter in letters):
            raise InvalidFen("no_castling", rights=field)
    return castling, gates, board


def _castling_king(tables: Tables, board: bytes, side: int, king: int) -> int:
    """The square of the piece that castles; -1 if it is not there."""
    if not tables.castling_homes or tables.variant.castling is None:
        return king
    home = tables.castling_homes[side]
    return home if board[home] in tables.codes.all_of(tables.variant.castling.king, side) else -1


def _mark_unmoved_king(tables: Tables, letters: list[str], side: int, board: bytes, king: int) -> bytes:
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
    tables: Tables, letters: list[str], chess960: bool, side: int, board: bytes, king: int, pockets: tuple[bytes, bytes]
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


def _parse_number(field: str) -> int:
    if field == "-":
        return 0
    if not _NUMBER.fullmatch(field):
        raise InvalidFen("counter", counter=field[:12])
    return int(field)


def _parse_checks(variant: Variant, field: str) -> tuple[int, int]:
    """The checks that each side still has to give; "+1+0" are those that were given. Raises InvalidFen."""
    most = variant.endings.checks
    found = _CHECKS.fullmatch(field)
    if found is None:
        return most, most
    if not most:
        raise InvalidFen("fields")
    white, black = (most - int(one) if found[1] else int(one) for one in found.groups()[1:])
    if not (0 <= white <= most and 0 <= black <= most):
        raise InvalidFen("checks", checks=field, most=most)
    return white, black


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
    """The FEN of a position, as Fairy-Stockfish writes it; its counters end at MOST_COUNTED, so that it can be read."""
    tables = position.tables
    en_passant = tables.variant.geometry.names[position.en_passant] if position.en_passant >= 0 else "-"
    checks = "{}+{} ".format(*position.to_check) if tables.variant.endings.checks else ""
    return (
        f"{_format_board(tables, position.board)}{_format_pockets(tables, position.pockets)} "
        f"{'b' if position.side else 'w'} {_format_rights(position)} {en_passant} {checks}"
        f"{min(position.halfmoves, MOST_COUNTED)} {min(position.fullmove, MOST_COUNTED)}"
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


def _format_pockets(tables: Tables, pockets: tuple[bytes, bytes]) -> str:
    pocket = tables.variant.pocket
    if pocket is None:
        return ""
    white = "".join([role.upper() * number for role, number in zip(pocket.order, pockets[0], strict=True) if number])
    black = "".join([role * number for role, number in zip(pocket.order, pockets[1], strict=True) if number])
    return f"[{white}{black}]"


def _format_rights(position: Position) -> str:
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
    variant, king = position.variant, position.castling_king(side)
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
