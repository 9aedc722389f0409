"""Reads one PGN game of any variant, with all its annotations: moves with glyphs, clocks, comments and variations.

Every move must be legal. Where one is not (a slip of the pen, an engine's null move), it and the rest of its line are
kept as a comment. Only a main line that has no legal move at all is refused, unless it is in descriptive notation: that
is kept, too. What is no move either is a comment at its place. Each of these is noted as a mend, so that nothing is
lost in silence.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from itertools import count, islice
from types import MappingProxyType

from server.rules.errors import AmbiguousMove, InvalidMove, InvalidPgn, RulesError
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters, letters_of_languages
from server.rules.notation.move_reader import DASHES, read_move
from server.rules.notation.pgn_line import (
    MARKUP,
    MOVES,
    NESTED,
    NEXT_NUMBER,
    RESULT_FORM,
    RESULTS,
    Mend,
    MendLog,
    PgnLine,
    PgnMove,
    one_line,
    result_of,
)
from server.rules.notation.pgn_tags import Head, end_of_tags, find_variant, read_start, read_tags, tag_at
from server.rules.notation.san import format_san
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant

MAX_TEXT = 1_000_000
"""Longest text, in characters."""
SOON = 40
"""Half-moves. Who reads a file of another language as if it were English has come to an illegal move by then."""
FURTHER = 8
"""Half-moves. What is legal for so long, and would not be in English, is in that language."""
WRONG = ("illegal", "unreadable", "ambiguous")
"""The mends of moves that may be in another language."""
LONGEST_FOREIGN = 100_000
"""Longest text, in characters, that is read in other languages too: in ten of them, a longer one would cost ten times
what any text may."""
LONGEST_VARIED = 20_000
"""The same where only variations are unreadable, so that the text is read to its end in each language."""
SHORT = 3
MOST_SHORT = 100
LETTERS_OF_SHORT = 20
"""Of texts that are no moves and shorter than SHORT, such as stray signs, one for so many characters is kept at its
place, and MOST_SHORT more. Where there are more than in any prose, the rest of the line is one comment."""
FOREIGN_TOKENS = 100
TOKENS_OF_MOVE = 12
"""A text in another language has at most so many tokens for each move, spaces among them, and so many more."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as read, all `moves` legal. `result`: one of the four PGN results.

    `line`: the same half-moves with their annotations; `comments`: those before the first move.
    `mends`: what was not as it should be, and what became of it.
    """

    tags: Mapping[str, str]
    variant: Variant
    chess960: bool
    start: Position
    moves: tuple[Move, ...]
    line: PgnLine
    comments: tuple[str, ...]
    result: str
    mends: tuple[Mend, ...] = ()

    @property
    def annotated(self) -> bool:
        """Has the game more than moves and clock times?"""
        return bool(self.comments) or any(move.annotated for move in self.line)


@dataclass(frozen=True, slots=True)
class Movetext:
    """`line` and `moves` are the same half-moves. `comments`: before the first. `result`: None if there is none.

    `stopped`: why the main line was not read to its end.
    """

    moves: tuple[Move, ...]
    line: PgnLine
    comments: tuple[str, ...]
    result: str | None
    stopped: InvalidPgn | None


def read_pgn(text: str, variants: Mapping[str, Variant]) -> SlicedWork[PgnGame]:
    """Reads exactly one game, in slices of about a millisecond.

    A main line with an illegal move ends before it. A first position in which a king could be taken is read too: the
    analysis board shows it, and who takes the game as one that was played refuses it.

    Raises InvalidPgn; if a first move is to blame, with its ply (from 0).
    """
    if len(text) > MAX_TEXT:
        raise InvalidPgn("long")
    text = text.replace("\ufeff", "")
    mends = MendLog(text)
    head = yield from read_tags(text, mends)
    if (yield from _has_entities(text)):
        mends = yield from _without_entities(text)
        text = mends.text
        head = yield from read_tags(text, mends)
    tags = head.tags
    variant, chess960 = find_variant(tags.get("Variant", ""), variants)
    start = read_start(variant, chess960, tags.get("FEN"), mends)
    read, mends = yield from _read_in_some_language(text, head, start, mends)
    said = tags.get("Result", "").strip()
    tagged = result_of(said) or RESULTS_SAID.get(said.casefold()) or result_of(said.split(" ")[0])
    result = read.result or tagged or "*"
    if said not in ("", "?") and tagged != result:
        mends.note("result", 0, tags["Result"])
    told = mends.all_mends()
    return PgnGame(
        MappingProxyType(tags), variant, start.chess960, start, read.moves, read.line, read.comments, result, told
    )


RESULTS_SAID = {
    **dict.fromkeys(("+/-", "+:-", "+--", "+ -", "1-0f", "white wins", "white won"), "1-0"),
    **dict.fromkeys(("-/+", "-:+", "--+", "- +", "0-1f", "black wins", "black won"), "0-1"),
    **dict.fromkeys(("=", "draw", "1/2-1/2f"), "1/2-1/2"),
}
"""Results that only tags have, so that they are no signs behind a move there: those without play, and in words."""

ENTITY = re.compile(r"&(?:[A-Za-z]{2,9}\d{0,2}|#\d{2,6}|#[xX][\dA-Fa-f]{2,5});")
MAY_HAVE_ENTITY = re.compile(
    rf"\{{[^}}]*+\}}?|(?P<entity>{ENTITY.pattern})|;[^\n]*+"
    r'|\[\w{1,255}+ "[^"\n]{0,500}+"\]|[^{;&\[]{1,999}+|[&\[]'
)
"""What to look through for entities, such as &#9816;. In comments and tags alone, of any file, they mean themselves."""
PIECES_OF_PAGES = dict(zip(("king", "queen", "rook", "bishop", "knight", "pawn"), "♔♕♖♗♘♙", strict=True))
PAUSE_AFTER_ENTITIES = 500


