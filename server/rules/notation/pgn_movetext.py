"""Reads the movetext of a PGN game: moves with glyphs, clocks, comments and variations.

Every move must be legal. A main line that is not is refused; the illegal part of a variation (an engine's null move, a
slip of the pen) is kept as a comment, so that no notes are lost.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.rules.errors import InvalidPgn, RulesError
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.pgn_line import PgnLine, PgnMove
from server.rules.notation.printable import one_line
from server.rules.notation.san import format_san, parse_san
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color

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
MARKS: Mapping[str, int] = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Move suffixes and their NAGs in the PGN standard."""
HIGHEST_NAG = 255

CLOCK = re.compile(r"\[%clk\s+(\d{1,4}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3})\d*)?\s*\]", re.ASCII)
"""The command in a comment that gives the mover's clock after the move."""
TOKEN = re.compile(
    r"""
      (?P<comment> \{[^}]*+\} | ;[^\n]*+ )
    | (?P<unclosed> \{[^}]*+ )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | ½-½ | \* ) (?![^\s(){};]) )
    | (?P<nag> \$\d{1,99}+ | [!?]{1,99}+ )
    | (?P<skipped> \s{1,999}+ | ^%[^\n]*+ | \d{1,99}+ (?: \.{1,99}+ | (?!\S) ) | \.{1,99}+ | \$ | e\.p\. )
    | (?P<move> [^\s(){};\[\]$!?]{1,99}+ )
    | (?P<broken> . )
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Movetext:
    """`line` and `moves` are the same half-moves. `comments`: before the first. `result`: None if there is none."""

    moves: tuple[Move, ...]
    line: PgnLine
    comments: tuple[str, ...]
    result: str | None


@dataclass(slots=True)
class _Open:
    """A line that is being read. `branch` is the position before its last move."""

    position: Position
    branch: Position
    line: list[PgnMove] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    last: "_Last | None" = None
    unplayable: int | None = None
    """Where in the text the illegal part begins."""
    nested: int = 0
    """Open variations inside that part."""

    def close(self) -> PgnLine:
        """The line as it is."""
        if self.last is not None:
            self.line.append(self.last.frozen())
            self.last = None
        return tuple(self.line)


@dataclass(slots=True)
class _Last:
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


def read_movetext(text: str, at: int, start: Position) -> SlicedWork[Movetext]:
    """The movetext from index `at`, played from `start`. Pauses after each move and every PAUSE_AFTER tokens.

    Raises InvalidPgn; if a move of the main line is illegal, with its ply.
    """
    parser, paused = _Parser(text, start), at
    for number, match in enumerate(TOKEN.finditer(text, at), 1):
        if match.lastgroup == "skipped":
            pass
        elif parser.unplayable:
            parser.skip(match)
        else:
            parser.take(match)
        if number % PAUSE_AFTER == 0 or match.lastgroup == "move" or match.end() - paused > PAUSE_BEHIND:
            paused = match.end()
            yield
    if len(parser.open) > 1:
        raise InvalidPgn("open")
    main = parser.open[0]
    return Movetext(tuple(parser.moves), main.close(), tuple(main.before), parser.result)


class _Parser:
    """Keeps the open lines: the main line first, the innermost variation last."""

    def __init__(self, text: str, start: Position) -> None:
        self.text = text
        self.open = [_Open(start, start)]
        self.moves: list[Move] = []
        self.result: str | None = None
        self.left = MAX_ANNOTATION

    @property
    def unplayable(self) -> bool:
        return self.open[-1].unplayable is not None

    def take(self, match: re.Match[str]) -> None:
        """Takes the next token. Raises InvalidPgn."""
        kind, token = match.lastgroup, match.group()
        if self.result is not None and kind in ("move", "result", "open", "close"):
            raise InvalidPgn("follows")
        match kind:
            case "move":
                self.play(token, match.start())
            case "comment":
                self.comment(token[1:-1] if token.startswith("{") else token[1:])
            case "nag":
                self.nag(token)
            case "open":
                self.begin()
            case "close":
                self.end(match.start())
            case "result":
                if len(self.open) == 1:
                    self.result = "1/2-1/2" if token == "½-½" else token
            case _:
                raise InvalidPgn("stray", name=token[0])

    def skip(self, match: re.Match[str]) -> None:
        """Takes the next token of an illegal part, of which only the end matters."""
        line = self.open[-1]
        if match.lastgroup == "open":
            line.nested += 1
        elif match.lastgroup == "close" and line.nested:
            line.nested -= 1
        elif match.lastgroup == "close":
            self.end(match.start())

    def play(self, san: str, at: int) -> None:
        line = self.open[-1]
        main = len(self.open) == 1
        if main and len(self.moves) == MAX_PLIES:
            raise InvalidPgn("plies", number=MAX_PLIES)
        if not main:
            self.spend(COST_OF_MOVE)
        try:
            move = parse_san(line.position, san)
        except RulesError as error:
            if main:
                raise refused(error, line.position, san, len(self.moves)) from None
            line.unplayable = at
            return
        after = play_trusted(line.position, move)
        first = line.last is None
        line.close()
        line.last = _Last(
            move.uci, format_san(line.position, move, after), tuple(line.before) if first and not main else ()
        )
        line.branch, line.position = line.position, after
        if main:
            self.moves.append(move)

    def begin(self) -> None:
        self.spend(1)
        line = self.open[-1]
        if line.last is None:
            raise InvalidPgn("no_branch")
        if len(self.open) > MAX_DEPTH:
            raise InvalidPgn("depth", number=MAX_DEPTH)
        self.open.append(_Open(line.branch, line.branch))

    def end(self, at: int) -> None:
        if len(self.open) == 1:
            raise InvalidPgn("closing")
        line = self.open.pop()
        around = self.open[-1].last
        assert around is not None
        rest = "" if line.unplayable is None else self.text[line.unplayable : at]
        said = without_clocks(self.cleaned(rest.replace("{", " ").replace("}", " ")))
        if line.last is None:
            around.comments += filter(None, [*(without_clocks(text) for text in line.before), said])
            return
        line.last.comments += filter(None, [said])
        around.variations.append(line.close())

    def comment(self, token: str) -> None:
        """Takes a comment in braces or to the end of the line. A clock in it belongs to the move before it."""
        line = self.open[-1]
        said = self.cleaned(token)
        if line.last is None:
            line.before += filter(None, [said])
            return
        if line.last.clock_ms is None and (clock := CLOCK.search(said)):
            line.last.clock_ms = clock_ms(clock)
            said = one_line(f"{said[: clock.start()]} {said[clock.end() :]}")
        line.last.comments += filter(None, [said])

    def nag(self, token: str) -> None:
        number = MARKS.get(token) if token[0] != "$" else int(token[1:]) if len(token) <= 4 else HIGHEST_NAG + 1
        if number is not None and number > HIGHEST_NAG:
            raise InvalidPgn("nag", name=token[:LONGEST_SHOWN])
        last = self.open[-1].last
        if last is not None and number is not None and number not in last.nags:
            self.spend(len(token))
            last.nags.append(number)

    def cleaned(self, text: str) -> str:
        """A comment as one line of printable characters. Raises InvalidPgn if it is too long."""
        self.spend(len(text))
        if len(text) > LONGEST_COMMENT:
            raise InvalidPgn("comment", number=LONGEST_COMMENT)
        return one_line(text)

    def spend(self, letters: int) -> None:
        self.left -= letters
        if self.left < 0:
            raise InvalidPgn("annotations", number=MAX_ANNOTATION)


def without_clocks(text: str) -> str:
    """`text` without clocks, even those that appear when another is cut out of their middle."""
    found = 1
    while found:
        text, found = CLOCK.subn(" ", text)
    return one_line(text)


def refused(error: RulesError, position: Position, san: str, ply: int) -> InvalidPgn:
    """The error for the illegal move `san` in the main line."""
    dots = "." if position.turn is Color.WHITE else "..."
    return InvalidPgn(error.id, ply, move=f"{position.fullmove}{dots} {san[:LONGEST_SHOWN]}", half_move=ply + 1)


def clock_ms(clock: re.Match[str]) -> int:
    """The ms of a time as h:mm:ss, with or without decimals."""
    hours, minutes, seconds, decimals = clock.groups("0")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(decimals.ljust(3, "0"))
