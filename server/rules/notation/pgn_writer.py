"""Writes games as PGN: tags, and movetext with clocks, glyphs, comments and variations."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.pgn_tags import write_tags
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant

LINE_WIDTH = 80
BRACE = re.compile("[{}]")
PAUSE_AFTER = 200
"""Words between pauses."""


def write_pgn(
    tags: Mapping[str, str],
    variant: Variant,
    chess960: bool,
    start_fen: str,
    line: Iterable[PgnMove],
    result: str,
    comments: Sequence[str] = (),
) -> SlicedWork[str]:
    """One game as PGN, ending in a line break, written in slices of about a millisecond.

    `tags` as in `write_tags`; `comments` stand before the first move.
    """
    head = write_tags(tags, variant, chess960, start_fen, result)
    return f"{head}\n{(yield from write_movetext(line, start_fen, result, comments))}"


def write_movetext(
    line: Iterable[PgnMove], start_fen: str, result: str, comments: Sequence[str] = ()
) -> SlicedWork[str]:
    """The moves with annotations, in wrapped lines that end with a line break. Pauses every PAUSE_AFTER words."""
    fields = start_fen.split()
    half = 2 * int(fields[-1]) + (fields[1] == "b")
    words = chain((word for said in comments for word in comment_parts(said)), move_words(line, half), (result,))
    return f"{(yield from wrap_words(words))}\n"


def move_words(line: Iterable[PgnMove], half: int) -> Iterator[str]:
    """The words of a line whose first half-move has number `half`: 2 is White's first move."""
    numbered = True
    for move in line:
        for said in move.before:
            yield from comment_parts(said)
        if half % 2 == 0:
            yield f"{half // 2}."
        elif numbered:
            yield f"{half // 2}..."
        yield move.san
        yield from (f"${nag}" for nag in move.nags)
        for said in move_comments(move):
            yield from comment_parts(said)
        for variation in move.variations:
            yield "("
            yield from move_words(variation, half)
            yield ")"
        numbered = move.clock_ms is not None or bool(move.comments or move.variations)
        half += 1


def move_comments(move: PgnMove) -> Sequence[str]:
    """The comments of a move, the first of which begins with its clock."""
    if move.clock_ms is None:
        return move.comments
    clock = f"[%clk {clock_text(move.clock_ms)}]"
    first, *others = move.comments or ("",)
    if BRACE.search(first):
        return [clock, first, *others]
    return [f"{clock} {first}".rstrip(), *others]


def clock_text(ms: int) -> str:
    """A time as h:mm:ss, with decimals if needed."""
    seconds, thousandths = divmod(ms, 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{thousandths:03}".rstrip("0") if thousandths else text


def comment_parts(text: str) -> Iterator[str]:
    """The parts of a comment, between which a line may break.

    A comment in braces cannot contain one that closes, and one that opens looks as if its end was missing; the other
    form can have both, but ends with the line.
    """
    if BRACE.search(text):
        yield f";{text}\n"
        return
    parts = list(unbroken_parts(text))
    parts[0] = f"{{ {parts[0]}"
    parts[-1] = f"{parts[-1]} }}"
    yield from parts


def unbroken_parts(text: str) -> Iterator[str]:
    """The parts of a comment. Only the first may begin with a character that is special there, such as [ or %."""
    part = ""
    for word in text.split(" "):
        if part and word[:1].isalnum() and part.count("[") <= part.count("]"):
            yield part
            part = word
        else:
            part = f"{part} {word}" if part else word
    yield part


def wrap_words(words: Iterable[str]) -> SlicedWork[str]:
    """The words in lines of at most LINE_WIDTH characters, except for longer words."""
    lines, line, before = [], "", ""
    for number, word in enumerate(words, 1):
        if number % PAUSE_AFTER == 0:
            yield
        joined = f"{line}{word}" if not line or before == "(" or word == ")" else f"{line} {word}"
        if len(joined) > LINE_WIDTH and line:
            lines.append(line)
            joined = word
        if word.endswith("\n"):
            lines.append(joined.rstrip("\n"))
            joined = ""
        line, before = joined, word
    return "\n".join([*lines, line] if line else lines)
