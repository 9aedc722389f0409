"""A file of several games in PGN: its bytes as text, and where each game in it begins and ends.

Knows no chess: what one game says is `pgn`'s business. Cutting takes time in proportion to the length of the text,
whatever stands in it.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

BLOCK = re.compile(
    r"""
      (?P<tag> ^[ \t]*\[\s*(?P<name>\w{1,255})\s+"[^\n]* )
    | \{ [^}\n]*+ (?: \n(?!\[Event\s) [^}\n]*+ )*+ \}?
    | ; [^\n]*
    | ^% [^\n]*
    | [ \t]+ | \n+
    | (?P<moves> [^\s{;][^{;\n]* )
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

    A game begins with its tags. A text without any tag is one game, a blank one is none.
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
    """Where games begin: at the first tag after some moves, or where a tag comes again that was there already.

    None now and then, when the caller may pause.
    """
    begun, in_tags, names = False, False, set[str]()
    for number, match in enumerate(BLOCK.finditer(text), 1):
        if number % PAUSE_AFTER == 0:
            yield None
        name = match["name"]
        if match["moves"] is None and name is None:
            continue
        if not begun or (name is not None and (not in_tags or name in names)):
            yield match.start()
            begun, names = True, set()
        in_tags = name is not None
        if name is not None:
            names.add(name)
