"""The first sections: the facts in one table, the introduction, and the start position."""

from server.rules.diagrams.diagram import Diagram
from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import start_position
from server.web.rules_pages.page import Block, Bullets, Figure, Figures, Link, Paragraph, Section, Text, TextTable
from server.web.rules_pages.page_context import PageContext

PLACE = "\0"
"""Marks where the link goes in a sentence."""


def introduction(context: PageContext) -> Section:
    """What differs from chess, and what the variant is about."""
    blocks: tuple[Block, ...] = (Bullets(context.called.differences), *_also(context))
    if context.shuffled:
        blocks += (_usual_form(context),)
    else:
        blocks += context.prose.of("introduction")
    return Section("introduction", context.say("rules.introduction"), blocks)


def _also(context: PageContext) -> tuple[Block, ...]:
    """Other names of the game, for those who know it by one of them."""
    names = context.prose.also_960 if context.shuffled else context.prose.also
    return (context.paragraph(context.say("rules.also", names=context.listed(names))),) if names else ()


def _usual_form(context: PageContext) -> Paragraph:
    before, _, after = context.say("rules.usual_form", variant=PLACE).partition(PLACE)
    return Paragraph((Text(before), Link(context.names.name, context.variant.id), Text(after)))


def _facts(context: PageContext) -> TextTable:
    variant, say = context.variant, context.say
    start = start_position(variant)
    white = sum(piece.white for piece in Diagram(variant, variant.start_fen).pieces()) + sum(start.pockets[0])
    rows = [
        (say("board.title"), say("rules.board_size", files=variant.files, ranks=variant.ranks)),
        (say("rules.army"), str(white)),
        (say("rules.first_moves"), str(len(legal_moves(start)))),
        (say("rules.captured_men"), _fate_of_captured(context)),
        (say("rules.castling"), say("rules.yes") if variant.castling else say("rules.no")),
        (say("rules.shuffled_form"), say("rules.yes") if variant.chess960 else say("rules.no")),
    ]
    return TextTable((), tuple(rows))


def _fate_of_captured(context: PageContext) -> str:
    pocket = context.variant.pocket
    return context.say("rules.change_sides") if pocket and pocket.captures else context.say("rules.leave_the_game")


def start(context: PageContext) -> Section:
    """The first position, with a diagram, and the facts of the board."""
    variant, say = context.variant, context.say
    diagram = Diagram(variant, variant.start_fen)
    caption = say("rules.start_caption", white=_placed(context, diagram))
    figures = Figures((Figure(diagram, caption, large=True),))
    return Section("start", say("board.start"), context.with_prose("start", figures, _facts(context)))


def _placed(context: PageContext, diagram: Diagram) -> str:
    """White's pieces by kind: "rook a1, h1; knight b1, g1"; a whole rank of one kind by its number."""
    names, found = context.variant.geometry.names, dict[str, list[str]]()
    for piece in diagram.pieces():
        if piece.white:
            found.setdefault(piece.role, []).append(names[piece.square])
    parts = []
    for role in context.variant.roles:
        squares = found.get(role.id, [])
        if len(squares) == context.variant.files and len({square[1:] for square in squares}) == 1:
            parts.append(context.say("rules.on_rank", piece=context.piece(role.id), rank=squares[0][1:]))
        elif squares:
            parts.append(f"{context.piece(role.id)} {', '.join(squares)}")
    return "; ".join(parts)
