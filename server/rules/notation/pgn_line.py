"""A line of moves in PGN: each half-move with its glyphs, clock, comments and variations; and what was mended in it."""

import re
from dataclasses import dataclass, field, replace

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
RESULT_FORM = (
    r"(?: 1[ ]?[-\u2010-\u2015\u2212:][ ]?[0O] | [0O][ ]?[-\u2010-\u2015\u2212:][ ]?1"
    r" | (?:1/2|½|0\.5)(?:[ ]?[-\u2010-\u2015\u2212:][ ]?(?:1/2|½|0\.5))? | \* ) (?![^\s(){};\[.,<\"'`!])"
)
"""A result as programs write it, as a part of a verbose regular expression."""

MOVES = re.compile(r"[a-p]\d|[O0o]-[O0o]|\d\.")
"""What moves have and other words do not."""
NEXT_NUMBER = re.compile(
    r"""
    \s{0,99}+
    (?: (?P<move> [^\s\d(){};\[*][^\s(){};\[]{0,14}+ )
        (?: \s{1,99}+ | \{[^{}]{0,999}+\} | \([^(){}]{0,999}+\) | \$\d{1,3} | [^\w\s(){};\[\]$*]{1,4}+(?=\s) ){1,20}+ )?
    (?P<number> \d{1,4}+ ) \s? (?P<dots> [.…]{1,9}+ | (?=[^\W\d_]) )
    """,
    re.VERBOSE,
)
"""The next number of a move, perhaps behind one move and what is said of it."""

MARKUP = (
    r"(?: </?(?i:a|b|big|blockquote|body|br|center|code|dd|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|li|link|meta|ol"
    r"|p|pre|small|span|strong|sub|sup|table|tbody|td|textarea|th|thead|title|tr|tt|u|ul)\b[^<>\n]{0,255}+>"
    r" | <!--[^<>]{0,999}?--> | <[!?](?i:doctype|xml)\b[^<>]{0,255}+>"
    r" | &(?:[A-Za-z]{2,7}|\#\d{2,5}|\#x[\dA-Fa-f]{2,5}); | \[/?(?i:pgn)\] )"
)
"""What stands around moves that were copied from a web page, as a part of a verbose regular expression."""

NESTED = (
    r"(?: \{[^{}]{0,1999}+"
    r" (?: \{[^{}]{0,999}+\} (?: [^{};\n\d] | \d(?!\d{0,3}\.) | \n(?!\s*\n) ){0,999}+ ){1,9}+ \} )"
)
"""A comment in braces with others inside it, as a part of a verbose regular expression.

By the PGN standard it ends at the first brace that closes. But here one would be left over then, and no numbered moves
stand before it.
"""

_RESULT = re.compile(RESULT_FORM, re.VERBOSE)


def result_of(text: str) -> str | None:
    """The PGN result that a text of RESULT_FORM means; None for any other text."""
    if not _RESULT.fullmatch(text):
        return None
    if text[0] in "½" or text[:2] in ("1/", "0."):
        return "1/2-1/2"
    return "*" if text == "*" else f"{text[0]}-{text[-1]}".replace("O", "0")


@dataclass(frozen=True, slots=True)
class PgnMove:
    """A half-move. `nags`: numeric annotation glyphs of the PGN standard ($1 is !).

    `clock_ms`: the mover's clock after the move; None if not given. `before`: comments before the first move of a
    variation. `variations`: alternatives to this move. A comment is one line of printable characters, stripped.
    """

    uci: str
    san: str
    nags: tuple[int, ...] = ()
    clock_ms: int | None = None
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    variations: tuple[tuple["PgnMove", ...], ...] = ()

    @property
    def annotated(self) -> bool:
        """Has the move, or a variation, more than a clock time?"""
        return bool(self.nags or self.comments or self.before or self.variations)


PgnLine = tuple[PgnMove, ...]


SHOWN = 3
"""Pieces of text that a mend quotes."""
LONGEST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Mend:
    """`id`: what was done, as in the words `import.mended_…`, so many times. `quoted`: what was there, of the first.

    `lines`: each line of the text, from 1 and in order, on which it was done.

    The ids: rights, en_passant and fen (the first two, or what belongs to no field, left out of the FEN), kept (texts
    that are no moves are comments now); illegal, ambiguous, unreadable and null (such a move, and all of its line after
    it, are comments now); variation and comment (without an end), joined (moves without a space), descriptive (a
    game in that notation, which is a comment now), tag (badly written), twice (a tag that is there already, the second
    of which is a comment now), result (another one than the tag's, or none), markup (of a web page, left out), entity
    (a sign as the source of a web page has it), letters (of another language).
    """

    id: str
    number: int
    lines: tuple[int, ...]
    quoted: str

    @property
    def line(self) -> int:
        """The first line."""
        return self.lines[0]

    def moved_down(self, lines: int) -> "Mend":
        """The same in a text that begins so many lines further up."""
        return replace(self, lines=tuple(line + lines for line in self.lines))

    @property
    def key(self) -> str:
        """The key of its sentence in every language; takes `n` and `quoted`."""
        return f"import.mended_{self.id}"


@dataclass(slots=True)
class _Found:
    """What was found of one kind: how often, on which lines, and the first texts."""

    number: int = 0
    lines: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MendLog:
    """Collects the mends of one game."""

    text: str
    _found: dict[str, _Found] = field(default_factory=dict)
    _at: int = 0
    """Where the last one was, and on which line: the next is mostly near it."""
    _line: int = 1

    def note(self, id: str, at: int, quoted: str = "") -> None:
        """Notes one at index `at` of the text."""
        first, last = sorted((self._at, at))
        self._line += self.text.count("\n", first, last) * (1 if at == last else -1)
        self._at = at
        found = self._found.setdefault(id, _Found())
        found.number += 1
        if self._line not in found.lines[-1:]:
            found.lines.append(self._line)
        if len(found.texts) < SHOWN and quoted:
            found.texts.append(quoted[:LONGEST_SHOWN])

    def copy(self, text: str | None = None) -> "MendLog":
        """One that begins with what this one has, of the same text or of another form of it with the same lines."""
        found = {id: _Found(one.number, [*one.lines], [*one.texts]) for id, one in self._found.items()}
        return MendLog(self.text if text is None else text, found)

    def count(self, *ids: str) -> int:
        """How many of these kinds there are."""
        return sum(self._found[id].number for id in ids if id in self._found)

    def letters_in(self, *ids: str) -> set[str]:
        """The characters of what is quoted of these kinds."""
        return {letter for id in ids if id in self._found for text in self._found[id].texts for letter in text}

    def all_mends(self) -> tuple[Mend, ...]:
        """All of them, by kind."""
        return tuple(Mend(id, one.number, tuple(sorted({*one.lines})), _quoted(one)) for id, one in self._found.items())


def _quoted(found: _Found) -> str:
    return ", ".join([*found.texts, *["…"] * (len(found.texts) == SHOWN < found.number)])


def printable(text: str) -> str:
    """`text` with a space for each character that is not printable, such as a line break."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)


def one_line(text: str) -> str:
    """As `printable`, with single spaces between the words and none around them."""
    return " ".join(printable(text).split())