def _has_entities(text: str) -> SlicedWork[bool]:
    """Was the text copied from the source of a web page?"""
    if "&" not in text:
        return False
    for number, found in enumerate(MAY_HAVE_ENTITY.finditer(text)):
        if found["entity"]:
            return True
        if number % PAUSE_AFTER_ENTITIES == 0:
            yield
    return False


def _without_entities(text: str) -> SlicedWork[MendLog]:
    """The text with the signs that its entities stand for, each of which is noted. Lines keep their numbers."""
    parts, mends, start = [""], MendLog(text), 0
    for number, found in enumerate(ENTITY.finditer(text)):
        sign = PIECES_OF_PAGES.get(found[0][1:-1].lower()) or unescape(found[0])
        at_line_start = text[max(0, found.start() - 1) : found.start()] in ("", "\n")
        # Written so it is a sign, and no comment, line to skip or tag.
        is_syntax = sign in ("{", "}", ";") or (at_line_start and sign in ("%", "["))
        parts += [text[start : found.start()], sign if sign.isprintable() and not is_syntax else " "]
        if sign != found[0]:
            mends.note("entity", found.start(), found[0])
        start = found.end()
        if number % PAUSE_AFTER_ENTITIES == 0:
            yield
    return mends.copy("".join([*parts, text[start:]]))


def _read_in_some_language(
    text: str, head: Head, start: Position, mends: MendLog
) -> SlicedWork[tuple[Movetext, MendLog]]:
    """The movetext and its mends, with the letters of another language if only so it is legal.

    Raises InvalidPgn.
    """
    own = mends.copy()
    found = yield from _attempt(text, head, start, own, OWN)
    stopped = found if isinstance(found, InvalidPgn) else found.stopped
    wrong = own.count(*WRONG)
    if stopped is None:
        foreign = wrong > 0 and len(text) <= LONGEST_VARIED
    else:
        foreign = len(text) <= LONGEST_FOREIGN and stopped.ply is not None and stopped.ply <= SOON
    if foreign:
        further: list[tuple[Movetext, MendLog]] = []
        for letters in letters_of_languages(start.variant):
            if own.letters_in(*WRONG).isdisjoint(letters.theirs.values()):
                continue
            log = mends.copy()
            log.note("letters", head.end, "".join(letters.theirs.values()))
            other = yield from _attempt(text, head, start, log, letters)
            if isinstance(other, Movetext) and _goes_further(other, log, found, stopped):
                further.append((other, log))
        if further and all(read.moves == further[0][0].moves for read, _ in further):
            return min(further, key=lambda one: one[1].count(*WRONG))
    if isinstance(found, InvalidPgn):
        raise found
    return found, own


def _goes_further(other: Movetext, log: MendLog, found: Movetext | InvalidPgn, stopped: InvalidPgn | None) -> bool:
    """Is the text in a language better read so than as it was found? Where the main line is legal, so must all be."""
    if stopped is None:
        return isinstance(found, Movetext) and other.moves == found.moves and not log.count(*WRONG)
    return other.stopped is None or len(other.moves) > (stopped.ply or 0) + FURTHER


def _attempt(
    text: str, head: Head, start: Position, mends: MendLog, letters: Letters
) -> SlicedWork[Movetext | InvalidPgn]:
    """The movetext, or why there is none."""
    try:
        return (yield from read_movetext(text, head, start, mends, letters))
    except InvalidPgn as error:
        return error


