"""PGN tags: reading and writing them, and the variant and first position that they name.

Each variant's data has its names in the Variant tag, so that files can be exchanged with other sites and programs. A
game without that tag belongs to the variant that lists "" among its names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from server.rules.errors import InvalidFen, InvalidPgn
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, read_fen, start_position, tidy_fen
from server.rules.notation.pgn_line import MARKUP, MOVES, NESTED, RESULT_FORM, MendLog, one_line, printable
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant

MAX_TAGS = 100
LONGEST_VALUE = 500
"""Longest value of a tag, in characters as it is written."""
LONGEST_LINE = 4 * LONGEST_VALUE
"""Characters in which the end of a value is looked for."""
MOST_ODD = 5
"""Lines in a row that are no tags, and do not end them either."""
MOST_BEFORE = 40
"""Lines that may stand before the first tag, such as those of a mail."""
PAUSE_AFTER = 50
"""Tags between pauses."""
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-", "White": "?", "Black": "?"}
"""The tags that every PGN begins with, and their values if unknown. Result is the seventh."""
FOLLOWING = ("Result", "Variant", "SetUp", "FEN")
"""The tags that follow from the game itself."""

NAMES = {
    name.casefold(): name
    for name in (
        *(*ROSTER, *FOLLOWING, "TimeControl", "Termination", "WhiteElo", "BlackElo", "WhiteTitle", "BlackTitle"),
        *("UTCDate", "UTCTime", "ECO", "Opening", "Variation", "Annotator", "PlyCount", "EventDate", "Mode", "Time"),
    )
}
"""The names that every program gives these tags, by how they are compared: some programs mind no capitals."""
OPENING = re.compile(
    r"[ \t\ufeff]{0,99}+\[\s{0,99}+(\w{1,255}+)(?=[\s:=\]\"“”„«»]|\Z)"
    r"(?: \s{0,99}+(?=[\"“”„«»']) | [ \t]{0,99}+ (?: [:=][ \t]{0,99}+ )? )",
    re.VERBOSE,
)
BARE = re.compile(r'^[ \t]{0,99}+([A-Za-z]\w{1,30})[ \t]{1,9}+("[^"\n]*+")[ \t]*+$', re.MULTILINE)
"""A line that is a tag but for its brackets."""
MOVELIST = re.compile(
    r"""
    ^Movelist\ for\ game\ \d{1,9}:\s{1,9}
    (?P<White>\S{1,40})\ \((?P<WhiteElo>[^)\s]{1,9})\)\ vs\.\ (?P<Black>\S{1,40})\ \((?P<BlackElo>[^)\s]{1,9})\)
    (?:\ ---\ [A-Z][a-z]{2}\ (?P<month>[A-Z][a-z]{2})\ {1,2}(?P<day>\d{1,2}),?[^\n]{0,20}?\ (?P<year>\d{4})\b)?
    [^\n]{0,99}\n
    (?P<Event>[A-Za-z]{5,7}\ (?P<kind>[a-z/\d]{1,20})\ match),\ initial\ time:\ (?P<minutes>\d{1,3})\ minutes?,
    \ increment:\ (?P<increment>\d{1,3})\ seconds?\.[^\n]{0,99}
    \s{1,9} Move\ [^\n]{0,99}\n [- ]{1,99}\n
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What servers of the 1990s say before the moves of a game."""
UNKNOWN_START = ("", "?", "-", "startpos")
"""FENs that name no position, so that it is the usual one."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SPEEDS = ("untimed", "standard", "blitz", "lightning")
IN_VALUE = r"(?:[^\"\\\n\[\]{}]|\{[^\"\\\n\[\]{}]{0,80}\})"
FOLDED = re.compile(rf'"({IN_VALUE}*+(?:\n[ \t]*+(?!\s){IN_VALUE}++){{1,4}})"[ \t]*\]')
"""A value that a program has broken into several lines."""
ESCAPED = re.compile(r"&quot;([^\n]{0,500}?)&quot;[ \t]*\]")
"""One that was copied from the source of a web page."""
UNBRACKETED = re.compile(
    r"""["“”„«»] ([^"“”„«»\n]*+) ["“”„»] (?= [ \t]*\[\s*\w+\s*["“”„«] | [ \t]*(?:\d{1,4}\.|[;{])[^\]\n]*$ )""",
    re.VERBOSE | re.MULTILINE,
)
"""One without a bracket behind it, but with another tag, moves or a comment."""
VALUE = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s{0,99}+\]')
CLOSED = re.compile(r'["“”„»][ \t]{0,9}\](?=[ \t]{0,9}(?:\[|$))')
RESULT = re.compile(rf"(?<![^\s(){{}};.\]]) {RESULT_FORM}", re.VERBOSE)
BEGINNING = ("Event", "White", "Black", "FEN")
"""Tags that begin a game, whatever moves follow."""
SPACE = re.compile(r"\s{0,99}+")
QUOTES = "\"“”„«»'"
LATE = re.compile(r"(?<=[^\n])\[\s{0,99}+\w{1,255}\s{0,99}+[\"“”„]")
"""A tag behind something else on its line."""
OUTER_COMMENT = re.compile(NESTED, re.VERBOSE)
TAG_LINE = re.compile(r'\n\[\w{1,255}+ "')
PROSE = re.compile(r"(?![a-p]x[a-p]\b)[^\W\d_]{3,}[,:;]?\s(?!.*\d\.)")
"""Words, even if they speak of moves."""
HEADER = re.compile(r"[A-Za-z][A-Za-z-]{2,}:\s")
"""A line at the top of a mail."""
BETWEEN = re.compile(
    rf"(?:\s|\ufeff)++ | (?P<markup>{MARKUP}) | ^%[^\n]*+ | ;[^\n]*+ | (?P<nested>{NESTED}) | \{{[^}}]*+\}}",
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Tag:
    """`end`: the index behind it. `mended`: it was not written as the standard says, and read all the same."""

    name: str
    value: str
    end: int
    mended: bool


def tag_at(text: str, at: int) -> Tag | None:
    """The tag at that index, quoted badly or not at all, left open at the end of its line, or without a value.

    None if there is none. Without quotes, or without brackets on a line of its own, it is one only if it has a name
    that is known.
    """
    opening = OPENING.match(text, at)
    if opening is None:
        bare = BARE.match(text, at)
        known = bare is not None and NAMES.get(bare[1].casefold())
        return Tag(known, bare[2][1:-1].strip(), bare.end(), True) if bare and known else None
    known, start = NAMES.get(opening[1].casefold()), opening.end()
    quoted = text[start : start + 1] in tuple(QUOTES)
    if known is None and not quoted and not text.startswith("&quot;", start):
        return None
    name = known or opening[1]
    if strict := VALUE.match(text, start, start + LONGEST_LINE):
        return Tag(name, unescape_value(strict[1]), strict.end(), False)
    if folded := FOLDED.match(text, start, start + LONGEST_LINE):
        return Tag(name, one_line(folded[1]), folded.end(), True)
    if escaped := ESCAPED.match(text, start):
        return Tag(name, unescape(escaped[1]).strip(), escaped.end(), True)
    rest = text[start : start + LONGEST_LINE].partition("\n")[0]
    if known is None and not quoted:
        return None
    if unbracketed := UNBRACKETED.match(rest):
        value, end = unbracketed[0], unbracketed.end()
    elif quoted and (closing := CLOSED.search(rest)):
        value, end = rest[: closing.end()], closing.end()
    elif (bracket := rest.rfind("]") if quoted and rest.rstrip().endswith("]") else rest.find("]")) >= 0:
        value, end = rest[: bracket + 1], bracket + 1
    else:
        value, end = rest, len(rest)
    value = value.strip().removesuffix("]").strip()
    value = value[1:] if value[:1] in tuple(QUOTES) else value
    value = value[:-1] if value[-1:] in tuple(QUOTES) else value
    if not quoted and '"' in value:
        return None  # the value of a tag whose name is longer, such as [White Elo "1500"]
    return Tag(name, unescape_value(value).strip(), start + end, True)


def end_of_tags(text: str, at: int) -> int | None:
    """The end of the tags at that index. None if there is none, or if one of them begins a game whatever follows."""
    end = None
    for _ in range(MOST_ODD):
        tag = tag_at(text, at)
        if tag is None:
            return end
        if tag.name in BEGINNING:
            return None
        end = tag.end
        at = SPACE.match(text, end).end()  # type: ignore[union-attr]  # matches nothing, too
    return None


def odd_lines(text: str, at: int, *, first: bool, most: int | None = None) -> tuple[int | None, int]:
    """The end of the lines from that index on that are none which belong there before a tag, and how far was looked.

    `first`: before any tag.

    At most so many lines are looked at; as usual MOST_BEFORE if they are the first, or else MOST_ODD.

    So neither a tag that cannot be read nor the rest of a broken one separates the tags before it from those behind.
    They end before a tag on their own line, too. None if they have moves, a result, a comment or, unless they are the
    first, an empty line: the next tag may begin another game then.
    """
    start = at
    for _ in range(most or (MOST_BEFORE if first else MOST_ODD)):
        end = text.find("\n", start, start + LONGEST_VALUE)
        late = LATE.search(text, start, end if end >= 0 else start + LONGEST_VALUE)
        if late and _may_stand_before_tag(text[start : late.start()].strip(), first) and tag_at(text, late.start()):
            return late.start(), start
        if end < 0 or not _may_stand_before_tag(text[start:end].strip(), first):
            return None, start
        if tag_at(text, end + 1):
            return end, start
        start = end + 1
    return None, start


def _may_stand_before_tag(line: str, first: bool) -> bool:
    if not line:
        return first
    if (line[0] == "[" and line[-1] == "]") or BARE.match(line) or (first and HEADER.match(line)):
        return True  # a tag that cannot be read, whatever it holds
    if line.count("{") > line.count("}"):
        return False
    return not RESULT.search(line) and bool(PROSE.match(line) or not MOVES.search(line))


def tags_of_movelist(found: re.Match[str]) -> dict[str, str]:
    """The tags that the words of a MOVELIST stand for."""
    said = found.groupdict("")
    tags = {name: said[name] for name in ("Event", "White", "Black")}
    tags |= {name: said[name] for name in ("WhiteElo", "BlackElo") if said[name].isdecimal()}
    if said["month"] in MONTHS:
        tags["Date"] = f"{said['year']}.{MONTHS.index(said['month']) + 1:02}.{int(said['day']):02}"
    tags["TimeControl"] = f"{int(said['minutes']) * 60}+{said['increment']}"
    return tags if said["kind"] in SPEEDS else {**tags, "Variant": said["kind"]}


def unescape_value(value: str) -> str:
    """A tag's value as it is meant, with a space for each character that cannot be printed."""
    plain = re.sub(r'\\(["\\])', r"\1", value) if "\\" in value else value
    return plain if plain.isprintable() else printable(plain)


@dataclass(frozen=True, slots=True)
class Head:
    """`tags`: the first of each name. `comments`: those between them, and further tags of the same names. `end`: the
    index where the moves begin.
    """

    tags: dict[str, str]
    comments: tuple[str, ...]
    end: int


def read_tags(text: str, mends: MendLog | None = None) -> SlicedWork[Head]:
    """The tags at the beginning of the text. Notes irregularities in `mends`. Raises InvalidPgn."""
    mends = MendLog(text) if mends is None else mends
    tags: dict[str, str] = {}
    comments: list[str] = []
    between: list[str] = []
    passed_by: list[tuple[str, int, str]] = []  # what no tag follows is read, and noted, with the moves
    at = end = count = passed = 0
    while True:
        if tag := tag_at(text, at):
            if len(tag.value) > LONGEST_VALUE:
                raise InvalidPgn("tag_long", name=tag.name[:40])
            _note_all(passed_by, mends)
            count += 1
            if count > MAX_TAGS:
                raise InvalidPgn("tags", number=MAX_TAGS)
            if tag.mended:
                mends.note("tag", at, tag.name)
            if tags.setdefault(tag.name, tag.value) != tag.value:
                mends.note("twice", at, f"{tag.name} {tag.value}")
                between.append(text[at : tag.end])
            comments += between
            between = []
            at = end = tag.end
        elif movelist := MOVELIST.match(text, at):
            _note_all(passed_by, mends)
            mends.note("tag", at, movelist[0].partition(":")[0])
            tags = {**tags_of_movelist(movelist), **tags}
            at = end = movelist.end()
        elif end_of_comment := _end_of_unclosed(text, at):
            passed_by.append(("comment", at, ""))
            between.append(text[at + 1 : end_of_comment])
            at = end_of_comment
        elif passing := BETWEEN.match(text, at):
            passed_by += [
                (id, at, passing[0]) for kind, id in (("markup", "markup"), ("nested", "kept")) if passing[kind]
            ]
            at = passing.end()
            if passing[0][0] in ";{":
                between.append(passing[0][1 : -1 if passing[0][0] == "{" else None])
        elif odd := odd_lines(text, at, first=not tags)[0]:
            _note_all(passed_by, mends)
            mends.note("kept", at, text[at:odd].partition("\n")[0])
            comments += [*between, text[at:odd]]
            between = []
            at = end = odd
        else:
            break
        passed += 1
        if passed % PAUSE_AFTER == 0:
            yield
    return Head(tags, tuple(comments), end)


def _note_all(passed_by: list[tuple[str, int, str]], mends: MendLog) -> None:
    for mend in passed_by:
        mends.note(*mend)
    passed_by.clear()


def _end_of_unclosed(text: str, at: int) -> int | None:
    """Where a tag begins a line behind the comment at that index, if its brace is missing. None if not."""
    if not text.startswith("{", at):
        return None
    opened, closed = text.find("{", at + 1), text.find("}", at + 1)
    if 0 <= closed < opened or (opened < 0 <= closed) or OUTER_COMMENT.match(text, at):
        return None
    tag = TAG_LINE.search(text, at, opened if opened >= 0 else len(text))
    return tag.start() if tag else None


def find_variant(tag: str, variants: Mapping[str, Variant]) -> tuple[Variant, bool]:
    """The variant that a Variant tag names, and whether it names the chess960 form. Raises InvalidPgn."""
    plain = plain_name(tag)
    for wanted in (plain, plain.removesuffix("chess") or plain):
        for variant in variants.values():
            names = {plain_name(name) for name in (variant.id, variant.name, variant.pgn_tag, *variant.pgn_aliases)}
            if wanted in names:
                return variant, False
            shuffled = {plain_name(name) for name in (variant.pgn_tag_960, *variant.pgn_aliases_960)}
            if variant.chess960 and (wanted in shuffled or wanted.removesuffix("960") in names):
                return variant, True
    raise InvalidPgn("variant", name=tag[:40])


def plain_name(name: str) -> str:
    """A variant's name without what programs spell differently: case, spaces and signs."""
    return re.sub(r"[\W_]", "", name).casefold()


def read_start(variant: Variant, chess960: bool, fen: str | None, mends: MendLog | None = None) -> Position:
    """The first position. Notes in `mends` what of the FEN it cannot have. Raises InvalidPgn.

    Some programs have no tag of their own for the chess960 form. So if the FEN loses castling rights when it is read
    as standard, but not when read as chess960, the game is chess960.
    """
    try:
        if fen is None or fen.strip().casefold() in UNKNOWN_START:
            return start_position(variant, chess960)
        at = -1 if mends is None else mends.text.find(fen)
        fen, rest = tidy_fen(variant, fen)
        if rest and mends is not None:
            mends.note("fen", max(0, at), rest)
        if variant.chess960 and not chess960:
            for form in (False, True):
                if reading := read_faithfully(variant, fen, form):
                    return reading
        position, dropped = read_fen(variant, fen, chess960)
    except InvalidFen:
        raise InvalidPgn("fen") from None
    for what in dropped:
        if mends is not None:
            mends.note(what, max(0, at), fen.split()[2] if what == "rights" else fen.split()[3])
    return position


def read_faithfully(variant: Variant, fen: str, chess960: bool) -> Position | None:
    """The position of a FEN; None if it is invalid or loses castling rights, which chess960 may rename."""
    try:
        position = parse_fen(variant, fen, chess960)
    except InvalidFen:
        return None
    written, kept = [*fen.split(), "-", "-"][2], format_fen(position).split()[2]
    return position if (len(kept) == len(written) if chess960 else set(kept) == set(written)) else None


def write_tags(tags: Mapping[str, str], variant: Variant, chess960: bool, start_fen: str, result: str) -> str:
    """The tags, one per line, those of the roster first.

    `tags`: all but FOLLOWING, which come from the other arguments. Names have letters, digits and underscores only;
    values may be any text: control characters become spaces, quotes are escaped.
    """
    written = {name: tags.get(name, unknown) for name, unknown in ROSTER.items()}
    written["Result"] = result
    written["Variant"] = variant.pgn_tag_960 if chess960 else variant.pgn_tag
    if chess960 or start_fen != variant.start_fen:
        written |= {"SetUp": "1", "FEN": start_fen}
    written |= {name: value for name, value in tags.items() if name not in written and name not in FOLLOWING}
    return "".join(f'[{name} "{escape_value(value)}"]\n' for name, value in written.items())


def escape_value(value: str) -> str:
    """A tag's value as it is written between quotes."""
    return printable(value).replace("\\", "\\\\").replace('"', '\\"')
