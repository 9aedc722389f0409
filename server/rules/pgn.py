"""PGN, the text of a whole game: reading one game of any variant, and writing one.

It knows the form of the text, the tags that say which game it is, and SAN; it does not know where games are kept or
who plays. Variations, NAGs, move numbers and comments are skipped when reading, but for the clock times in comments of
the main line.

The name in the Variant tag is data of each variant, so that files go to and come from other sites and programs.
A game without that tag is one of the variant that lists "" among its names.
"""

import re
import textwrap
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from server.rules.errors import AmbiguousMove, IllegalMove, InvalidFen, InvalidMove, InvalidPgn, RulesError
from server.rules.fen import format_fen, parse_fen, start_position
from server.rules.legal import play_trusted
from server.rules.moves import Move
from server.rules.pieces import Color
from server.rules.position import Position
from server.rules.san import parse_san
from server.rules.variant import Variant

MAX_TEXT = 1_000_000
"""Longest text read, in characters."""
MAX_PLIES = 5_000
MAX_TAGS = 200
LINE_WIDTH = 80
PAUSE_AFTER = 1_000
"""Tokens, comments among them, that are read without a pause."""
MOVE_CODES: Mapping[type[RulesError], str] = {
    InvalidMove: "unreadable",
    IllegalMove: "illegal",
    AmbiguousMove: "ambiguous",
}
LONGEST_SHOWN = 20
"""Letters of a faulty move that are told back."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-", "White": "?", "Black": "?"}
"""The tags that every PGN opens with, and what stands there when nothing is known. Result is the seventh."""

CLOCK = re.compile(r"\[%clk\s+(\d{1,3}):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?\s*\]", re.ASCII)
"""The command in a comment that says what the mover's clock showed after the move."""
Read = TypeVar("Read")
TAG = re.compile(r'\s*\[\s*(\w{1,255})\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
TOKEN = re.compile(
    r"""
      (?P<comment> \{[^}]*\} | ;[^\n]* | ^%[^\n]* )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | ½-½ | \* ) (?![^\s(){};]) )
    | (?P<skipped> \s+ | \d+\.+ | \d+(?!\S) | \.+ | \$\d* | [!?]+ | e\.p\. )
    | (?P<move> [^\s(){};\[\]$!?]+ )
    | (?P<broken> . )
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as read: every move of `moves` is legal where it stands. `result` is one of the four PGN results.

    `clocks`: for each move what the mover's clock showed after it, ms; None where the text does not say.
    """

    tags: Mapping[str, str]
    variant: Variant
    chess960: bool
    start: Position
    moves: tuple[Move, ...]
    clocks: tuple[int | None, ...]
    result: str


def read_pgn(text: str, variants: Mapping[str, Variant]) -> PgnGame:
    """Reads exactly one game.

    Raises InvalidPgn with a sentence and, where a move is to blame, its ply (counted from 0).
    """
    return to_the_end(reading(text, variants))


def to_the_end(steps: Generator[None, None, Read]) -> Read:
    """What `steps` returns, without a pause."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: Read = end.value
            return outcome


def reading(text: str, variants: Mapping[str, Variant]) -> Generator[None, None, PgnGame]:
    """As `read_pgn`, with a pause every millisecond or so, so that a caller who has other things to do can do them."""
    if len(text) > MAX_TEXT:
        raise InvalidPgn("long", f"The text is longer than {MAX_TEXT} characters; paste one game only.", str(MAX_TEXT))
    tags, movetext_at = read_tags(text)
    variant, chess960 = find_variant(tags.get("Variant", ""), variants)
    start = read_start(variant, chess960, tags.get("FEN"))
    sans, clocks, result = yield from read_movetext(text, movetext_at)
    moves = yield from read_moves(start, sans)
    if result is None:
        result = tags.get("Result", "*") if tags.get("Result") in RESULTS else "*"
    return PgnGame(MappingProxyType(tags), variant, start.chess960, start, moves, clocks, result)


def read_tags(text: str) -> tuple[dict[str, str], int]:
    """The tags that open the text, the first of each name, and where they end. Raises InvalidPgn."""
    tags: dict[str, str] = {}
    at = 1 if text.startswith("\ufeff") else 0
    while match := TAG.match(text, at):
        name, value = match.groups()
        tags.setdefault(name, re.sub(r'\\(["\\])', r"\1", value))
        at = match.end()
        if len(tags) > MAX_TAGS:
            raise InvalidPgn("tags", f"The game has more than {MAX_TAGS} tags.", str(MAX_TAGS))
    return tags, at


def find_variant(tag: str, variants: Mapping[str, Variant]) -> tuple[Variant, bool]:
    """The variant that a Variant tag names, and whether it names the chess960 form. Raises InvalidPgn."""
    wanted = plain_name(tag)
    for variant in variants.values():
        names = {plain_name(name) for name in (variant.id, variant.name, variant.pgn_tag, *variant.pgn_aliases)}
        if wanted in names:
            return variant, False
        shuffled = {plain_name(name) for name in (variant.pgn_tag_960, *variant.pgn_aliases_960)}
        if variant.chess960 and (wanted in shuffled or wanted.removesuffix("960") in names):
            return variant, True
    raise InvalidPgn("variant", f"The game is of a variant that is not played here: {tag[:40]!r}.", tag[:40])


def plain_name(name: str) -> str:
    """A variant's name without what programs write differently: case, blanks, dashes."""
    return re.sub(r"[\s_-]", "", name).casefold()


def read_start(variant: Variant, chess960: bool, fen: str | None) -> Position:
    """The first position. Raises InvalidPgn.

    Some programs give the chess960 form no tag of its own. So if the plain reading of the FEN loses a castling right,
    and the other reading does not, the game is of the chess960 form.
    """
    try:
        if fen is None:
            return start_position(variant, chess960)
        if chess960 or not variant.chess960:
            return parse_fen(variant, fen, chess960)
        readings = [reading for form in (False, True) if (reading := read_faithfully(variant, fen, form))]
        return readings[0] if readings else parse_fen(variant, fen)
    except InvalidFen as error:
        raise InvalidPgn("fen", f"The FEN tag cannot be read: {error}") from None


def read_faithfully(variant: Variant, fen: str, chess960: bool) -> Position | None:
    """The position of a FEN, or None if it is refused or loses castling rights; the chess960 form may rename them."""
    try:
        position = parse_fen(variant, fen, chess960)
    except InvalidFen:
        return None
    written, kept = fen.split()[2], format_fen(position).split()[2]
    return position if (len(kept) == len(written) if chess960 else set(kept) == set(written)) else None


def read_movetext(text: str, at: int) -> Generator[None, None, tuple[list[str], tuple[int | None, ...], str | None]]:
    """The SANs of the main line, the clocks after them, and the result that ends it, if one does. Raises InvalidPgn."""
    sans: list[str] = []
    clocks: list[int | None] = []
    tokens = main_line(text, at)
    for kind, token in tokens:
        if kind == "result":
            if any(kind in ("move", "result") for kind, _ in tokens):
                raise InvalidPgn("follows", "Something follows the end of the game; paste one game only.")
            return sans, tuple(clocks), "1/2-1/2" if token == "½-½" else token
        if kind == "pause":
            yield
            continue
        if kind == "comment":
            if clocks and (clock := CLOCK.search(token)):
                clocks[-1] = clock_ms(clock)
            continue
        if len(sans) == MAX_PLIES:
            raise InvalidPgn("plies", f"The game is longer than {MAX_PLIES} plies.", str(MAX_PLIES))
        sans.append(token)
        clocks.append(None)
    return sans, tuple(clocks), None


def clock_ms(clock: re.Match[str]) -> int:
    """A time written as h:mm:ss with or without decimals."""
    hours, minutes, seconds, decimals = clock.groups("0")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(decimals.ljust(3, "0"))


def main_line(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The tokens ("move", "comment", "result", and now and then "pause") outside of variations. Raises InvalidPgn."""
    depth = 0
    for number, match in enumerate(TOKEN.finditer(text, at), 1):
        kind = match.lastgroup
        if number % PAUSE_AFTER == 0:
            yield "pause", ""
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "broken":
            line = text.count("\n", 0, match.start()) + 1
            sentence = f"Line {line} has a {match.group()!r} that belongs to no tag and no comment."
            raise InvalidPgn("stray", sentence, match.group())
        elif kind in ("move", "comment", "result") and depth == 0:
            yield kind, match.group()
        if depth < 0:
            raise InvalidPgn("closing", "A ')' closes a variation that was never opened.")
    if depth:
        raise InvalidPgn("open", "A variation is not closed.")


def read_moves(position: Position, sans: Sequence[str]) -> Generator[None, None, tuple[Move, ...]]:
    """The moves that the SANs mean, one after the other, with a pause after each. Raises InvalidPgn with the ply."""
    moves = []
    for ply, san in enumerate(sans):
        try:
            move = parse_san(position, san)
        except RulesError as error:
            white = position.turn is Color.WHITE
            told = f"{position.fullmove}{'.' if white else '...'} {san[:LONGEST_SHOWN]}"
            side = "White" if white else "Black"
            sentence = f"Move {position.fullmove} of {side}: {error}"
            raise InvalidPgn(MOVE_CODES[type(error)], sentence, told, ply) from None
        position = play_trusted(position, move)
        moves.append(move)
        yield
    return tuple(moves)


def write_pgn(
    tags: Mapping[str, str], variant: Variant, chess960: bool, start_fen: str, sans: Sequence[str], result: str
) -> str:
    """One game as PGN, ending in a line break.

    `tags` are the tags beside Result, Variant, SetUp and FEN, which follow from the other arguments; their names are
    letters, digits and underscores. Their values may be any text: control characters become blanks, quotes are escaped.
    """
    written = {name: tags.get(name, unknown) for name, unknown in ROSTER.items()}
    written["Result"] = result
    written["Variant"] = variant.pgn_tag_960 if chess960 else variant.pgn_tag
    if chess960 or start_fen != variant.start_fen:
        written |= {"SetUp": "1", "FEN": start_fen}
    written |= {name: value for name, value in tags.items() if name not in written and name not in ("SetUp", "FEN")}
    head = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in written.items())
    movetext = " ".join([*numbered(sans, start_fen), result])
    return f"{head}\n{textwrap.fill(movetext, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)}\n"


def escaped(value: str) -> str:
    """A tag's value as it stands between the quotes."""
    one_line = "".join(letter if letter.isprintable() else " " for letter in value)
    return one_line.replace("\\", "\\\\").replace('"', '\\"')


def numbered(sans: Sequence[str], start_fen: str) -> Iterator[str]:
    """The SANs with move numbers, counted on from the side and the number in the start FEN."""
    fields = start_fen.split()
    black_first = fields[1] == "b"
    first = 2 * int(fields[-1]) + black_first
    for half, san in enumerate(sans, first):
        if half % 2 == 0:
            yield f"{half // 2}."
        elif half == first:
            yield f"{half // 2}..."
        yield san
