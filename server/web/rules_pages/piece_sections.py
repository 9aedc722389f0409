"""Each piece: how it moves, in sentences and diagrams, and what people wrote about it."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Mark, Use
from server.rules.diagrams.promotion import en_passant
from server.rules.diagrams.reach import blocked, piece_diagrams
from server.rules.movegen.tables import tables_of
from server.rules.variant.pieces import Role
from server.web.rules_pages.legend import WORDS
from server.web.rules_pages.movement_sentences import movement_sentences
from server.web.rules_pages.page import Figure, Figures, Legend, Section
from server.web.rules_pages.page_context import PageContext, bullets


def pieces(context: PageContext) -> Section:
    parts = tuple(_piece(context, role) for role in context.variant.roles)
    return Section("pieces", context.say("rules.pieces"), context.with_prose("pieces", _legend(context)), parts)


def _legend(context: PageContext) -> Legend:
    """The marks that the pictures of this variant's pieces have. What is reached in one position looks like BOTH."""
    found = {(mark.use, mark.first) for role in context.variant.roles for mark in _marks(context, role)}
    found.discard((Use.REACHED, False))
    first = f" ({context.say('rules.mark_first')})"
    entries = [
        (use.value, once, context.say(WORDS[use]) + (first if once else ""))
        for use in WORDS
        for once in (False, True)
        if (use, once) in found
    ]
    return Legend(tuple(entries), context.say("rules.legend_note"))


def _marks(context: PageContext, role: Role) -> Iterator[Mark]:
    for figure in _figures(context, role):
        yield from figure.diagram.marks


def _piece(context: PageContext, role: Role) -> Section:
    sentences = bullets(*movement_sentences(context, role), *_traits(context, role))
    blocks = (sentences, Figures(tuple(_figures(context, role))), *context.prose.pieces.get(role.id, ()))
    fragment = f"piece-{role.id.replace('+', 'promoted-')}"
    return Section(fragment, context.title(role), tuple(block for block in blocks if block is not None))


def _traits(context: PageContext, role: Role) -> Iterator[str]:
    variant, say = context.variant, context.say
    codes = tables_of(variant).codes
    if role.royal:
        yield say("rules.royal")
    if codes.placed[0][role.id] in codes.color_bound and not role.pawn:
        yield say("rules.color_bound")
    if sources := [source for source, rule in variant.promotions.items() if role.id[0] == "+" and role.id in rule.to]:
        yield say("rules.promoted_form", piece=context.pieces(sources))
    if variant.pocket and variant.pocket.captures and role.captured_as != role.id:
        yield say("rules.captured_as", piece=context.piece(role.captured_as))
    if not role.royal and (others := context.namesakes(role.atoms, context.piece(role.id))):
        yield say("rules.same_elsewhere", others=others)


def _figures(context: PageContext, role: Role) -> Iterator[Figure]:
    for diagram in piece_diagrams(context.variant, role):
        yield Figure(diagram, _caption(context, role, diagram))
    if (among := blocked(context.variant, role)) is not None:
        yield Figure(among, context.say("rules.among_caption", piece=context.piece(role.id)))
    if role.pawn and (passing := en_passant(context.variant)) is not None:
        yield Figure(passing, _passing_caption(context, passing))


def _caption(context: PageContext, role: Role, diagram: Diagram) -> str:
    assert diagram.square is not None
    square = context.variant.geometry.names[diagram.square]
    text = context.say("rules.reach_caption", piece=context.piece(role.id), square=square, n=len(diagram.marks))
    if any(mark.first for mark in diagram.marks):
        text += " " + context.say("rules.first_caption")
    return text


def _passing_caption(context: PageContext, diagram: Diagram) -> str:
    names = context.variant.geometry.names
    taken = next(mark for mark in diagram.marks if mark.use is Use.TAKEN)
    origin, target = diagram.moved
    return context.say(
        "rules.en_passant_caption", origin=names[origin], target=names[target], square=names[taken.square]
    )
