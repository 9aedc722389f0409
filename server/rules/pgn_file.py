"""A file of several games in PGN: its bytes as text, and where each game in it begins and ends.

Knows no chess: what one game says is `pgn`'s business. Cutting takes time in proportion to the length of the text,
whatever stands in it.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

BLOCK = re.compile(
    r"""
      (?P<tag> ^[ \t]*\[\s*(?P<name>\w{1,255})\s+"[^\n]* )
    | (?P<comment> \{ [^}\n]*+ (?: \n(?!\[Event\s) [^}\n]*+ )*+ \}? | ; [^\n]* )
    | ^% [^\n]*
    | (?P<first> ^[ \t]*1\.(?!\s*\.) )
    | [ \t]+ | \n+
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | ½-½ | \* ) (?![^\s(){};]) )
    | (?P<moves> (?: [^\s(){};01½*][^\s(){};]*+ [ \t]*+ )++ | [^\s(){};]+ | . )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What a file is made of. A comment that is not closed ends where the next game begins: it must not swallow that."""
PAUSE_AFTER = 1_000
"""Blocks that are looked at without a pause."""


@dataclass(frozen=True, slots=True)
class GameText:
    """One game of a file. `number` counts games and `line` lines from 1."""

    number: int
    line: int
    text: str


def decoded(body: bytes) -> str:
    """The text of a file, in UTF-8 or, as older programs write, in Latin-1; with plain line breaks."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = body.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def splitting(text: str, most: int) -> Generator[None, None, Sequence[GameText]]:
    """The games of a file in order, with a pause every millisecond or so; no more than `most` and one.

    A game begins with its tags or, without any, where moves follow a result, or count from 1 again on a new line. A
    blank text is no game.
    """
    text = text.removeprefix("\ufeff")
    starts: list[int] = []
    for at in game_starts(text):
        if len(starts) > most + 1:
            break
        if at is None:
            yield
        else:
            starts.append(at)
    games: list[GameText] = []
    line = 1
    for number, (start, end) in enumerate(pairwise([*starts, len(text)][: most + 2]), 1):
        games.append(GameText(number, line, text[start:end]))
        line += text.count("\n", start, end)
    return games


def game_starts(text: str) -> Iterator[int | None]:
    """Where games begin: without tags, at what is said before the first moves. None when the caller may pause."""
    cut, said = _Cut(), -1
    for number, block in enumerate(BLOCK.finditer(text), 1):
        if number % PAUSE_AFTER == 0:
            yield None
        match block.lastgroup:
            case "tag" | "name":
                if cut.tag(block["name"]):
                    yield block.start()
            case "comment":
                said = block.start() if said < 0 and not cut.begun else said
            case str() as kind:
                first = not cut.begun
                if cut.moves(kind):
                    yield said if first and said >= 0 else block.start()


@dataclass(slots=True)
class _Cut:
    """How far the present game has come: `names` of its tags, variations that are open, moves and result seen."""

    begun: bool = False
    in_tags: bool = False
    names: set[str] = field(default_factory=set)
    depth: int = 0
    played: bool = False
    over: bool = False

    def tag(self, name: str) -> bool:
        """Does a game begin with this tag? With the first after some moves, and where one comes again."""
        begins = not self.begun or not self.in_tags or name in self.names
        if begins:
            self._begin()
        self.in_tags = True
        self.names.add(name)
        return begins

    def moves(self, kind: str) -> bool:
        """Does a game begin with these moves, or whatever else is no tag?"""
        moved = kind in ("moves", "first")
        again = self.over or (kind == "first" and self.played)
        begins = not self.begun or (moved and self.depth == 0 and again)
        if begins:
            self._begin()
        self.in_tags = False
        self.played |= moved
        self.depth = max(0, self.depth + (kind == "open") - (kind == "close"))
        self.over |= kind == "result" and self.depth == 0
        return begins

    def _begin(self) -> None:
        self.begun, self.names, self.depth, self.played, self.over = True, set(), 0, False, False
