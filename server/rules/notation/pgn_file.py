"""A file of several games in PGN: its bytes as text, and where each game in it begins and ends.

Knows no chess: what one game says is `pgn`'s business. Cutting takes time in proportion to the length of the text,
whatever stands in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from server.rules.sliced_work import SlicedWork

BLOCK = re.compile(
    r"""
      (?P<tag> ^[ \t]{0,99}+ \[ \s{0,99}+ (?P<name>\w{1,255}) \s{1,99}+ " )
    | (?P<comment> \{ | ; )
    | (?P<escape> ^% )
    | (?P<first> ^[ \t]{0,99}+ 1\.(?!\s{0,99}+\.) )
    | [ \t]{1,999}+ | \n{1,999}+
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?<![^\s(){};.]) (?: 1-0 | 0-1 | 1/2-1/2 | ½-½ | \* ) (?![^\s(){};]) )
    | (?P<moves> (?: [^\s(){};01½*][^\s(){};]{0,255}+ [ \t]{0,99}+ ){1,30}+ | [^\s(){};]{1,255}+ | . )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What a file is made of, or how that begins. No block is long: the next one goes on with a long word."""
NEXT_GAME = "\n[Event "
PAUSE_AFTER = 500
"""Blocks that are looked at without a pause."""
PAUSE_BEHIND = 20_000
"""Characters that are."""


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


def split_games(text: str, most: int) -> SlicedWork[Sequence[GameText]]:
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
    cut, said, paused = _Cut(), -1, 0
    for number, (block, end) in enumerate(blocks(text), 1):
        if number % PAUSE_AFTER == 0 or end - paused > PAUSE_BEHIND:
            paused = end
            yield None
        match block.lastgroup:
            case "tag" | "name":
                if cut.tag(block["name"]):
                    yield block.start()
            case "comment":
                said = block.start() if said < 0 and not cut.begun else said
            case "escape":
                pass
            case str() as kind:
                first = not cut.begun
                if cut.moves(kind):
                    yield said if first and said >= 0 else block.start()


def blocks(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Each block with where it ends. Tags, what follows a ; and escaped lines end with their line.

    A comment that is not closed ends where the next game begins: it must not swallow that.
    """
    at, game = 0, 0
    while block := BLOCK.match(text, at):
        at, opening = block.end(), text[block.end() - 1]
        if opening == "{":
            # Where the next game begins is looked for once, and not again for each comment before it.
            game = place_of(text, NEXT_GAME, at - 1) if game < at else game
            at = min(place_of(text, "}", at, game) + 1, game)
        elif block.lastgroup in ("tag", "name", "comment", "escape"):
            at = place_of(text, "\n", at)
        yield block, at


def place_of(text: str, sought: str, start: int, end: int | None = None) -> int:
    """Where it is found first, or `end`, by itself the end of the text, if it is not."""
    end = len(text) if end is None else end
    at = text.find(sought, start, end)
    return end if at < 0 else at


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
