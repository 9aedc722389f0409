"""Each piece: how it moves, in sentences and diagrams, and what people wrote about it."""

from collections.abc import Iterator, Sequence

from server.rules.diagrams.diagram import Diagram, Mark, Use
from server.rules.diagrams.promotion import en_passant
from server.rules.diagrams.reach import blocked, piece_diagrams
from server.rules.movegen.tables import tables_of
from server.rules.variant.composition import MOVES, is_ordinary, made_of
from server.rules.variant.pieces import Role
from server.web.rules_pages.legend import WORDS
from server.web.rules_pages.movement_sentences import movement_sentences
from server.web.rules_pages.page import NEW_PIECES, Figure, Figures, Legend, Portrait, Section, Sided
from server.web.rules_pages.page_context import PageContext, bullets


def new_pieces(context: PageContext) -> Section | None:
    """The pieces that chess does not have, each with its portrait; None if there are none."""
    unlike = [role for role in context.variant.roles if not is_ordinary(role)]
    if not unlike:
        return None
    # Pieces of chess that move differently here come last.
    roles = sorted(unlike, key=lambda role: role.name == "pawn" or role.name in MOVES)
    parts = tuple(_piece(context, role, _portrait(context, role)) for role in roles)
    return Section(
        NEW_PIECES, context.say("rules.new_pieces"), context.with_prose("pieces", _legend(context, roles)), parts
    )


def ordinary_pieces(context: PageContext) -> Section | None:
    """The pieces that chess has. Only a page that teaches chess itself shows them at once."""
    roles = [role for role in context.variant.roles if is_ordinary(role)]
    if not roles:
        return None
    legend = _legend(context, roles)
    parts = tuple(_piece(context, role) for role in roles)
    if teaches_chess(context):
        return Section("ordinary", context.say("rules.pieces"), context.with_prose("pieces", legend), parts)
    inside = context.pieces(role.id for role in roles)
    return Section("ordinary", context.say("rules.ordinary"), (legend,), parts, folded=inside)


def teaches_chess(context: PageContext) -> bool:
    """Does the game have only what chess has?"""
    variant = context.variant
    return not context.shuffled and variant.pocket is None and all(map(is_ordinary, variant.roles))


def _portrait(context: PageContext, role: Role) -> Portrait:
    worth = context.say("rules.worth", value=f"{role.value:g}") if role.value else ""
    parts = tuple(Sided(kind, context.kind(kind), kind[0].upper()) for kind in made_of(role.atoms))
    return Portrait(Sided(role.name, context.piece(role.id), role.id.upper()), worth, parts)


def _legend(context: PageContext, roles: Sequence[Role]) -> Legend:
    """The marks that the pictures of these pieces have. What is reached in one position looks like BOTH."""
    found = {(mark.use, mark.first) for role in roles for mark in _marks(context, role)}
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


def _piece(context: PageContext, role: Role, portrait: Portrait | None = None) -> Section:
    """A piece with a portrait has three blocks to be shown first: that, how it moves, and one board."""
    sentences = bullets(*movement_sentences(context, role), *_traits(context, role))
    figures, prose = tuple(_figures(context, role)), context.prose.pieces.get(role.id, ())
    boards = (Figures(figures[:1]), Figures(figures[1:])) if portrait else (Figures(figures),)
    blocks = (portrait, sentences, *boards, *prose)
    fragment = f"piece-{role.id.replace('+', 'promoted-')}"
    shown = tuple(block for block in blocks if block is not None and block != Figures(()))
    return Section(fragment, context.title(role), shown)


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