MAX_PLIES = 5_000
"""Half-moves of the main line."""
MAX_DEPTH = 32
"""Nesting depth of variations."""
LONGEST_COMMENT = 5_000
MAX_ANNOTATION = 100_000
"""Characters of comments and variations in all."""
COST_OF_MOVE = 20
"""Characters that a move in a variation counts as, since it must be checked: so there are at most 5,000."""
PAUSE_AFTER = 500
"""Tokens between pauses."""
PAUSE_BEHIND = 20_000
"""Characters between pauses."""
LONGEST_SHOWN = 20
"""Characters of an illegal move that the error quotes."""
# fmt: off
MARKS: Mapping[str, int] = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "‼": 3, "⁇": 4, "⁉": 5, "⁈": 6,
    "□": 7, "=": 10, "∞": 13, "~": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15,
    "±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "+--": 20, "--+": 21,
    "⨀": 22, "⊙": 22, "○": 26, "◯": 26, "⟳": 32, "↻": 32, "↑↑": 32, "↑": 36, "→": 40, "=∞": 44, "∞=": 44, "⯹": 44,
    "⇆": 132, "⇄": 132, "⊕": 138, "∆": 140, "Δ": 140, "△": 140, "∇": 141, "⌓": 142, "N": 146, "TN": 146,
    "D": 220, "D'": 221, "⇔": 239, "⇗": 240, "⊞": 241, "⟫": 242, "⟪": 243, "✕": 244, "⊥": 245,
}
"""Signs behind a move, with plain hyphens, and their NAGs in the PGN standard or, from 140 on, as all programs number
them."""
# fmt: on
LETTER_MARKS = "N|TN|D'?"
SIGN_MARKS = "|".join(
    re.escape(mark) for mark in sorted(MARKS, key=len, reverse=True) if not re.fullmatch(LETTER_MARKS, mark)
)
SIGNED = re.compile(rf"(.*?[\w+#)])((?:{SIGN_MARKS})++)")
"""A move with such signs directly behind it."""
LETTERED = re.compile(rf"(.*?[\w+#)])((?:{SIGN_MARKS}|{LETTER_MARKS})++)")
"""The same with such of letters among them, which could belong to the move."""
ODDLY_SIGNED = re.compile(r"(.*[A-Za-z0-9+#)])([^A-Za-z0-9+#)]+)")
"""A move with anything behind it that no move has, such as a sign without a number."""
WITH_WORDS = re.compile(r"(.*?[A-Za-z0-9])((?:[^A-Za-z0-9/=:@(x+#-]|[+-]\d+[.,]\d)(?!.*[a-p]\d).*)")
"""A move with words directly behind it, such as the rest of a comment."""
MARK = re.compile(f"{SIGN_MARKS}|{LETTER_MARKS}")
HIGHEST_NAG = 255
GATED_CASTLING = re.compile(r"([O0o\u2010-\u2015\u2212-]{3,5}/[A-Za-z])")
NULL_MOVES = frozenset(("--", "z0", "z1", "0000", "@@@@", "null", "pass", "<>"))
BEFORE_NULL = re.compile(r"(.*[\w#])(--)")
"""A move with a null move directly behind it."""
SAYS_NOTHING = re.compile(
    r"\+{1,2}|\#|e\.?p\.?\+?|x|(?:dis|disc|dbl)?\.?(?:ch|check)\.?|mate|(?:dis|disc|dbl)\.?", re.ASCII
)
"""Tokens that say nothing which the move before them does not show."""
CASTLES = "[O0oОо][-\u2010-\u2015\u2212]?"
SPACED_CASTLING = "(?:[Oo0О][ ][-\u2010-\u2015\u2212][ ][Oo0О](?:[ ][-\u2010-\u2015\u2212][ ][Oo0О])?(?![\\w-]))"
MOVE_LIKE = re.compile(rf"[a-pA-Pａ-ｐ]\d|(?<![\w:.])(?:{CASTLES}){{2,3}}(?:{LETTER_MARKS})?(?![A-Za-z:])")
NUMBERED = re.compile(r"^\d{1,4}[.…)]*+(?=[A-Za-zОо♔-♟@])")
"""A move number without a space, or even without a dot, behind it."""
FURTHER_WORDS = re.compile(r"(?:[^\W\d_Oo][^\W\d_]{2,30}+[,.:]?\s{1,9}+){2,60}+")
"""What is no move behind words that are none."""
SHORT_CAPTURE = re.compile(r"([a-p])[x:]?([a-p])(?:=?\(?([A-Za-z])\)?)?:?[+#]{0,2}", re.ASCII)
"""A pawn that takes, by its file and the one it goes to: also a word, such as "be", where no pawn can."""
PAWN_TAKES = re.compile(r"[a-p][x:][a-p]\b")
"""What is a capture, possible or not."""
NUMBER = re.compile(r"(\d{1,4})[.…]?([.…]*)(?=\D|$)")
"""A move number, in the second group with the dots of a move by Black."""
ECO = re.compile(r"[A-E]\d\d")
"""The code of an opening, unless the board is so large that it is a square."""
HALF = re.compile(r"(?:[A-Z]?[a-p]?\d{0,2}[x-]?[a-p]\d{1,2}(?:=?[A-Z])?|[O0]-[O0](?:-[O0])?)[+#]?", re.ASCII)
"""One of two moves without a space between them."""
PART_OF_MOVE = re.compile("[a-pA-Pａ-ｐ]\\d|[O0oОо]")
"""What every move has, but a capture that names only files."""
LONGEST_TOKEN = 99
"""Characters of a move that are taken at once; what is longer comes in parts."""
LONGEST_JOINED = 20
"""Characters of two moves without a space between them."""
SEPARATORS = ",.…/-"
LISTING = ",|/"
"""Signs between the moves of a list."""
DESCRIPTIVE = re.compile(
    r"(?:P|[QK]?(?:R|B|N|Kt)P?|[QK]P?)(?:-[QK]?(?:R|B|N|Kt)?[1-8]|x[QK]?(?:R|B|N|Kt)?P?)[+#!?]*", re.ASCII
)
"""A move of the notation of English books until about 1980, such as P-K4 or BxKt."""
ENDED = re.compile(rf"(?!\*)(.*[\w+#]) ({RESULT_FORM})", re.VERBOSE)
"""A move, or a word, with the result directly behind it."""
NOBODY_WON = re.compile(r"[0O]\s?[-\u2010-\u2015\u2212:]\s?[0O]\s{0,99}+\Z")
"""How some tournaments end a game that both have lost, where it is no castling."""
FROM_END = 99
LAST_RESULT = re.compile(rf"(?<!\S) ({RESULT_FORM}) \s{{0,99}}+ \Z", re.VERBOSE)
MOVE_NUMBER = re.compile(r"(?:(?<!\S)(\S{2,15})\s{1,9})?(?<!\S)(\d{1,4})(\.{0,3}|…)\s{0,9}([^\s\d{}()][^\s{}()]{1,14})")
"""A move number with the move behind it and, if there is one, the word before it."""
MOST_NUMBERS = 9
MOST_UNCLOSED = 20
"""Comments without an end in which moves are looked for; each reaches to the end of the text."""
LONGEST_BEFORE = 2_000
"""Characters that may stand in brackets before the first move."""
BRACKET = re.compile(r"[()]|\{[^}]*+\}?|;[^\n]*+")
"""A bracket, or a comment, in which none counts."""
CLOCK = re.compile(
    r"\[%clk\s+(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})\d*)?\s*\]",
    re.ASCII,
)
"""The command in a comment that gives the mover's clock after the move, as h:mm:ss or m:ss."""
OPENED_CLOCK = re.compile(r"(?<!\[)\[+%clk")
"""What could begin such a command. A long row of brackets is looked through once, not from each of them."""
TOKEN = re.compile(
    rf"""
      (?P<skipped> \s{{1,999}}+ )
    | (?P<markup> {MARKUP} )
    | (?P<nested> {NESTED} )
    | (?P<comment> \{{[^}}]*+\}} | ;[^\n]*+ )
    | (?P<unclosed> \{{[^}}]*+ )
    | \(\s?e\.?p\.?\s?\)
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> {RESULT_FORM} )
    | (?P<nag> \$\d{{1,99}}+ | [!?‼⁇⁉⁈]{{1,99}}+ )
    | (?P<number> (?!0000\b | {SPACED_CASTLING})\d{{1,99}}+ (?!\S) )
    | ^%[^\n]*+
    | (?P<numbered> (?!0000\b)\d{{1,99}}+ (?: [/:](?=\s) | [.…]{{1,99}}+ (?!\d(?!-0|000\b)) ) )
    | [.…]{{1,99}}+ | [\u200b-\u200f\u2060]
    | (?P<tag> ^[ \t]{{0,99}}+\[\s{{0,99}}+\w{{1,255}}\s{{0,99}}+["“”„][^\n]*+ )
    | (?P<bracket> \[(?!%)[^\]\n]{{0,255}}+\] | \[%[^\[\]\n]{{0,255}}+\] )
    | (?P<move> {SPACED_CASTLING}
        | (?: [^\s(){{}};\[\]$!?‼⁇⁉⁈<&] | <(?!/?[A-Za-z]) | (?<!\S)< | &(?![\w\#]{{2,8}};) ){{1,{LONGEST_TOKEN}}}+
        (?: (?<=[18]) (?: \[[QRBNqrbn]\] | \([QRBNqrbn]\) | [ ]=[ ]?[QRBN](?![\w=@]) )
        | (?<=[18]=) (?: [ ][QRBN](?![\w=@]) | \([QRBN]\) | \[[QRBN]\] )
        | (?: (?<=[\s.][a-h][18]) | (?<=[a-h]x[a-h][18]) ) [ ] (?: [QRBN](?![\w=@]) | \([QRBN]\) ) )? )
    | (?P<stray> . )
    """,
    re.VERBOSE | re.MULTILINE,
)
WORDS_PASSED = re.compile(r"(?:[^\s(){};\[*01½O%][^\s(){};\[]{0,255}+\s{0,99}+){1,60}+")
"""Words of an illegal part with which nothing ends it."""


