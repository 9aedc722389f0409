"""PGN tags: reading and writing them, and the variant and first position that they name.

Each variant's data has its names in the Variant tag, so that files can be exchanged with other sites and programs. A
game without that tag belongs to the variant that lists "" among its names.
"""

import re
from collections.abc import Mapping

from server.rules.errors import InvalidFen, InvalidPgn
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.printable import printable
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant

MAX_TAGS = 100
LONGEST_VALUE = 500
"""Longest value of a tag, in characters as it is written."""
PAUSE_AFTER = 50
"""Tags between pauses."""
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-", "White": "?", "Black": "?"}
"""The tags that every PGN begins with, and their values if unknown. Result is the seventh."""
FOLLOWING = ("Result", "Variant", "SetUp", "FEN")
"""The tags that follow from the game itself."""

NAME = re.compile(r'\s*+\[\s{0,99}+(\w{1,255})\s{1,99}+"')
VALUE = re.compile(rf'(?:[^"\\\n]|\\.){{0,{LONGEST_VALUE + 1}}}')
END = re.compile(r'"\s{0,99}+\]')


def read_tags(text: str) -> SlicedWork[tuple[dict[str, str], int]]:
    """The tags at the beginning of the text, the first of each name, and the index where they end.

    Raises InvalidPgn.
    """
    tags: dict[str, str] = {}
    at, count = (1 if text.startswith("\ufeff") else 0), 0
    while (opening := NAME.match(text, at)) and (value := VALUE.match(text, opening.end())):
        name = opening[1]
        if len(value[0]) > LONGEST_VALUE:
            raise InvalidPgn("tag_long", name=name[:40])
        closing = END.match(text, value.end())
        if closing is None:
            break
        count += 1
        if count > MAX_TAGS:
            raise InvalidPgn("tags", number=MAX_TAGS)
        tags.setdefault(name, re.sub(r'\\(["\\])', r"\1", value[0]))
        at = closing.end()
        if count % PAUSE_AFTER == 0:
            yield
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
    raise InvalidPgn("variant", name=tag[:40])


def plain_name(name: str) -> str:
    """A variant's name without what programs spell differently: case, spaces, dashes."""
    return re.sub(r"[\s_-]", "", name).casefold()


def read_start(variant: Variant, chess960: bool, fen: str | None) -> Position:
    """The first position. Raises InvalidPgn.

    Some programs have no tag of their own for the chess960 form. So if the FEN loses castling rights when it is read
    as standard, but not when read as chess960, the game is chess960.
    """
    try:
        if fen is None:
            return start_position(variant, chess960)
        if chess960 or not variant.chess960:
            return parse_fen(variant, fen, chess960)
        readings = [reading for form in (False, True) if (reading := read_faithfully(variant, fen, form))]
        return readings[0] if readings else parse_fen(variant, fen)
    except InvalidFen:
        raise InvalidPgn("fen") from None


def read_faithfully(variant: Variant, fen: str, chess960: bool) -> Position | None:
    """The position of a FEN; None if it is invalid or loses castling rights, which chess960 may rename."""
    try:
        position = parse_fen(variant, fen, chess960)
    except InvalidFen:
        return None
    written, kept = fen.split()[2], format_fen(position).split()[2]
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
    return "".join(f'[{name} "{escaped(value)}"]\n' for name, value in written.items())


def escaped(value: str) -> str:
    """A tag's value as it is written between quotes."""
    return printable(value).replace("\\", "\\\\").replace('"', '\\"')
