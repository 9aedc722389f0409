"""The move that a text means in a position, however a person or a program writes it: in a file, a mail, a field.

Reads SAN and UCI, and what is near them: long notation (`Ng1-f3`, `c1-b2`, `e7xd8=Q`), castling by the squares of the
king or with any kind of dash, figurines, arrows, `exd6ep`, `bxc8r`, `d8(Q)`, `d8=queen`, `pe4`, `N*f3`, `B*c6`, check
in words. Nothing is guessed: what fits two moves is refused. A text that is in no notation is read again without regard
to capitals, and so is the letter of a piece that is a file, too: `bb5`, but not `bxc5` where a pawn stands on b4.

`tests/rules/notation/move_forms.json` shows what is read; the typed moves of the pages read the same.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from server.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, RulesError
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.notation.san import format_san, parse_san, san_candidates
from server.rules.notation.uci import parse_uci
from server.rules.variant.piece_codes import BLACK
from server.rules.variant.variant import FILE_LETTERS

LONGEST: Final = 40
"""Characters of a text that can be a move."""
SHOWN: Final = 20
"""Characters of it that an error quotes."""
MOST_NAMED: Final = 6
"""Moves that an error names which fit a text."""
DASHES: Final = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
ARROWS: Final = re.compile(r"(?<=\d)\s?(?:[=-]?>|_|→)\s?(?=[a-pA-P]\d)", re.ASCII)
"""What stands between two squares for a dash: `e2->e4`, `e2_e4`."""
IN_BRACKETS: Final = re.compile(r"(?<=\d)=?\[([A-Za-z])\]", re.ASCII)
INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
ALIKE: Final = str.maketrans(
    dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", strict=True))
    | {"♙": "", "♟": "", "×": "x", "✕": "x", "†": "+", "‡": "++", "≠": "#", "О": "O", "о": "o"}
    | dict(zip("КФЛСасех", "NQRBacex", strict=True))
)
"""Figurines, Russian letters of pieces, and characters of other alphabets that look like those of notation."""
QUOTES: Final = " .,;\"'“”„‘’«»"
EMPHASIS: Final = re.compile(r"([*_`]{1,3})(.+)\1")
"""A move that was made to stand out, in Markdown."""
FROM: Final = re.compile(r"([A-Z])/(?:@@-)?(?=[a-p]\d)", re.ASCII)
"""A piece before where it comes from, as servers of the 1990s say it: `P/e2-e4`, `N/@@-f3`."""
AFTER: Final = re.compile(
    r"""(?<=[\dA-Z)oh])
    (?: \s? (?: [+#!?]+ | /?\(?(?i:e\.?p\.?)\)?(?![a-z]) | (?:(?i:dbl|dis|disc)\.?)?\s?(?i:ch\b|mate\b)\.? ) )+ $""",
    re.VERBOSE | re.ASCII,
)
"""What may follow a move and says nothing about which it is: check, mate, en passant, praise."""
BETWEEN: Final = re.compile(
    r"([A-Z]?)([a-p]\d{1,2})[\sx:-]*([a-p]\d{1,2})(?:(?:=\(|[=/(])?([a-z+])\)?)?", re.I | re.ASCII
)
SMALL: Final = re.compile(r"([a-p])(?!\d)[a-p]?\d{0,2}[x:-]?([a-p]\d{1,2}).*", re.ASCII)
PROMOTION: Final = re.compile(r"(.*\d)(?:=\(|[=/(])?([A-Za-z])\)?", re.ASCII)
BY_NAME: Final = re.compile(r"(.*\d)\s?=?\s?\(?([A-Za-z]{3,20})\)?([+#!?]*)", re.ASCII)
"""A move with what a pawn becomes in words: `d8=Queen`."""
CASTLING: Final = re.compile(r"([0o])-?\1(-?\1)?(?:/([a-z])([a-p](?:\d{1,2})?)?)?", re.I | re.ASCII)
DROP: Final = re.compile(r"([A-Za-z]?)[@*]([a-p]\d{1,2})", re.ASCII)
STARRED: Final = re.compile(r"([A-Za-z]?[a-p]?\d{0,2})\*([a-p]\d.*)", re.ASCII)
"""A capture as some programs write it, `B*c6`, where it is no drop."""


def read_move(position: Position, text: str, letters: Letters = OWN) -> Move:
    """The legal move that `text` means, where pieces have these `letters`.

    Raises InvalidMove if it is no move at all, IllegalMove if it is illegal, AmbiguousMove if it fits several moves.
    """
    if letters is OWN and not (text[1:2].isdigit() and len(text) > 3):
        try:
            return parse_san(position, text)  # as nearly everybody writes
        except RulesError:
            pass
    tidy = tidy_move(text)
    if not tidy or len(tidy) > LONGEST:
        raise InvalidMove("unreadable", move=text[:SHOWN])
    tidy = _with_letter(position, tidy, letters)
    written = letters.read(tidy)
    found = _as_written(position, written)
    if found is not None and not found and _is_piece_in_small(position, written):
        found = _as_written(position, written[0].upper() + written[1:])
    if found is None:
        found = _regardless_of_case(position, AFTER.sub("", tidy), letters)
        if not found:
            raise InvalidMove("unreadable", move=text[:SHOWN])
    different = {move.uci: move for move in found}
    if not different:
        raise IllegalMove("illegal", move=text[:SHOWN])
    if len(different) > 1:
        named = sorted(letters.san(format_san(position, move)) for move in different.values())
        raise AmbiguousMove("ambiguous", move=tidy[:SHOWN], moves=", ".join(named[:MOST_NAMED]))
    return different.popitem()[1]


def _is_piece_in_small(position: Position, text: str) -> bool:
    """Is the first letter, which could be a file, that of a piece, as no pawn stands there that could take so?"""
    found = SMALL.fullmatch(text)
    if found is None or not _is_letter_of_a_piece(position, found[1].upper()):
        return False
    tables, files = position.tables, position.variant.files
    target = position.variant.geometry.parse(found[2])
    if target is None:
        return False
    origin = tables.behind(position.side, target) + FILE_LETTERS.index(found[1]) - target % files
    beside = abs(target % files - FILE_LETTERS.index(found[1])) == 1
    in_place = 0 <= origin < len(position.board) and position.board[origin] in tables.codes.pawns
    return not (beside and in_place and position.board[origin] // BLACK == position.side)


def tidy_move(text: str) -> str:
    """`text` in ASCII as far as notation goes, with single spaces, and without quotes or a full stop around it."""
    visible = INVISIBLE.sub("", text[: 4 * LONGEST]).replace("Кр", "K").translate(ALIKE)
    plain = " ".join(DASHES.sub("-", unicodedata.normalize("NFKC", visible)).split()).strip(QUOTES)
    plain = IN_BRACKETS.sub(r"=\1", ARROWS.sub("-", plain))
    if emphasised := EMPHASIS.fullmatch(plain):
        plain = emphasised[2]
    if named := FROM.match(plain):
        return f"{named[1]}{'@' if '@' in named[0] else ''}{plain[named.end() :]}"
    return plain


def _with_letter(position: Position, tidy: str, letters: Letters) -> str:
    """The text with the letter of what a pawn becomes, where it has the English name of that piece."""
    if named := BY_NAME.fullmatch(tidy):
        for role in position.variant.roles:
            if role.name.lower() == named[2].lower():
                return f"{named[1]}={letters.san(role.san)}{named[3]}"
    return tidy


def _as_written(position: Position, text: str) -> Sequence[Move] | None:
    """The legal moves that `text` means in a notation that minds capitals; None if it is in none of them."""
    bare = AFTER.sub("", text)
    castling = _castlings(position, bare)
    if castling is not None:
        return castling
    if text[0] in FILE_LETTERS[position.variant.files :]:
        return None  # no file of this board, so it is the letter of a piece
    written = False
    for read, form in _readings(text, bare):
        try:
            found = read(position, form)
        except InvalidMove:
            continue
        if found:
            return found
        written = True
    return [] if written else None


def _readings(text: str, bare: str) -> Iterator[tuple[Callable[[Position, str], Sequence[Move]], str]]:
    """The ways to read a text, and what to read so, the likeliest first. `bare`: it without what follows the move."""
    yield _exactly, text.replace(" ", "")  # first, as + may be a promotion there
    yield san_candidates, bare.replace(" ", "")
    if drop := DROP.fullmatch(bare):
        yield san_candidates, f"{drop[1].upper()}@{drop[2]}"
    if starred := STARRED.fullmatch(bare):
        taking = f"{starred[1]}x{starred[2]}"
        yield _captures, taking
        for form in _forms_of_promotion(taking):
            yield _captures, form
    if BETWEEN.fullmatch(text):
        yield _between_squares, text
        yield _between_squares, bare
    else:
        for form in _forms_of_promotion(bare):
            yield san_candidates, form


def _forms_of_promotion(text: str) -> Iterator[str]:
    """The SANs that a move with a letter at its end may mean: what a pawn becomes or, behind /, what enters."""
    if becoming := PROMOTION.fullmatch(text):
        yield f"{becoming[1]}={becoming[2].upper()}"
        if "/" in text:
            yield f"{becoming[1]}/{becoming[2].upper()}"


def _captures(position: Position, text: str) -> Sequence[Move]:
    """The moves that a SAN fits which take something. Raises InvalidMove if it is no SAN."""
    files = position.variant.files
    return [
        move
        for move in san_candidates(position, text)
        if isinstance(move, NormalMove)
        and (
            position.board[move.target]
            or (position.board[move.origin] in position.tables.codes.pawns and (move.target - move.origin) % files)
        )
    ]


def _exactly(position: Position, text: str) -> Sequence[Move]:
    """Raises InvalidMove if the text is no UCI."""
    try:
        return [parse_uci(position, text)]
    except IllegalMove:
        return []


def _between_squares(position: Position, text: str) -> Sequence[Move]:
    """The move from one square to another, of a piece with the letter that may stand before them."""
    squares = BETWEEN.fullmatch(text)
    if squares is None:
        raise InvalidMove("unreadable", move=text)
    letter, *rest = squares.groups("")
    move = next(iter(_exactly(position, "".join(rest).lower())), None)
    if not isinstance(move, NormalMove | Castle):
        return []
    kind = position.tables.codes.kinds[position.board[move.origin]]
    if not letter and rest[0][0].isupper() and rest[1][0].islower() and _is_letter_of_a_piece(position, rest[0][0]):
        # "B1c3" is a bishop of the first rank, and never the knight on b1.
        return []
    return [move] if kind is not None and letter.upper() in ("", kind.role.san) else []


def _is_letter_of_a_piece(position: Position, letter: str) -> bool:
    return any(letter == role.san for role in position.variant.roles)


def _castlings(position: Position, text: str) -> Sequence[Move] | None:
    """The legal castlings that `text` names with noughts or letters; None if it names none."""
    said = CASTLING.fullmatch(text)
    if said is None:
        return None
    _, long, gate, where = said.groups()
    names, role = position.variant.geometry.names, position.variant.role
    return [
        move
        for move in legal_moves(position)
        if isinstance(move, Castle)
        and bool(long) == (move.rook_origin < move.origin)
        and (None if move.gate is None else role(move.gate).san) == (gate and gate.upper())
        and (where is None or names[move.gate_square].startswith(where.lower()))
    ]


def _regardless_of_case(position: Position, text: str, letters: Letters) -> Sequence[Move]:
    """The legal moves whose SAN or UCI has the same letters and digits; that of a pawn may have its letter in front."""
    bare = re.sub(r"[\s:x=+#!?()-]", "", text.lower())
    names = position.variant.geometry.names
    return [
        move
        for move in legal_moves(position)
        if not isinstance(move, Castle)
        and names[move.target] in bare  # first, as to write a move as SAN takes long
        and bare.removeprefix(_letter_of_pawn(position, move))
        in (re.sub(r"[x=+#]", "", letters.san(format_san(position, move)).lower()), letters.uci(move.uci).lower())
    ]


def _letter_of_pawn(position: Position, move: Move) -> str:
    """The small letter of the pawn that moves, unless that is a file of the board; "" for other moves."""
    kind = position.tables.codes.kinds[position.board[move.origin]] if isinstance(move, NormalMove) else None
    letter = kind.role.san.lower() if kind is not None and kind.role.pawn else ""
    return "" if letter in FILE_LETTERS[: position.variant.files] else letter