@dataclass(slots=True)
class _OpenLine:
    """A line that is being read. `branch` is the position before its last move."""

    position: Position
    branch: Position
    line: list[PgnMove] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    last: "_LastMove | None" = None
    unplayable: int | None = None
    """Where in the text the illegal part begins."""
    opened: int = 0
    """Where in the text the line begins."""
    nested: int = 0
    """Open variations inside that part."""
    nags: list[int] = field(default_factory=list)
    """Glyphs before the first move."""
    kept_at: int = -1
    """Where the last text ended that was kept as a comment; the next one may go on there."""

    def close(self) -> PgnLine:
        """The line as it is."""
        if self.last is not None:
            self.line.append(self.last.frozen())
            self.last = None
        return tuple(self.line)


@dataclass(slots=True)
class _LastMove:
    """The last move of a line, still collecting its annotations."""

    uci: str
    san: str
    before: tuple[str, ...]
    nags: list[int] = field(default_factory=list)
    clock_ms: int | None = None
    comments: list[str] = field(default_factory=list)
    variations: list[PgnLine] = field(default_factory=list)

    def frozen(self) -> PgnMove:
        said, variations = tuple(self.comments), tuple(self.variations)
        return PgnMove(self.uci, self.san, tuple(self.nags), self.clock_ms, said, self.before, variations)


def read_movetext(
    text: str, head: Head, start: Position, mends: MendLog, letters: Letters = OWN
) -> SlicedWork[Movetext]:
    """The movetext behind the tags, played from `start`. Pauses after each move and every PAUSE_AFTER tokens.

    Raises InvalidPgn; if the first move of the main line is illegal, with its ply.
    """
    parser, at, paused = _Parser(text, start, mends, letters), head.end, head.end
    for said in head.comments:
        parser.add_long_comment(said)
    for number in count(1):
        match = TOKEN.match(text, at)
        if match is None:
            break
        if letters is not OWN and number > FOREIGN_TOKENS + TOKENS_OF_MOVE * parser.played:
            raise InvalidPgn("annotations", number=MAX_ANNOTATION)
        at, kind = match.end(), match.lastgroup
        if kind == "skipped" or kind is None:
            pass
        elif parser.unplayable:
            parser.skip_token(match)
            passed = WORDS_PASSED.match(text, at)
            at = passed.end() if passed else at
        else:
            at = parser.take_token(match)
        if number % PAUSE_AFTER == 0 or kind == "move" or at - paused > PAUSE_BEHIND:
            paused = at
            yield
    if parser.stopped is not None and not parser.moves:
        raise parser.stopped
    parser.close_lines()
    main = parser.open[0]
    result = parser.result or parser.earlier
    return Movetext(tuple(parser.moves), main.close(), tuple(main.before), result, parser.stopped)


