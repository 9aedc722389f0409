"""The move that somebody means by what they typed, in a position. Nothing is guessed: what fits two moves is refused.

A text is read as it stands, as SAN or UCI. If it is neither, because of capitals or characters that mail programs put
in, it is read again without regard to them, and must then fit exactly one move.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from heapq import nlargest
from typing import Final

from server.games.errors import BadMove
from server.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, RulesError
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle, Move
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.board import FILE_LETTERS

NEAR: Final = 6
NEAR_ENOUGH: Final = 0.5
DASHES: Final = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
FIGURINES: Final = str.maketrans(dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", strict=True)) | {"♙": "", "♟": ""})
SQUARES: Final = re.compile(r"([a-p]\d{1,2})[\sx:-]*([a-p]\d{1,2})(?:[=/(]?([a-z+])\)?)?", re.IGNORECASE | re.ASCII)
PROMOTION: Final = re.compile(r"(.*\d)[(/]([A-Za-z])\)", re.ASCII)
CASTLING: Final = re.compile(r"([0o])-?\1(-?\1)?(?:/([a-z])([a-p]\d{1,2}))?", re.IGNORECASE | re.ASCII)


def move_typed(position: Position, typed: str, letters: Letters = OWN) -> Move:
    """The move that `typed` means, where pieces have these `letters`. Raises BadMove."""
    text = plain(typed)
    try:
        return _one(_as_written(position, letters.read(text)), text, letters)
    except AmbiguousMove as why:
        raise BadMove(why.id, **why.params | {"move": text[:20]}) from why
    except IllegalMove as why:
        raise BadMove("illegal", move=typed[:20]) from why
    except InvalidMove:
        pass
    try:
        return _one(_regardless_of_case(position, text, letters), typed, letters)
    except RulesError as why:
        raise BadMove(why.id, **why.params) from why


def near_moves(position: Position, typed: str, letters: Letters = OWN) -> list[str]:
    """The legal moves that look most like what was typed, the closest first, at most NEAR; in SAN with `letters`."""
    text = plain(typed).lower()
    moves = {letters.san(format_san(position, move)): letters.uci(move.uci) for move in legal_moves(position)}

    def likeness(san: str) -> float:
        return max(SequenceMatcher(None, text, form.lower()).ratio() for form in (san.rstrip("+#"), moves[san]))

    found = nlargest(NEAR, moves, key=likeness)
    return [san for san in found if likeness(san) >= NEAR_ENOUGH]


def plain(typed: str) -> str:
    """`typed` in ASCII as far as notation goes: dashes, figurines and wide letters are those of the keyboard."""
    text = DASHES.sub("-", unicodedata.normalize("NFKC", typed.translate(FIGURINES)))
    return " ".join(text.split()).strip(" .,;\"'“”„‘’«»")


def _as_written(position: Position, text: str) -> Sequence[Move]:
    """Raises RulesError, InvalidMove only if the text is in no notation at all."""
    if (promoting := PROMOTION.fullmatch(text)) is not None:
        text = f"{promoting[1]}={promoting[2]}"
    found: list[Move] = []
    reason: RulesError | None = None
    for parse, form in ((parse_san, text), (parse_uci, text), (parse_uci, _squares(text))):
        try:
            found.append(parse(position, form))
        except AmbiguousMove:
            raise
        except RulesError as why:
            reason = why if reason is None or isinstance(why, IllegalMove) else reason
    if found:
        return found
    assert reason is not None
    if text[:1] and text[0] in FILE_LETTERS[position.variant.files :]:
        # No file of this board, so it is the letter of a piece.
        raise InvalidMove("unreadable", move=text)
    raise reason


def _squares(text: str) -> str:
    """ "e7-e8=Q" as "e7e8q"; any other text as it is."""
    found = SQUARES.fullmatch(text)
    return text if found is None else "".join(found.groups("")).lower()


def _regardless_of_case(position: Position, text: str, letters: Letters) -> Sequence[Move]:
    """Raises InvalidMove if the text is in no notation."""
    if (castling := CASTLING.fullmatch(text)) is not None:
        side, gate = ("O-O-O" if castling[2] else "O-O"), castling[3]
        gated = "" if gate is None else letters.read(gate.upper())
        return [parse_san(position, f"{side}/{gated}{castling[4].lower()}" if gated else side)]
    return list(_alike(position, legal_moves(position), letters, re.sub(r"[\s:x=+#!?-]", "", text.lower())))


def _alike(position: Position, moves: Iterable[Move], letters: Letters, text: str) -> Iterator[Move]:
    """Those of `moves` whose SAN or UCI with these `letters` has the same letters and digits."""
    for move in moves:
        if isinstance(move, Castle):
            continue
        san = re.sub(r"[x=+#]", "", letters.san(format_san(position, move)).lower())
        if text in (san, letters.uci(move.uci).lower()):
            yield move


def _one(moves: Sequence[Move], text: str, letters: Letters) -> Move:
    """The only one of `moves`. Raises InvalidMove, AmbiguousMove."""
    different = {move.uci: move for move in moves}
    if not different:
        raise InvalidMove("unreadable", move=text[:20])
    if len(different) > 1:
        raise AmbiguousMove("ambiguous", move=text[:20], moves=", ".join(map(letters.uci, sorted(different))))
    return next(iter(different.values()))
