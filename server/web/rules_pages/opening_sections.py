"""The first sections: the facts in one table, the introduction, and the start position."""

from server.rules.diagrams.diagram import Diagram
from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import start_position
from server.web.rules_pages.page import Block, Bullets, Figure, Figures, Link, Paragraph, Section, Table, Text
from server.web.rules_pages.page_context import Guide

PLACE = "\0"
"""Stands in a sentence where a link comes to stand."""


def introduction(guide: Guide) -> Section:
    blocks: tuple[Block, ...] = (Bullets(guide.called.differences), *_also(guide))
    if guide.shuffled:
        blocks += (_usual_form(guide),)
    else:
        blocks += guide.prose.of("introduction")
    return Section("introduction", guide.say("rules.introduction"), blocks)


def _also(guide: Guide) -> tuple[Block, ...]:
    """Other names of the game, for those who know it by one of them."""
    names = guide.prose.also_960 if guide.shuffled else guide.prose.also
    return (guide.paragraph(guide.say("rules.also", names=guide.listed(names))),) if names else ()


def _usual_form(guide: Guide) -> Paragraph:
    before, _, after = guide.say("rules.usual_form", variant=PLACE).partition(PLACE)
    return Paragraph((Text(before), Link(guide.names.name, guide.variant.id), Text(after)))


def _facts(guide: Guide) -> Table:
    variant, say = guide.variant, guide.say
    start = start_position(variant)
    white = sum(man.white for man in Diagram(variant, variant.start_fen).men()) + sum(start.pockets[0])
    rows = [
        (say("rules.board"), say("rules.board_size", files=variant.files, ranks=variant.ranks)),
        (say("rules.army"), str(white)),
        (say("rules.first_moves"), str(len(legal_moves(start)))),
        (say("rules.captured_men"), _fate_of_captured(guide)),
        (say("rules.castling"), say("rules.yes") if variant.castling else say("rules.no")),
        (say("rules.shuffled_form"), say("rules.yes") if variant.chess960 else say("rules.no")),
    ]
    return Table((), tuple(rows))


def _fate_of_captured(guide: Guide) -> str:
    pocket = guide.variant.pocket
    return guide.say("rules.change_sides") if pocket and pocket.captures else guide.say("rules.leave_the_game")


def start(guide: Guide) -> Section:
    variant, say = guide.variant, guide.say
    diagram = Diagram(variant, variant.start_fen)
    caption = say("rules.start_caption", white=_placed(guide, diagram))
    figures = Figures((Figure(diagram, caption, large=True),))
    return Section("start", say("rules.start"), guide.with_prose("start", figures, _facts(guide)))


def _placed(guide: Guide, diagram: Diagram) -> str:
    """White's men by kind: "rook a1, h1; knight b1, g1"; a whole rank of one kind by its number."""
    names, found = guide.variant.geometry.names, dict[str, list[str]]()
    for man in diagram.men():
        if man.white:
            found.setdefault(man.role, []).append(names[man.square])
    parts = []
    for role in guide.variant.roles:
        squares = found.get(role.id, [])
        if len(squares) == guide.variant.files and len({square[1:] for square in squares}) == 1:
            parts.append(guide.say("rules.on_rank", piece=guide.piece(role.id), rank=squares[0][1:]))
        elif squares:
            parts.append(f"{guide.piece(role.id)} {', '.join(squares)}")
    return "; ".join(parts)
