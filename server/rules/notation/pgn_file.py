"""Splits a PGN file into games. `pgn` reads them.

Splitting takes time proportional to the length of the text, whatever it contains.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import AnyStr

from server.rules.notation.pgn_line import MARKUP, MOVES, NEXT_NUMBER, RESULT_FORM, RESULTS
from server.rules.notation.pgn_tags import MOST_ODD, MOVELIST, NAMES, OUTER_COMMENT, Tag, end_of_tags, odd_lines, tag_at
from server.rules.sliced_work import SlicedWork

LATE_TAG = r"""(?: \[ (?=\s{0,99}+\w{1,255}\s{0,99}+["“”„]) )"""
"""The beginning of a tag that does not begin its line, as a part of a verbose regular expression."""
BLOCK = re.compile(
    rf"""
      {MARKUP}
    | (?P<tag> ^[ \t]{{0,99}}+ \[ (?=\s{{0,99}}+ (?: (?i:{"|".join(NAMES)})\b
        | \w{{1,255}}+ (?: [ \t]{{0,99}}+ [:=] )? \s{{0,99}}+ (?: ["“”„«»'] | &quot; ) )) )
    | (?P<bare> ^Movelist(?=\ for\ game\ )
        | ^[ \t]{{0,99}}+ [A-Za-z]\w{{1,30}}+ (?=[ \t]{{1,9}}+"[^"\n]{{0,500}}+"[ \t]{{0,99}}+$) )
    | (?P<comment> \{{ | ; )
    | (?P<escape> ^% )
    | (?P<first> ^[ \t]{{0,99}}+ 1\.(?!\s{{0,99}}+\.) )
    | [^\S\n]{{1,999}}+ | \n{{1,999}}+
    | (?P<late> {LATE_TAG} )
    | (?P<brackets> [()]{{1,255}}+ )
    | (?P<result> (?<![^\s(){{}};.\]]) {RESULT_FORM} [ \t]{{0,99}}+ \n{{0,99}}+ )
    | (?P<moves> (?: (?: [^\s(){{}};\[01½*<&O] [^\s(){{}};\[<&]{{0,255}}+ [ \t]{{0,99}}+ ){{1,30}}+
        | [^\s(){{}};\[<&]{{1,255}}+
        | }}{{1,255}}+
        | (?: (?! {MARKUP} | {LATE_TAG} ) [<&\[]
            (?: (?: [/!-]{{1,3}}+ (?: [^\W\d_]\w{{0,99}}+ )? | [^\W\d_]\w{{0,99}}+ ) (?=[<&\[\s])
                | \d{{1,9}}+\.{{0,3}}+ (?=[ \t]{{0,99}}+[<&\[]) )?
            [ \t]{{0,99}}+ (?: \n{{1,99}}+ (?=[<&]) )? ){{1,60}}+
        | . ) \n{{0,99}}+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""The tokens of a file, or their beginnings. No match is long: the next one continues a long word."""
NEXT_GAME = tuple(map(re.compile, (r"\n\[Event ", r'\n\n\[\w{1,255}+ "', r"\n\n1\.\s{0,9}[A-Za-z]")))
"""How a game begins, if not in a comment. Each form has a beginning of its own, which is found fast."""
LONGEST_INDENT = 99
WORD = re.compile(r"(\d{1,4})\s?(?:([.…]{1,9})|(?=[^\W\d_]|$))|[^\s.…]{1,255}")
"""A number of a move and its dots, if it has any, or what may be a move."""
DIGIT = re.compile(r"\d")
IN_LIST = re.compile(r"\s\d{1,4}[).:/]?\s{0,9}\Z")
END_OF_FILE = "\x1a"
SAMPLE = 64
"""Bytes that show whether each character has two."""
MOST_MIXED = 500
SOME_LINES = 8192
"""Bytes that are decoded at once."""
MOST_BLOCKS = 150_000
"""Blocks in which games are looked for. A file of comments between all moves has one for each seven characters."""
PAUSE_AFTER = 200
"""Blocks between pauses."""
PAUSE_BEHIND = 20_000
"""Characters between pauses."""


@dataclass(frozen=True, slots=True)
class GameText:
    """One game of a file. `number`: of the game, `line`: where it starts, both from 1."""

    number: int
    line: int
    text: str


def decode_pgn(body: bytes) -> str:
    """The text of a file in UTF-8, in UTF-16 or, as older programs write, in Windows-1252, also if only some lines are.

    Line breaks are \\n, and marks of the end of a file are not in it.
    """
    text = None
    if encoding := _wide_encoding(body):
        with suppress(UnicodeDecodeError):
            text = body[: len(body) // 2 * 2].decode(encoding)
    text = (_of_mixed_lines(body) if text is None else text).removeprefix("\ufeff").rstrip("\x00\x1a")
    return text.replace(END_OF_FILE, "").replace("\r\n", "\n").replace("\r", "\n")


def _wide_encoding(body: bytes) -> str | None:
    if body[:2] in (BOM_UTF16_LE, BOM_UTF16_BE):
        return "utf-16"
    even, odd = body[:SAMPLE:2], body[1:SAMPLE:2]
    if even and odd and not (any(even) and any(odd)) and any(body[:SAMPLE]):
        return "utf-16-be" if any(odd) else "utf-16-le"
    return None


def _of_mixed_lines(body: bytes) -> str:
    """The text in UTF-8, but for lines that are not; behind MOST_MIXED of those, nothing is."""
    parts: list[str] = []
    at = mixed = 0
    while at < len(body) and mixed < MOST_MIXED:
        # Some lines at a time, so that no line that is not in UTF-8 has all behind it decoded again.
        end = body.rfind(b"\n", at, at + SOME_LINES) + 1 or place_of(body, b"\n", at) + 1
        try:
            parts.append(str(body[at:end], "utf-8"))
            at = end
        except UnicodeDecodeError as error:
            mixed += 1
            bad = at + error.start
            start, end = max(at, body.rfind(b"\n", at, bad) + 1), place_of(body, b"\n", bad)
            parts += [str(body[at:start], "utf-8"), _in_old_encoding(body[start:end])]
            at = end
    return "".join([*parts, _in_old_encoding(body[at:])])


def _in_old_encoding(body: bytes) -> str:
    try:
        return body.decode("cp1252")
    except UnicodeDecodeError:
        return body.decode("latin-1")


def split_games(text: str, most: int) -> SlicedWork[Sequence[GameText]]:
    """The games of a file in order, at most `most` + 1 of them. Pauses about every millisecond.

    A game begins with its tags or, if it has none, where moves follow a result or start again from 1 on a new line.
    Neither a result nor a tag ends one whose moves go on behind it with the next number. Blank text is no game.
    """
    text = text.replace("\ufeff", "")
    starts: list[int] = []
    for at in game_starts(text):
        if len(starts) > most + 1:
            break
        if at is None:
            yield
        else:
            starts.append(at)
    games: list[GameText] = []
    line = 1 + text.count("\n", 0, starts[0] if starts else 0)
    for number, (start, end) in enumerate(pairwise([*starts, len(text)][: most + 2]), 1):
        games.append(GameText(number, line, text[start:end]))
        line += text.count("\n", start, end)
    return games


def game_starts(text: str) -> Iterator[int | None]:
    """Where games begin; the first one at whatever stands before it. None where the caller may pause.

    Behind MOST_BLOCKS no further game begins, so that no text costs much, and `pgn` finds that the last one is several.
    """
    cut, said, paused, at = _GameCutter(), -1, 0, 0
    comments = _Comments(text)
    for number in range(1, MOST_BLOCKS):
        block = BLOCK.match(text, at)
        if block is None:
            return
        start, at = block.span()
        kind, first = block.lastgroup, not cut.begun
        if number % PAUSE_AFTER == 0 or at - paused > PAUSE_BEHIND:
            paused = at
            yield None
        may_be_tag = kind == "tag" or (kind in ("late", "bare") and (cut.over or cut.in_tags or first))
        if may_be_tag and (tag := _tag_or_movelist(text, start)):
            at = tag.end
            if cut.begins_with_tag(text, start, tag.name):
                yield said if first and said >= 0 else start
        elif kind == "comment":
            # What stands between tags belongs to them; after a result, a comment may belong to either game.
            said = start if said < 0 and first else said
            at = comments.end_of(at - 1)
            if first and text[at - 1] != "}" and text[max(start, at - LONGEST_INDENT) : at].rstrip().endswith(RESULTS):
                # A game of its own, behind a brace that nobody closed.
                cut.begin()
                yield said
        elif kind == "escape":
            at = place_of(text, "\n", at)
        elif kind is None:
            # White space or markup: what markup says is told with the game that follows.
            said = start if said < 0 and first and not block.group().isspace() else said
        elif kind != "result" and (end := cut.heading_end(text, start)):
            said = start if said < 0 and first else said
            at = end
            if cut.over:
                cut.begin(in_tags=True)
                yield start
        else:
            if kind in ("tag", "late", "bare", "moves"):
                moved = MOVES.search(block.group()) or (cut.over and cut.goes_on(text, start))
                kind = "moves" if moved else "words"
            if kind == "words" and cut.over:
                continue  # "Black resigns", behind the result
            if cut.begins_with_moves(text, start, at, kind):
                yield said if first and said >= 0 else start
            if kind != "words" or DIGIT.search(text, start, at):
                cut.count_moves(text[start:at])
    yield from () if cut.begun else (max(said, 0),)


def _tag_or_movelist(text: str, at: int) -> Tag | None:
    movelist = MOVELIST.match(text, at)
    return Tag("Event", "", movelist.end(), True) if movelist else tag_at(text, at)


@dataclass(slots=True)
class _Comments:
    """Where comments end. Remembers what it found, so as not to search a long text once for each of them."""

    text: str
    _brace: int = -1
    _games: list[int] = field(default_factory=lambda: [-1] * len(NEXT_GAME))
    """Where each form of a beginning is next, as of the last search for it."""

    def end_of(self, start: int) -> int:
        """Of the comment at that index: with its line, or behind its brace.

        One whose brace is missing ends where the next game begins, so as not to swallow it: it is missing if another
        comment begins in that game before the brace.
        """
        text = self.text
        if text[start] == ";":
            return place_of(text, "\n", start)
        if nested := OUTER_COMMENT.match(text, start):
            return nested.end()
        if self._brace < start:
            self._brace = place_of(text, "}", start)
        for number, form in enumerate(NEXT_GAME):
            if self._games[number] < start:
                found = form.search(text, start)
                self._games[number] = found.start() if found else len(text)
        game = min(self._games)
        if game < self._brace and (self._brace == len(text) or text.find("{", game, self._brace) >= 0):
            return game
        return min(self._brace + 1, len(text))


def place_of(text: AnyStr, sought: AnyStr, start: int, end: int | None = None) -> int:
    """Where `sought` first occurs from `start` on, or else `end` (default: the end of the text)."""
    end = len(text) if end is None else end
    at = text.find(sought, start, end)
    return end if at < 0 else at


def is_after_empty_line(text: str, at: int) -> bool:
    """Is there an empty line before that index?"""
    return text.endswith("\n\n", 0, at)


@dataclass(slots=True)
class _GameCutter:
    """The state of the current game: `names` of its tags, open variations, whether moves and result were seen."""

    begun: bool = False
    in_tags: bool = False
    names: set[str] = field(default_factory=set)
    depth: int = 0
    played: bool = False
    number: int = 0
    """The last number of a move, outside variations."""
    since: int = 0
    """Half-moves played with that number."""
    over: bool = False
    over_at: int = 0
    """Where the result begins."""
    line_seen: int = 0
    """As far as the end of its line was looked for."""
    line_over: bool = False
    tagless: int = 0
    """As far as was looked for a tag behind odd lines. No line is looked at for each of those above it."""
    last: str = ""
    """The kind of the last block; `(` for brackets that end with one."""

    def heading_end(self, text: str, at: int) -> int | None:
        """The end of the lines at that index that belong to the tags behind them, or None."""
        if not self.over:
            return odd_lines(text, at, first=not self.begun)[0] if self.in_tags or not self.begun else None
        if at < self.tagless:
            return None
        start = max(0, at - LONGEST_INDENT)
        line = text.rfind("\n", start, at) + 1
        if text[max(line, start) : at].strip() or (line == 0 and start > 0):
            return None
        apart = is_after_empty_line(text, line)
        end, self.tagless = odd_lines(text, at, first=apart and text[at] == "[", most=MOST_ODD)
        return end if end and (apart or MOVES.search(text, at, end)) else None

    def begins_with_tag(self, text: str, at: int, name: str) -> bool:
        """Does a game begin with the tag at that index?

        It does after moves that do not go on behind it, and if Event, or a tag behind an empty line, is repeated.
        """
        if self.played and not (self.in_tags or self.over):
            end = end_of_tags(text, at)
            if end is not None and self.goes_on(text, end):
                return False
        repeated = name in self.names and (name == "Event" or is_after_empty_line(text, at))
        begins = not self.begun or not self.in_tags or repeated
        if begins:
            self.begin()
        self.in_tags = True
        self.names.add(name)
        return begins

    def begins_with_moves(self, text: str, at: int, end: int, kind: str) -> bool:
        """Does a game begin with the moves between these indices, or other text that is no tag?

        Within a variation it does only where one must have been left open: move 1 after a result, or behind an empty
        line.
        """
        moved = kind in ("moves", "first")
        if self.over and kind == "moves":
            # Behind a game with numbers, one without them begins on a line of its own.
            listed = IN_LIST.search(text, max(self.over_at, at - LONGEST_INDENT), at)
            unnumbered = not (text[at].isdecimal() or listed)
            if not self.line_over:
                self.line_over = text.find("\n", self.line_seen, at) >= 0
                self.line_seen = at
            within_line = self.number > 0 and unnumbered and not self.line_over
            self.over = not (within_line or self.goes_on(text, at))
        again = self.over or (kind == "first" and self.played)
        unclosed = kind == "first" and (self.last == "result" or (self.last != "(" and is_after_empty_line(text, at)))
        begins = not self.begun or (moved and again and (self.depth == 0 or unclosed))
        if begins:
            self.begin()
        self.in_tags = False
        self.played |= moved
        self.last = "(" if kind == "brackets" and text[end - 1] == "(" else kind
        if kind == "brackets":
            for bracket in text[at:end]:
                self.depth = self.depth + 1 if bracket == "(" else max(0, self.depth - 1)
        if kind == "result" and self.depth == 0 and not self.over:
            self.over, self.over_at, self.line_seen, self.line_over = True, at, at, False
        return begins

    def goes_on(self, text: str, at: int) -> bool:
        """Do the moves at that index have the number that is next in this game?

        That they have a number is not enough: a list of games may number them. In a variation any but 1 will do.
        """
        if self.number == 0:
            return False
        found = NEXT_NUMBER.match(text, at)
        if found is None:
            return False
        by_black = found["dots"] not in ("", ".")
        if self.depth:
            return by_black or found["number"] != "1"
        since = self.since
        if found["move"]:
            since += MOVES.search(found["move"]) is not None
        return (int(found["number"]), since) == ((self.number, 1) if by_black else (self.number + 1, 2))

    def count_moves(self, text: str) -> None:
        """Counts the moves in this text of a block, unless they are a variation's."""
        if self.depth or self.over:
            return
        for word in WORD.finditer(text):
            if word[1]:
                self.number, self.since = int(word[1]), int(word[2] not in (None, "."))
            elif MOVES.search(word[0]):
                self.since += 1

    def begin(self, in_tags: bool = False) -> None:
        """A game begins."""
        self.begun, self.in_tags, self.names, self.depth = True, in_tags, set(), 0
        self.played, self.number, self.since, self.over, self.last = False, 0, 0, False, ""