class _Parser:
    """Keeps the open lines: the main line first, the innermost variation last."""

    def __init__(self, text: str, start: Position, mends: MendLog, letters: Letters) -> None:
        self.text = text
        self.mends = mends
        self.letters = letters
        self.open = [_OpenLine(start, start)]
        self.moves: list[Move] = []
        self.short_left = MOST_SHORT + len(text) // LETTERS_OF_SHORT
        """Short texts that are no moves which may still come."""
        self.played = 0
        """Moves so far, those of variations among them."""
        self.result: str | None = None
        self.stopped: InvalidPgn | None = None
        self.left = MAX_ANNOTATION
        self.result_at = 0
        self.earlier: str | None = None
        """The last result behind which the game went on."""
        self.number_behind: str | None = None
        """A number of a move behind the result."""
        self.moves_at = -1
        """Where moves were last found that follow a star."""
        self.tried = 0
        """Brackets before the first move that are not closed."""
        self.unclosed = 0
        """Comments without an end so far."""

    @property
    def unplayable(self) -> bool:
        return self.open[-1].unplayable is not None

    def take_token(self, match: re.Match[str]) -> int:
        """Takes the next token, and returns the index behind it. Raises InvalidPgn."""
        kind, token = match.lastgroup, match.group()
        match kind:
            case "move":
                if self.result is None or len(self.open) > 1 or self.goes_on(token):
                    return self.take_move(token, match)
                self.keep_as_comment(token, match.start())
            case "markup":
                self.mends.note("markup", match.start(), token)
            case "comment" | "nested" | "unclosed":
                return self.take_comment(token, match)
            case "nag":
                self.take_nag(token, match)
            case "open":
                self.begin_variation(match.start())
            case "close" if len(self.open) > 1:
                self.end_variation(match.start())
            case "number" | "numbered":
                self.take_number(token, match)
            case "result":
                self.take_result(token, match)
            case "tag":
                end = self.end_of_tags_between(match.start())
                self.keep_as_comment(self.text[match.start() : end], match.start())
                return end
            case "bracket" if self.result is not None and tag_at(self.text, match.start()):
                raise InvalidPgn("several")
            case "bracket" if token.startswith("[%"):
                self.add_comment(token)
            case _:
                self.keep_as_comment(token, match.start())
        return match.end()

    def goes_on(self, token: str) -> bool:
        """Does the game go on with that token behind a result, which is a comment then?

        Raises InvalidPgn if another begins.
        """
        if not (MOVE_LIKE.search(token) and MOVES.search(token)):
            return False
        line, number = self.open[0], NUMBER.match(self.number_behind or token)
        if number:
            is_next = (int(number[1]), bool(number[2])) == (line.position.fullmove, line.position.turn is Color.BLACK)
            if int(number[1]) == 1 and not (number[2] or is_next):
                raise InvalidPgn("several")
            if not is_next:
                return False
        try:
            read_move(line.position, NUMBERED.sub("", token, count=1), self.letters)
        except RulesError:
            return False
        if self.stopped is not None:
            return False  # the game goes on, but not from this position
        self.keep_as_comment(self.result or "", self.result_at)
        self.earlier = self.result if self.result != "*" else self.earlier
        self.result = self.number_behind = None
        return True

    def skip_token(self, match: re.Match[str]) -> None:
        """Takes the next token of an illegal part, of which only the end matters. Raises InvalidPgn if it is long."""
        line = self.open[-1]
        assert line.unplayable is not None
        if match.start() - line.unplayable > self.left:
            raise self.stopped if self.stopped and not self.moves else InvalidPgn("annotations", number=MAX_ANNOTATION)
        if match.lastgroup == "open":
            line.nested += 1
        elif match.lastgroup == "close" and line.nested:
            line.nested -= 1
        elif match.lastgroup == "close" and len(self.open) > 1:
            self.end_variation(match.start())
        elif match.lastgroup == "result" and len(self.open) == 1 and not line.nested and not self.is_footnote(match):
            self.keep_unplayable(match.start())
            self.result, self.result_at = result_of(match.group()), match.start()
        elif match.lastgroup == "tag":
            self.end_of_tags_between(match.start())

    def end_of_tags_between(self, at: int) -> int:
        """The end of the tags at that index, where the game goes on. Raises InvalidPgn if another begins with them."""
        end = end_of_tags(self.text, at)
        further = NEXT_NUMBER.match(self.text, end) if end is not None else None
        if end is None or further is None or (further["number"] == "1" and further["dots"] in ("", ".")):
            raise InvalidPgn("several")
        return end

    def close_lines(self) -> None:
        """Closes what is still open at the end of the text. A result at the end is the game's all the same."""
        if len(self.open) > 1 and self.result is None:
            last = LAST_RESULT.search(self.text, max(0, len(self.text) - FROM_END))
            self.result = result_of(last[1]) if last else None
        while len(self.open) > 1:
            self.end_unclosed(len(self.text))
        self.keep_unplayable(len(self.text))

    def keep_unplayable(self, end: int) -> None:
        """What of the main line cannot be played, up to index `end`, as a comment."""
        line = self.open[0]
        if line.unplayable is not None:
            if end - line.unplayable > self.left:
                raise InvalidPgn("annotations", number=MAX_ANNOTATION)
            text = self.text[line.unplayable : end].replace("{", " ").replace("}", " ")
            line.unplayable = None
            self.add_long_comment(without_clocks(text))

    def add_long_comment(self, text: str) -> None:
        """A comment that may have to become several."""
        for at in range(0, len(text), LONGEST_COMMENT):
            self.add_comment(text[at : at + LONGEST_COMMENT])

    def take_result(self, token: str, match: re.Match[str]) -> None:
        """A result. One in a variation, or a second one that differs, is kept as a comment."""
        result = result_of(token)
        if self.is_footnote(match) or len(self.open) > 1 or self.result not in (None, result):
            self.keep_as_comment(token, match.end() - len(token))
        else:
            self.result, self.result_at = result, match.end() - len(token)

    def is_footnote(self, match: re.Match[str]) -> bool:
        """Is the result at the end of that token a star directly behind a move with which the game does not end?"""
        end = match.end()
        if not self.text.endswith("*", 0, end) or self.text[max(0, end - 2) : end - 1].isspace():
            return False
        if self.moves_at < end:
            found = MOVES.search(self.text, end)
            self.moves_at = found.start() if found else len(self.text)
        return self.moves_at < len(self.text)

    def keep_as_comment(self, token: str, at: int) -> None:
        """Keeps what is no move as a comment at its place, words that follow each other as one."""
        line = self.open[-1]
        self.mends.note("kept", at, token)
        self.short_left -= len(token) < SHORT
        if self.short_left < 0:
            line.unplayable = at
            return
        said = line.before if line.last is None else line.last.comments
        text = self.cleaned_comment(token)
        text = without_clocks(text) if "[" in text else text
        if said and self.follows_words(at) and len(said[-1]) + len(text) < LONGEST_COMMENT:
            said[-1] = f"{said[-1]} {text}"
        else:
            said += filter(None, [text])
        line.kept_at = at + len(token)

    def take_move(self, token: str, match: re.Match[str]) -> int:
        """Takes a move, perhaps with a null move or the result behind it, and returns the index behind what it took."""
        at = match.start()
        if token in MARKS:
            self.take_signs(token, at)
            return match.end()
        if self.follows_words(at) and (prose := FURTHER_WORDS.match(self.text, at)):
            self.keep_as_comment(prose[0].rstrip(), at)
            return prose.end()
        if both := BEFORE_NULL.fullmatch(DASHES.sub("-", token)):
            end = self.play_move(both[1], at)
            if end < at + both.start(2) or self.unplayable:
                return end
            return self.play_move(both[2], end)
        ended = ENDED.fullmatch(token)
        if ended is None or not (MOVE_LIKE.search(ended[1]) or SHORT_CAPTURE.fullmatch(ended[1])):
            return self.play_move(token, at)
        end = self.play_move(ended[1], at)
        if end < at + ended.start(2) and not self.unplayable:
            return end
        self.take_result(ended[2], match)
        return match.end()

    def play_move(self, token: str, at: int) -> int:
        """Plays the move of the token at index `at`, or the first of several, and returns the index behind them.

        What stands there then is the next token, so that a line without any space is read in steps, as others are.
        """
        line = self.open[-1]
        main = len(self.open) == 1
        end = at + len(token)
        if main and len(self.moves) == MAX_PLIES:
            raise InvalidPgn("plies", number=MAX_PLIES)
        if not main:
            self.charge_annotation(COST_OF_MOVE)
        try:
            move, signs = self.read_token(line.position, token, at)
        except RulesError as error:
            joined = joined_moves(line.position, token, self.letters)
            if not joined:
                self.refuse_token(error, token, at)
                return end
            self.mends.note("joined", at, token)
            for start, stop in joined:
                end = self.play_move(token[start:stop], at + start)
                if self.unplayable:
                    return end
            rest = token[end - at :]
            return end + len(rest) - len(rest.lstrip(SEPARATORS + LISTING))
        if move is None:
            return end
        after = play_trusted(line.position, move)
        self.played += 1
        first = line.last is None
        line.close()
        line.last = _LastMove(
            move.uci, format_san(line.position, move, after), tuple(line.before) if first and not main else ()
        )
        line.branch, line.position = line.position, after
        if main:
            self.moves.append(move)
        if line.nags:
            line.last.nags, line.nags = line.nags, []
        if signs:
            self.take_signs(signs, end - len(signs))
        return end

    def read_token(self, position: Position, token: str, at: int) -> tuple[Move | None, str]:
        """The move of a token and the signs directly behind it; None: the token names no move, and is taken.

        Raises RulesError.
        """
        token = token.replace(" ", "") if re.fullmatch(SPACED_CASTLING, token) else token
        bare = DASHES.sub("-", NUMBERED.sub("", token, count=1))
        signed = SIGNED.fullmatch(bare)
        try:
            if not MOVE_LIKE.search(bare):
                raise InvalidMove("unreadable", move=token[:LONGEST_SHOWN])
            # Before the whole token, as `read_move` passes over most signs.
            if signed:
                with suppress(RulesError):
                    return read_move(position, signed[1], self.letters), signed[2]
            return read_move(position, token, self.letters), ""
        except RulesError:
            if nags_of(bare):
                self.take_signs(bare, at)
                return None, ""
            if SAYS_NOTHING.fullmatch(token.lower()):
                return None, ""
            unsigned, signs = signed.groups() if signed else (bare, "")
            if (capture := SHORT_CAPTURE.fullmatch(unsigned)) and not self.follows_words(at):
                return short_capture(position, capture), signs
            if not MOVE_LIKE.search(bare):
                raise
            with suppress(RulesError):
                return read_move(position, bare, self.letters), ""
            for form in (LETTERED, ODDLY_SIGNED, WITH_WORDS):
                if glued := form.fullmatch(bare):
                    with suppress(RulesError):
                        return read_move(position, glued[1], self.letters), glued[2]
            if castling := in_place_of_king(position, unsigned):
                return castling, signs
            raise

    def take_signs(self, signs: str, at: int) -> None:
        """Takes what stands at index `at`, directly behind a move: as glyphs, or as a comment if one is unknown."""
        nags = nags_of(signs)
        if not nags:
            self.keep_as_comment(self.text[at : at + len(signs)], at)
        for nag in nags:
            self.add_nag(nag, signs)

    def follows_words(self, at: int) -> bool:
        """Is what stands directly before that index no move, but words that were kept?"""
        end = self.open[-1].kept_at
        return end >= 0 and not self.text[end:at].strip()

    def refuse_token(self, error: RulesError, token: str, at: int) -> None:
        """Takes a token that is no legal move: with it, if it ought to be one, the line ends."""
        line, position = self.open[-1], self.open[-1].position
        if DASHES.sub("-", token.lower()) in NULL_MOVES:
            self.mends.note("null", at, token)
        elif len(self.open) == 1 and not self.moves and DESCRIPTIVE.fullmatch(NUMBERED.sub("", token, count=1)):
            self.mends.note("descriptive", at, token)
        elif NOBODY_WON.match(self.text, at) or not (
            ought_to_be_move(token, position) or isinstance(error, AmbiguousMove)
        ):
            self.keep_as_comment(token, at)
            return
        else:
            self.mends.note(error.id, at, numbered_move(position, token))
            if len(self.open) == 1:
                self.stopped = InvalidPgn(
                    error.id, len(self.moves), move=numbered_move(position, token), half_move=len(self.moves) + 1
                )
        line.unplayable = at

    def begin_variation(self, at: int) -> None:
        self.charge_annotation(1)
        line = self.open[-1]
        if line.last is None and self.tried < MOST_UNCLOSED and not self.is_closed(at):
            self.tried += 1
            self.keep_as_comment(self.text[at], at)  # or else all the moves behind it would be
            return
        if len(self.open) > MAX_DEPTH:
            raise InvalidPgn("depth", number=MAX_DEPTH)
        self.open.append(_OpenLine(line.branch, line.branch, opened=at))
        if line.last is None:
            # There is no move that it could replace.
            self.mends.note("kept", at, self.text[at : at + LONGEST_SHOWN].partition("\n")[0])
            self.open[-1].unplayable = at + 1

    def is_closed(self, at: int) -> bool:
        """Is the bracket at that index closed, and not too far from there?"""
        depth = 0
        for found in BRACKET.finditer(self.text, at, at + LONGEST_BEFORE):
            depth += (found[0] == "(") - (found[0] == ")")
            if depth == 0:
                return True
        return False

    def end_variation(self, at: int) -> None:
        line = self.open.pop()
        around = self.open[-1]
        rest = "" if line.unplayable is None else self.text[line.unplayable : at]
        said = without_clocks(self.cleaned_comment(rest.replace("{", " ").replace("}", " ")))
        if line.last is None or around.last is None:
            comments = around.before if around.last is None else around.last.comments
            comments += filter(None, [*(without_clocks(text) for text in line.before), said])
            for number in line.nags:
                self.add_nag(number, "")
            return
        line.last.comments += filter(None, [said])
        around.last.variations.append(line.close())

    def end_unclosed(self, at: int) -> None:
        """Ends a variation that should have been closed before that index."""
        self.mends.note("variation", self.open[-1].opened)
        self.end_variation(at)

    def take_number(self, token: str, match: re.Match[str]) -> None:
        """Takes a number, with the dots of a move's or by itself. One behind the result is kept as a comment."""
        if self.result is not None and len(self.open) == 1:
            self.number_behind = token
        elif match.lastgroup == "numbered":
            self.leave_unclosed(token, match.start())
            return
        elif int(token[:9]) == self.open[-1].position.fullmove:
            return
        self.keep_as_comment(token, match.start())

    def leave_unclosed(self, number: str, at: int) -> None:
        """Ends the variations in which the number of a move goes back to where a line around them goes on."""
        line = self.open[-1]
        fullmove, blacks = int(number[:4].rstrip(".…/:")), len(number.lstrip("0123456789")) > 1 or "…" in number
        if line.last is None or fullmove >= line.position.fullmove:
            return
        for depth in range(len(self.open) - 1, 0, -1):
            around = self.open[depth - 1].position
            if around.fullmove == fullmove and (around.turn is Color.BLACK) == blacks:
                while len(self.open) > depth:
                    self.end_unclosed(at)
                return

    def take_comment(self, token: str, match: re.Match[str]) -> int:
        """Takes a comment, and returns the index behind it. One without an end ends where the moves go on."""
        said = token[1:] if token[0] == ";" or match.lastgroup == "unclosed" else token[1:-1]
        inner = said.find("{") if match.lastgroup == "comment" and token[0] == "{" else -1
        end = None
        if match.lastgroup == "nested":
            self.mends.note("kept", match.start(), token)
        elif match.lastgroup == "unclosed" or (inner >= 0 and MOVES.search(said, 0, inner)):
            self.mends.note("comment", match.start())
            self.unclosed += 1
            end = self.where_moves_go_on(said) if self.unclosed <= MOST_UNCLOSED else None
        if end is not None:
            self.add_comment(said[:end])
            return match.start() + 1 + end
        if match.lastgroup == "comment":
            self.add_comment(said)
        else:
            self.add_long_comment(said)
        return match.end()

    def where_moves_go_on(self, said: str) -> int | None:
        """The index of the next move of this line, with its number, in what would else be a comment.

        None if nothing shows that it is more than a remark: another comment, a number or the result behind it.
        """
        position = self.open[-1].position
        said, brace, _ = said[:LONGEST_COMMENT].partition("{")
        for found in islice(MOVE_NUMBER.finditer(said), MOST_NUMBERS):
            if not (brace or MOVE_NUMBER.search(said, found.end()) or said.rstrip().endswith(RESULTS)):
                return None
            number, is_black = int(found[2]), position.turn is Color.BLACK
            if number == position.fullmove and is_black == (len(found[3]) > 1 or found[3] == "…"):
                start, move = found.start(2), found[4]
            elif is_black and number == position.fullmove + 1:
                start, move = found.start(), found[1]
            else:
                continue
            with suppress(RulesError):
                read_move(position, (move or "").rstrip("!?"), self.letters)
                return start
        return None

    def add_comment(self, token: str) -> None:
        """Takes a comment in braces or to the end of the line. A clock in it belongs to the move before it."""
        line = self.open[-1]
        said = self.cleaned_comment(token)
        if line.last is None:
            line.before += filter(None, [said])
            return
        if line.last.clock_ms is None and (clock := CLOCK.search(said)):
            line.last.clock_ms = clock_ms(clock)
            said = one_line(f"{said[: clock.start()]} {said[clock.end() :]}")
        line.last.comments += filter(None, [said])

    def take_nag(self, token: str, match: re.Match[str]) -> None:
        number = MARKS.get(token) if token[0] != "$" else int(token[1:]) if len(token) <= 4 else None
        if number is None or number > HIGHEST_NAG:
            self.keep_as_comment(token, match.start())
        else:
            self.add_nag(number, token)

    def add_nag(self, number: int, token: str) -> None:
        """Puts a glyph on the last move, or on the first one if there is none yet."""
        line = self.open[-1]
        nags = line.nags if line.last is None else line.last.nags
        if number not in nags:
            self.charge_annotation(len(token))
            nags.append(number)

    def cleaned_comment(self, text: str) -> str:
        """A comment as one line of printable characters. Raises InvalidPgn if it is too long."""
        self.charge_annotation(len(text))
        if len(text) > LONGEST_COMMENT:
            raise InvalidPgn("comment", number=LONGEST_COMMENT)
        return one_line(text)

    def charge_annotation(self, letters: int) -> None:
        self.left -= letters
        if self.left < 0:
            raise InvalidPgn("annotations", number=MAX_ANNOTATION)


