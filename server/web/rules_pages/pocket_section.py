"""The pocket: how pieces get there, where they may be dropped, and how they are gated."""

from collections.abc import Iterator

from server.rules.diagrams.pocket_moves import drop_groups, drop_zone, gating
from server.rules.notation.fen import start_position
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Pocket
from server.web.rules_pages.page import Figure, Figures, Section
from server.web.rules_pages.page_context import PageContext, bullets


def pocket_section(context: PageContext) -> Section | None:
    """What fills a pocket, and how pieces come in; None: the variant has no pocket."""
    pocket = context.variant.pocket
    if pocket is None:
        return None
    sentences = [*_filling(context, pocket), *_dropping(context, pocket), *_gating(context, pocket)]
    figures = tuple(_drop_figures(context))
    if (gates := gating(context.variant)) is not None:
        figures += (Figure(gates, context.say("rules.gate_caption")),)
    blocks = context.with_prose("pocket", bullets(*sentences), Figures(figures) if figures else None)
    # The id is part of the page's address (#hand), which links out in the world have kept.
    return Section("hand", _title(context, pocket), blocks)


def _title(context: PageContext, pocket: Pocket) -> str:
    if pocket.setup:
        return context.say("rules.setup")
    if context.variant.gates:
        return context.say("rules.gating_and_drops") if pocket.drops else context.say("rules.gating")
    return context.say("rules.drops")


def _filling(context: PageContext, pocket: Pocket) -> Iterator[str]:
    if held := context.names.in_pocket(start_position(context.variant), Color.WHITE):
        yield context.say("rules.held_at_start", pieces=context.listed(held))
    yield context.say("rules.captures_to_pocket") if pocket.captures else context.say("rules.captures_gone")


def _dropping(context: PageContext, pocket: Pocket) -> Iterator[str]:
    say, variant = context.say, context.variant
    if not pocket.drops:
        yield say("rules.no_drops")
        return
    yield say("rules.setup_first") if pocket.setup else say("rules.drop_instead")
    for ranks, roles in drop_groups(variant):
        if len(ranks) == variant.ranks:
            yield say("rules.drop_anywhere", pieces=context.pieces(roles))
        else:
            yield say("rules.drop_ranks", n=len(ranks), pieces=context.pieces(roles), ranks=context.ranks(ranks))
    if pocket.pairs:
        yield say("rules.opposite_colors", pieces=context.pieces(sorted(pocket.pairs)))
    if pocket.setup:
        return
    yield say("rules.drop_mates")
    for role in variant.roles:
        if role.pawn and role.initial_ranks & pocket.ranks.get(role.id, frozenset()):
            yield say("rules.dropped_pawn_doubles", n=len(role.initial_ranks), ranks=context.ranks(role.initial_ranks))
    if variant.castling:
        yield say("rules.dropped_rook", piece=context.piece(variant.castling.rook))


def _drop_figures(context: PageContext) -> Iterator[Figure]:
    groups = drop_groups(context.variant)
    for ranks, roles in groups:
        if len(groups) > 1 and len(ranks) == context.variant.ranks:
            continue  # a board full of marks says no more than the sentence
        if (diagram := drop_zone(context.variant, roles[0])) is not None:
            yield Figure(diagram, context.say("rules.drop_caption", pieces=context.pieces(roles)))


def _gating(context: PageContext, pocket: Pocket) -> Iterator[str]:
    variant, say = context.variant, context.say
    if not variant.gates:
        return
    yield say("rules.gate_how", pieces=context.pieces(variant.gates, either=True))
    yield say("rules.gate_legal")
    if variant.castling:
        yield say("rules.gate_castling")
    if not pocket.drops:
        yield say("rules.gate_lost")
    else:
        yield say("rules.gate_not_dropped")
