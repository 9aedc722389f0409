"""Each kind of piece: what it does in sentences and diagrams, and what people wrote about it."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Mark, Use
from server.rules.diagrams.promoting import en_passant
from server.rules.diagrams.reach import blocked, piece_diagrams
from server.rules.movegen.tables import tables_of
from server.rules.variant.pieces import Role
from server.web.rules_pages.legend import WORDS
from server.web.rules_pages.movement_sentences import movement_sentences
from server.web.rules_pages.page import Block, Figure, Figures, Legend, Section
from server.web.rules_pages.page_context import Guide, bullets


def pieces(guide: Guide) -> Section:
    parts = tuple(_piece(guide, role) for role in guide.variant.roles)
    return Section("pieces", guide.say("rules.pieces"), guide.with_prose("pieces", _legend(guide)), parts)


def _legend(guide: Guide) -> Legend:
    """The marks that the pictures of this variant's pieces have. What is reached in one position looks like BOTH."""
    found = {(mark.use, mark.first) for role in guide.variant.roles for mark in _marks(guide, role)}
    found.discard((Use.REACHED, False))
    first = f" ({guide.say('rules.mark_first')})"
    entries = [
        (use.value, once, guide.say(WORDS[use]) + (first if once else ""))
        for use in WORDS
        for once in (False, True)
        if (use, once) in found
    ]
    return Legend(tuple(entries), guide.say("rules.legend_note"))


def _marks(guide: Guide, role: Role) -> Iterator[Mark]:
    for figure in _figures(guide, role):
        yield from figure.diagram.marks


def _piece(guide: Guide, role: Role) -> Section:
    blocks: list[Block] = [
        block for block in (bullets(*movement_sentences(guide, role), *_traits(guide, role)),) if block
    ]
    blocks.append(Figures(tuple(_figures(guide, role))))
    blocks.extend(guide.prose.pieces.get(role.id, ()))
    return Section(f"piece-{role.id.replace('+', 'promoted-')}", guide.title(role), tuple(blocks))


def _traits(guide: Guide, role: Role) -> Iterator[str]:
    variant, say = guide.variant, guide.say
    codes = tables_of(variant).codes
    if role.royal:
        yield say("rules.royal")
    if codes.placed[0][role.id] in codes.color_bound and not role.pawn:
        yield say("rules.color_bound")
    if sources := [source for source, rule in variant.promotions.items() if role.id[0] == "+" and role.id in rule.to]:
        yield say("rules.promoted_form", piece=guide.pieces(sources))
    if variant.pocket and variant.pocket.captures and role.captured_as != role.id:
        yield say("rules.captured_as", piece=guide.piece(role.captured_as))
    if not role.royal and (others := guide.namesakes(role.atoms, guide.piece(role.id))):
        yield say("rules.same_elsewhere", others=others)


def _figures(guide: Guide, role: Role) -> Iterator[Figure]:
    for diagram in piece_diagrams(guide.variant, role):
        yield Figure(diagram, _caption(guide, role, diagram))
    if (among := blocked(guide.variant, role)) is not None:
        yield Figure(among, guide.say("rules.among_caption", piece=guide.piece(role.id)))
    if role.pawn and (passing := en_passant(guide.variant)) is not None:
        yield Figure(passing, _passing_caption(guide, passing))


def _caption(guide: Guide, role: Role, diagram: Diagram) -> str:
    assert diagram.square is not None
    square = guide.variant.geometry.names[diagram.square]
    text = guide.say("rules.reach_caption", piece=guide.piece(role.id), square=square, n=len(diagram.marks))
    if any(mark.first for mark in diagram.marks):
        text += " " + guide.say("rules.first_caption")
    return text


def _passing_caption(guide: Guide, diagram: Diagram) -> str:
    names = guide.variant.geometry.names
    taken = next(mark for mark in diagram.marks if mark.use is Use.TAKEN)
    origin, target = diagram.moved
    return guide.say("rules.en_passant_caption", origin=names[origin], target=names[target], square=names[taken.square])