def nags_of(signs: str) -> list[int]:
    """The glyphs that signs without a space between them stand for; none if one of them is unknown."""
    plain = DASHES.sub("-", signs)
    found = MARK.findall(plain)
    return [MARKS[mark] for mark in found] if "".join(found) == plain else []


def in_place_of_king(position: Position, text: str) -> Move | None:
    """Castling that brings in a piece and does not say where: on the square of the king, as after any other move."""
    castling = GATED_CASTLING.fullmatch(text)
    if castling is None:
        return None
    square = position.variant.geometry.names[position.kings[position.side]]
    with suppress(RulesError):
        return read_move(position, f"{castling[1]}{square}")
    return None


def joined_moves(position: Position, token: str, letters: Letters) -> Sequence[tuple[int, int]]:
    """Where the moves begin and end that a token begins with which is none itself; nothing if it begins with none.

    It must be possible to cut it in only one way into two legal moves. Where the number of the next one stands behind
    one or two, or signs stand between all, it may be longer; of those with signs, the first alone has to be legal.
    """
    if not PART_OF_MOVE.search(token):
        return []
    bare = NUMBERED.sub("", token, count=1)
    begin = len(token) - len(bare)
    following = f"{position.fullmove + 1}."
    if position.turn is Color.BLACK:
        cut = bare.find(following, 2, LONGEST_JOINED)
    else:
        cut = max(bare.find(f"{position.fullmove}{dots}", 2, LONGEST_JOINED) for dots in ("..", "…"))
    if cut > 0:
        with suppress(RulesError):
            read_move(position, bare[:cut], letters)
            return [(begin, begin + cut)]
    if position.turn is Color.WHITE and (cut := bare.find(following, 4, LONGEST_JOINED + len(following))) > 0:
        both = bare[:cut].rstrip(SEPARATORS)
        return [(begin + start, begin + end) for start, end in joined_moves(position, both, letters)]
    pieces = [*re.finditer(f"[^{LISTING}]+", bare)]
    if len(token) >= LONGEST_TOKEN:
        del pieces[-3:]  # the last may be cut off; with two before it, the next token is a list again
    if len(pieces) > 2 and all(HALF.fullmatch(piece[0]) for piece in pieces):
        with suppress(RulesError):
            read_move(position, pieces[0][0], letters)
            return [(begin + piece.start(), begin + piece.end()) for piece in pieces]
    if len(bare) > LONGEST_JOINED:
        return []
    found = []
    for cut in range(2, len(bare) - 1):
        first, rest = bare[:cut], bare[cut:].lstrip(SEPARATORS)
        second = rest.rstrip(",.")
        if HALF.fullmatch(first) and HALF.fullmatch(second):
            with suppress(RulesError):
                after = play_trusted(position, read_move(position, first, letters))
                read_move(after, second, letters)
                start = len(token) - len(rest)
                found.append([(begin, begin + cut), (start, start + len(second))])
    return found[0] if len(found) == 1 else []


