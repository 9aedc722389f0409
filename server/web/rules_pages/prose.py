"""What people wrote about a variant: introduction, strategy, history. Read from TOML, judged by the rules core.

A file holds for each section (`introduction`, `strategy`, ... and `pieces.<role id>`) a list of paragraphs and boards.
In a paragraph

    {move: Nf3}                 is one move from the start position, {moves: e4 e5 Nf3} a line of them,
    {moves: Nf3 from <FEN>}     starts elsewhere, {moves: O-O from 960 <FEN>} in the shuffled form;
    {refused: a10 from <FEN>}   is a move that the rules do not allow there;
    {web: its page https://...} is a link to another site, after the words to show;
    {rules: grand}              is a link to another page of rules, *words* stand out.

`also` and `also_960` list other names of the game and of its shuffled form.

A board is a table: `fen` (the start when left out), `shuffled`, `moves` played from there, `show` ("e4": what the
piece there may do; "P@": where a pawn in the pocket may be dropped), and a `caption`. An illegal move
is an error, and so is an unknown key.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, assert_never

from server.language import english
from server.rules.diagrams.diagram import Diagram
from server.rules.diagrams.reach import reach_in
from server.rules.diagrams.special_moves import drops_in
from server.rules.errors import AmbiguousMove, IllegalMove, InvalidFen, InvalidMove
from server.rules.movegen.legal import play
from server.rules.movegen.moves import Castle, Drop, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant
from server.web.rules_pages.page import (
    Block,
    Elsewhere,
    Figure,
    Figures,
    Link,
    MoveLine,
    Paragraph,
    Prose,
    Span,
    Spans,
    Text,
)

_SPAN = re.compile(r"\{(moves?|refused|rules|web): *([^{}]+?)\}|\*([^*]+)\*")
_ADDRESS = re.compile(r"https://[\w./-]+")
_ORIGIN = re.compile(r"(.+?) from (960 )?(\S+ [wb] .+)")
PIECES = "_pieces.toml"
"""Paragraphs about pieces by their English names, for every variant that has them."""
SECTIONS = frozenset(
    {"introduction", "start", "pieces", "promotion", "pocket", "castling", "shuffle", "endings", "notation"}
    | {"values", "strategy", "readings", "history"}
)


class InvalidProse(ValueError):
    """A text cannot be shown; the message says where and why."""


def read_prose(folder: Path, variant: Variant, names: Mapping[str, str], foreign: str = "") -> Prose:
    """What the folder says about the variant and its pieces; for a piece, if need be, what it says for all variants.

    `names` are the variants that may be linked, by id. Raises InvalidProse.
    """
    file = folder / f"{variant.id}.toml"
    content = _read(file)
    own = content.pop("pieces", {})
    also, also_960 = (tuple(content.pop(key, ())) for key in ("also", "also_960"))
    if unknown := (content.keys() - SECTIONS) | (own.keys() - {role.id for role in variant.roles}):
        raise InvalidProse(f"{file.name}: nobody would read {', '.join(sorted(unknown))}")
    general = _read(folder / PIECES)
    pieces = {role.id: general[role.name] for role in variant.roles if role.name in general} | own
    parser = _Parser(variant, names, foreign)
    return Prose(
        MappingProxyType({key: tuple(parser.blocks(body)) for key, body in content.items()}),
        MappingProxyType({key: tuple(parser.blocks(body)) for key, body in pieces.items()}),
        also,
        also_960,
    )


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@dataclass(frozen=True, slots=True)
class _Parser:
    variant: Variant
    names: Mapping[str, str]
    foreign: str

    def blocks(self, body: list[Any]) -> Iterator[Block]:
        """Boards in a row are shown side by side."""
        boards: list[Figure] = []
        for item in body:
            if isinstance(item, str):
                if boards:
                    yield Figures(tuple(boards))
                    boards = []
                yield Paragraph(self.spans(item), self.foreign)
            else:
                boards.append(self.board(dict(item)))
        if boards:
            yield Figures(tuple(boards))

    def spans(self, text: str) -> Spans:
        spans: list[Span] = []
        at = 0
        for found in _SPAN.finditer(text):
            if found.start() > at:
                spans.append(Text(text[at : found.start()]))
            kind, inner, strong = found.groups()
            spans.append(Text(strong, strong=True) if strong else self.span(kind, inner))
            at = found.end()
        if set(text[at:]) & set("{}*"):
            raise self.refuse(text, "has a mark that is not closed")
        return (*spans, Text(text[at:])) if at < len(text) else tuple(spans)

    def span(self, kind: str, inner: str) -> Span:
        if kind == "rules":
            if inner not in self.names:
                raise self.refuse(inner, "is no variant")
            return Link(self.names[inner], inner)
        if kind == "web":
            text, _, address = inner.rpartition(" ")
            if not text or not _ADDRESS.fullmatch(address):
                raise self.refuse(inner, "is no link: it needs words and an address that begins with https://")
            return Elsewhere(text, address)
        origin = _ORIGIN.fullmatch(inner)
        moves, shuffled, fen = origin.groups() if origin else (inner, None, self.variant.start_fen)
        position = self.position(fen, bool(shuffled))
        if kind == "refused":
            return self.refused(position, moves)
        texts, uci, _ = self.played(position, moves)
        return MoveLine(texts if kind == "moves" else texts.partition(" ")[2], format_fen(position), uci)

    def position(self, fen: str, shuffled: bool = False) -> Position:
        try:
            return parse_fen(self.variant, fen, shuffled)
        except InvalidFen as reason:
            raise self.refuse(fen, english().said(reason)) from None

    def refused(self, position: Position, text: str) -> Text:
        try:
            parse_san(position, text)
        except IllegalMove:
            return Text(text)
        raise self.refuse(text, "is said to be refused, and is legal")

    def played(self, position: Position, text: str) -> tuple[str, tuple[str, ...], list[Position]]:
        """The moves in SAN with their numbers and in UCI, and the position after each."""
        written: list[str] = []
        uci: list[str] = []
        after = [position]
        for word in text.split():
            now = after[-1]
            try:
                move = parse_san(now, word)
            except (IllegalMove, InvalidMove, AmbiguousMove) as reason:
                raise self.refuse(text, english().said(reason)) from None
            number = f"{now.fullmove}{'...' if now.side else '.'} " if not written or not now.side else ""
            written.append(number + format_san(now, move))
            uci.append(move.uci)
            after.append(play(now, move))
        return " ".join(written), tuple(uci), after

    def board(self, table: dict[str, Any]) -> Figure:
        shuffled = bool(table.pop("shuffled", False))
        position = self.position(table.pop("fen", self.variant.start_fen), shuffled)
        _, uci, positions = self.played(position, table.pop("moves", ""))
        show, caption = table.pop("show", ""), table.pop("caption")
        if table:
            raise self.refuse(str(sorted(table)), "is nothing a board has")
        last = positions[-1]
        moved = _squares(positions[-2], uci[-1]) if uci else ()
        diagram = self.diagram(format_fen(last), show, shuffled) if show else None
        if diagram is not None and not diagram.marks:
            raise self.refuse(show, "cannot go anywhere")
        diagram = diagram or Diagram(self.variant, format_fen(last), shuffled)
        return Figure(replace(diagram, moved=moved), caption, self.foreign)

    def diagram(self, fen: str, show: str, shuffled: bool) -> Diagram:
        if show.endswith("@"):
            role = next((role for role in self.variant.roles if role.san == show[0]), None)
            if role is None:
                raise self.refuse(show, "is no piece")
            return drops_in(self.variant, fen, role.id, shuffled)
        square = self.variant.geometry.parse(show)
        if square is None:
            raise self.refuse(show, "is no square")
        return reach_in(self.variant, fen, square, shuffled)

    def refuse(self, text: str, reason: str) -> InvalidProse:
        return InvalidProse(f"{self.variant.id}: {text[:80]!r} {reason}")


def _squares(before: Position, uci: str) -> tuple[int, ...]:
    """The squares that a move tints."""
    move = parse_uci(before, uci)
    match move:
        case Drop():
            return (move.target,)
        case Castle():
            return (move.origin, move.rook_origin, move.target, move.rook_target)
        case NormalMove():
            return (move.origin, move.target)
        case _:
            assert_never(move)
