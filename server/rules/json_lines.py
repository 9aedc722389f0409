"""Answers questions about games, one JSON line in, one JSON line out: `python -m server.rules judge`.

It translates between JSON and the rules, and knows no rule itself.

A question is one JSON object on one line of UTF-8, at most 1 MB:

    {"variant": "chess", "chess960": false, "fen": "...", "moves": ["e2e4", "e7e5"]}

`chess960` (default false), `fen` (default: the start position) and `moves` (default: none, at most 5,000, UCI) may be
left out. The answer to a question with n moves:

    {"fens": [n texts], "sans": [n texts], "checks": [n booleans], "legal": [n + 1 lists], "outcome": null}

`fens[i]` and `checks[i]` (is the side to move in check?) describe the position after move i; `legal[i]` is the sorted
list of legal UCI moves before move i, and the last entry that of the final position. `outcome` is the state of the
final position, `{"result": "1-0", "reason": "checkmate"}`, or null while the game goes on. The reasons: checkmate,
stalemate, insufficient, repetition (third occurrence within this line, the start position included), move-rule,
bare-king, goal, checks, extinction, explosion. A repetition, the move rule or dead material in the middle of the line
does not stop it: a line may go on as long as there are legal moves.

A question that cannot be answered gets `{"error": kind, "message": text}`, where kind is one of

    BadLine         not UTF-8, not JSON, too long, or not an object of the shape above
    UnknownVariant  no such variant, or it has no chess960 form
    InvalidFen      the start position cannot be read or cannot stand
    IllegalMove     with "ply": the index in `moves`, counted from 0, of the first move that is not legal there
    InternalError   a fault of this program; the details are on standard error

Blank lines are questions too (and bad ones), so that answers and lines always pair up.
"""

import json
import logging
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from server.rules.endings import outcome
from server.rules.errors import IllegalMove, InvalidFen, InvalidMove
from server.rules.movegen.legal import in_check, legal_ucis, repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant

MAX_LINE = 1_000_000
"""Longest question, in bytes without the line break."""
MAX_MOVES = 5_000
"""Most moves in one question."""
MAX_MESSAGE = 300
"""Longest error message, in characters: it may quote the question."""

log = logging.getLogger(__name__)

Answer = dict[str, object]


class Unanswerable(Exception):
    """Why a question has no answer. `kind`: as listed above; str(): a sentence; `ply`: of an illegal move."""

    def __init__(self, kind: str, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.ply = ply

    def answer(self) -> Answer:
        shown = str(self)[:MAX_MESSAGE]
        place: Answer = {} if self.ply is None else {"ply": self.ply}
        return {"error": self.kind, "message": shown, **place}


@dataclass(frozen=True, slots=True)
class Question:
    """One well-formed question. Its FEN and moves are not checked yet."""

    variant: Variant
    chess960: bool
    fen: str
    moves: tuple[str, ...]


def serve_lines(lines: BinaryIO, answers: BinaryIO, variants: Mapping[str, Variant]) -> None:
    """Answers every line of `lines` in order until the input ends, flushing each answer before reading on."""
    for line in bounded_lines(lines):
        answers.write(json.dumps(answer_line(line, variants)).encode() + b"\n")
        answers.flush()


def answer_line(line: bytes | None, variants: Mapping[str, Variant]) -> Answer:
    """The answer to one line (None: it was too long). Never raises: an internal error is logged."""
    try:
        return judge(read_question(line, variants))
    except Unanswerable as reason:
        return reason.answer()
    except InvalidFen as error:
        return Unanswerable("InvalidFen", str(error)).answer()
    except Exception:
        log.exception("the judge failed on %r", line[:MAX_MESSAGE] if line else line)
        return Unanswerable("InternalError", "The judge failed on this line; the reason is in its log.").answer()


def bounded_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of `stream` without line breaks; None for a line over MAX_LINE, which is never held in memory."""
    while line := stream.readline(MAX_LINE + 2):
        whole = line.endswith(b"\n") or len(line) < MAX_LINE + 2
        text = line.rstrip(b"\r\n")
        yield text if whole and len(text) <= MAX_LINE else None
        while line and not whole:
            line = stream.readline(MAX_LINE)
            whole = line.endswith(b"\n")


def read_question(line: bytes | None, variants: Mapping[str, Variant]) -> Question:
    """The question on one line. Raises Unanswerable."""
    fields = read_object(line)
    if unknown := sorted(fields.keys() - {"variant", "chess960", "fen", "moves"}):
        raise Unanswerable("BadLine", f"Unknown key {unknown[0]!r}; the keys are variant, chess960, fen and moves.")
    name, chess960 = fields.get("variant"), fields.get("chess960", False)
    fen, moves = fields.get("fen", ""), fields.get("moves", [])
    if not isinstance(name, str):
        raise Unanswerable("BadLine", "The key variant must be there and be text.")
    if not isinstance(chess960, bool):
        raise Unanswerable("BadLine", "The key chess960 must be true or false.")
    if not isinstance(fen, str):
        raise Unanswerable("BadLine", "The key fen must be text; leave it out for the start position.")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise Unanswerable("BadLine", "The key moves must be a list of texts.")
    if len(moves) > MAX_MOVES:
        raise Unanswerable("BadLine", f"At most {MAX_MOVES} moves can be asked about, not {len(moves)}.")
    variant = find_variant(name, chess960, variants)
    return Question(variant, chess960, fen if "fen" in fields else variant.start_fen, tuple(moves))


def read_object(line: bytes | None) -> dict[str, object]:
    """One line as a JSON object. Raises Unanswerable (BadLine)."""
    if line is None:
        raise Unanswerable("BadLine", f"The line is longer than {MAX_LINE} bytes.")
    try:
        fields = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Unanswerable("BadLine", f"The line is not JSON in UTF-8: {reason}.") from None
    if not isinstance(fields, dict):
        raise Unanswerable("BadLine", "The line must be a JSON object.")
    return fields


def refuse_constant(name: str) -> None:
    """Raises ValueError: JSON has no NaN or infinity, though Python would read them."""
    raise ValueError(f"{name} is not JSON")


def find_variant(name: str, chess960: bool, variants: Mapping[str, Variant]) -> Variant:
    """The variant with this id. Raises Unanswerable if there is none, or it has no chess960 form but should."""
    variant = variants.get(name)
    if variant is None:
        raise Unanswerable("UnknownVariant", f"There is no variant {name[:40]!r}; there are {', '.join(variants)}.")
    if chess960 and not variant.chess960:
        raise Unanswerable("UnknownVariant", f"{variant.name} has no chess960 form.")
    return variant


def judge(question: Question) -> Answer:
    """The answer to a question. Raises InvalidFen, Unanswerable (IllegalMove)."""
    position = parse_fen(question.variant, question.fen, question.chess960)
    fens, sans, checks = [], [], []
    legal = [sorted(legal_ucis(position))]
    seen: Counter[Hashable] = Counter([repetition_key(position)])
    for ply, text in enumerate(question.moves):
        try:
            move = parse_uci(position, text)
        except (InvalidMove, IllegalMove) as error:
            raise Unanswerable("IllegalMove", str(error), ply) from None
        sans.append(format_san(position, move))
        position = play_trusted(position, move)
        fens.append(format_fen(position))
        checks.append(in_check(position))
        legal.append(sorted(legal_ucis(position)))
        seen[repetition_key(position)] += 1
    end = outcome(position, seen[repetition_key(position)])
    return {
        "fens": fens,
        "sans": sans,
        "checks": checks,
        "legal": legal,
        "outcome": end and {"result": end.result, "reason": end.reason},
    }
