"""Splits a PGN file into games. `pgn` reads them.

Splitting takes time proportional to the length of the text, whatever it contains.
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
"""The tokens of a file, or their beginnings. No match is long: the next one continues a long word."""
NEXT_GAME = "\n[Event "
PAUSE_AFTER = 500
"""Blocks between pauses."""
PAUSE_BEHIND = 20_000
"""Characters between pauses."""


@dataclass(frozen=True, slots=True)
class GameText:
    """One game of a file. `number`: of the game, `line`: where it starts, both from 1."""

    number: int
    line: int
    text: str


def decoded(body: bytes) -> str:
    """The text of a file in UTF-8 or, as older programs write, in Latin-1, with line breaks as \\n."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = body.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split_games(text: str, most: int) -> SlicedWork[Sequence[GameText]]:
    """The games of a file in order, at most `most` + 1 of them. Pauses about every millisecond.

    A game begins with its tags or, if it has none, where moves follow a result or start again from 1 on a new line.
    Blank text is no game.
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
    """Where games begin; without tags, at the comments before the first move. None where the caller may pause."""
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
    """Each block and where it ends. Tags, comments after a semicolon and escaped lines end with their line.

    An unclosed comment ends where the next game begins, so as not to swallow it.
    """
    at, game = 0, 0
    while block := BLOCK.match(text, at):
        at, opening = block.end(), text[block.end() - 1]
        if opening == "{":
            # Search for the next game once, not again for each comment before it.
            game = place_of(text, NEXT_GAME, at - 1) if game < at else game
            at = min(place_of(text, "}", at, game) + 1, game)
        elif block.lastgroup in ("tag", "name", "comment", "escape"):
            at = place_of(text, "\n", at)
        yield block, at


def place_of(text: str, sought: str, start: int, end: int | None = None) -> int:
    """Where `sought` first occurs from `start` on, or else `end` (default: the end of the text)."""
    end = len(text) if end is None else end
    at = text.find(sought, start, end)
    return end if at < 0 else at


@dataclass(slots=True)
class _Cut:
    """The state of the current game: `names` of its tags, open variations, whether moves and result were seen."""

    begun: bool = False
    in_tags: bool = False
    names: set[str] = field(default_factory=set)
    depth: int = 0
    played: bool = False
    over: bool = False

    def tag(self, name: str) -> bool:
        """Does a game begin with this tag? It does after moves, and if the tag is repeated."""
        begins = not self.begun or not self.in_tags or name in self.names
        if begins:
            self._begin()
        self.in_tags = True
        self.names.add(name)
        return begins

    def moves(self, kind: str) -> bool:
        """Does a game begin with these moves, or other text that is no tag?"""
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
