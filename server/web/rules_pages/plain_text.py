"""A rules page as plain text of at most 80 columns, its boards drawn with letters: for terminals and screen readers."""

import re
import textwrap
from collections.abc import Iterator
from typing import assert_never

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.variant import FILE_LETTERS
from server.web.rules_pages.drawing import TYPED, typed_legend
from server.web.rules_pages.page import (
    Block,
    Bullets,
    Elsewhere,
    Figure,
    Figures,
    Legend,
    Link,
    MoveLine,
    PageContext,
    Pairs,
    Paragraph,
    Portrait,
    RulesPage,
    Section,
    Span,
    Text,
    TextTable,
)
from server.web.variant_words import counts_in_words

WIDTH = 80
UNDERLINE = re.compile("=+|-+")


def page_text(page: RulesPage, context: PageContext) -> str:
    """The whole page; every line ends with a line break."""
    lines = [*_underlined(page.name.upper(), "="), "", *_wrapped(page.tagline), ""]
    for section in page.sections:
        lines += _section(section, context, "=")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def unwrapped(text: str) -> list[str]:
    """The lines of a whole page, with each paragraph and bullet on one line."""
    lines: list[str] = []
    for line in text.splitlines():
        last = lines[-1] if lines else ""
        goes_on = re.match(r"  ?(?! )" if last.startswith("* ") else r"[^\s*]", line)
        if (
            goes_on
            and last
            and not last.startswith(" ")
            and not UNDERLINE.fullmatch(line)
            and not UNDERLINE.fullmatch(last)
        ):
            lines[-1] = f"{last} {line.strip()}"
        else:
            lines.append(line)
    return lines


def _section(section: Section, context: PageContext, under: str) -> Iterator[str]:
    yield from _underlined(section.title, under)
    yield ""
    for block in section.blocks:
        if lines := list(_block(block, context)):
            yield from (*lines, "")
    for part in section.parts:
        yield from _section(part, context, "-")


def _underlined(title: str, under: str) -> tuple[str, str]:
    return title, under * len(title)


def _wrapped(text: str, first: str = "", then: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )


def _block(block: Block, context: PageContext) -> Iterator[str]:
    match block:
        case Paragraph(spans):
            yield from _wrapped("".join(map(_span, spans)))
        case Bullets(items):
            for item in items:
                yield from _wrapped(item, "* ", "  ")
        case TextTable():
            yield from _table(block)
        case Figures(figures):
            for nth, figure in enumerate(figures):
                yield from ("",) * bool(nth)
                yield from _figure(figure, context)
        case Pairs(head, pairs, caption):
            yield from _wrapped(caption)
            yield from _table(TextTable(head, tuple((one.name, promoted.name) for one, promoted in pairs)))
        case Portrait(_, worth, parts):
            made_of = [" + ".join(part.name for part in parts)] if parts else []
            yield from _wrapped(" · ".join([*made_of, worth]).strip(" ·"))
        case Legend():
            return  # every board of letters explains its own marks
        case _:
            assert_never(block)


def _span(span: Span) -> str:
    match span:
        case Link(text, variant_id):
            return f"{text} (/rules/{variant_id}.txt)"
        case Elsewhere(text, address):
            return f"{text} ({address})"
        case MoveLine(text) | Text(text):
            return text
        case _:
            assert_never(span)


def _table(table: TextTable) -> Iterator[str]:
    rows = [*((table.head,) if table.head else ()), *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for nth, row in enumerate(rows):
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        start = "  " + "   ".join(cells) + "   "
        yield from (
            _wrapped(start + row[-1], "", " " * len(start)) if len(start) + len(row[-1]) > WIDTH else [start + row[-1]]
        )
        if table.head and nth == 0:
            yield "  " + "-" * min(WIDTH - 4, sum(widths) + 3 * len(widths) + len(row[-1]))


def _figure(figure: Figure, context: PageContext) -> Iterator[str]:
    yield from _wrapped(figure.caption[:1].upper() + figure.caption[1:])
    yield ""
    yield from board_lines(figure.diagram)
    yield from _wrapped(typed_legend(figure.diagram, context.say), "     ", "     ")
    for held in counts_in_words(figure.diagram.position, context.names, context.say):
        yield from _wrapped(held, "     ", "     ")


def board_lines(diagram: Diagram) -> Iterator[str]:
    """The board with ranks and files around it: White's pieces are capitals; marks stand before their piece."""
    variant = diagram.variant
    cells = dict(_cells(diagram))
    files = "      " + " ".join(f" {FILE_LETTERS[file]} " for file in range(variant.files))
    rule = "     +" + "---+" * variant.files
    yield files
    yield rule
    for rank in range(variant.ranks - 1, -1, -1):
        row = "|".join(cells.get(variant.geometry.square(file, rank), "   ") for file in range(variant.files))
        yield f"  {rank + 1:>2} |{row}| {rank + 1}"
        yield rule
    yield files


def _cells(diagram: Diagram) -> Iterator[tuple[int, str]]:
    """Three characters for every square that is not empty."""
    signs = {mark.square: ("!" if mark.first else "") + TYPED[mark.use] for mark in diagram.marks}
    pieces = {
        piece.square: piece.role.upper() if piece.white else piece.role
        for piece in (*diagram.pieces(), *diagram.becomes)
    }
    for square in signs.keys() | pieces.keys():
        sign, piece = signs.get(square, ""), pieces.get(square, "")
        yield square, (sign + piece).center(3) if not (sign and piece) else (sign + piece).ljust(3)