def short_capture(position: Position, text: re.Match[str]) -> Move:
    """The capture by a pawn that SHORT_CAPTURE names. Raises InvalidMove if there is none, AmbiguousMove if several."""
    origin, target, becomes = text.groups()
    names, kinds = position.variant.geometry.names, position.tables.codes.kinds
    found = [
        move
        for move in legal_moves(position)
        if isinstance(move, NormalMove)
        and (names[move.origin][0], names[move.target][0]) == (origin, target)
        and origin != target
        and (kind := kinds[position.board[move.origin]]) is not None
        and kind.role.pawn
        and (becomes is None or (move.promotion and position.variant.role(move.promotion).san) == becomes.upper())
    ]
    if not found:
        raise InvalidMove("unreadable", move=text[0][:LONGEST_SHOWN])
    if len(found) > 1:
        moves = ", ".join(format_san(position, move) for move in found[:4])
        raise AmbiguousMove("ambiguous", move=text[0][:LONGEST_SHOWN], moves=moves)
    return found[0]


def ought_to_be_move(token: str, position: Position) -> bool:
    """Is the token, which is no legal move there, one all the same and not some other word?"""
    if ECO.fullmatch(token) and position.variant.geometry.parse(token.lower()) is None:
        return False
    bare = NUMBERED.sub("", token, count=1).replace(" ", "")
    return bool(MOVE_LIKE.search(bare) or PAWN_TAKES.match(bare))


def without_clocks(text: str) -> str:
    """`text` on one line, its clocks no commands any more: they belong to no move of the board."""
    bare = CLOCK.sub(lambda clock: clock[0][1:-1], text)
    return one_line(OPENED_CLOCK.sub("%clk", bare))


def numbered_move(position: Position, token: str) -> str:
    """The token with the number of the move in that position."""
    return f"{position.fullmove}{'.' if position.turn is Color.WHITE else '...'} {token[:LONGEST_SHOWN]}"


def clock_ms(clock: re.Match[str]) -> int:
    """The ms of a time as h:mm:ss, with or without decimals."""
    hours, minutes, seconds, decimals = clock.groups("0")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(decimals.ljust(3, "0"))
