"""The pocket: how pieces get there, where they may be dropped, and how they are gated."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram
from server.rules.diagrams.entering import drop_groups, drop_zone, gating
from server.rules.variant.variant import Pocket
from server.web.rules_pages.page import Figure, Figures, Section
from server.web.rules_pages.page_context import Guide, bullets


def hand(guide: Guide) -> Section | None:
    pocket = guide.variant.pocket
    if pocket is None:
        return None
    sentences = [*_filling(guide, pocket), *_dropping(guide, pocket), *_gating(guide, pocket)]
    figures = tuple(_drop_figures(guide))
    if (gates := gating(guide.variant)) is not None:
        figures += (Figure(gates, guide.say("rules.gate_caption")),)
    blocks = guide.with_prose("hand", bullets(*sentences), Figures(figures) if figures else None)
    return Section("hand", _title(guide, pocket), blocks)


def _title(guide: Guide, pocket: Pocket) -> str:
    if pocket.setup:
        return guide.say("rules.setup")
    if guide.variant.gates:
        return guide.say("rules.gating_and_drops") if pocket.drops else guide.say("rules.gating")
    return guide.say("rules.drops")


def _filling(guide: Guide, pocket: Pocket) -> Iterator[str]:
    white = Diagram(guide.variant, guide.variant.start_fen).hands()[0]
    if white:
        held = guide.listed(guide.counted(role, number) for role, number in white)
        yield guide.say("rules.held_at_start", pieces=held)
    yield guide.say("rules.captures_to_hand") if pocket.captures else guide.say("rules.captures_gone")


def _dropping(guide: Guide, pocket: Pocket) -> Iterator[str]:
    say, variant = guide.say, guide.variant
    if not pocket.drops:
        yield say("rules.no_drops")
        return
    yield say("rules.setup_first") if pocket.setup else say("rules.drop_instead")
    for ranks, roles in drop_groups(variant):
        if len(ranks) == variant.ranks:
            yield say("rules.drop_anywhere", pieces=guide.pieces(roles))
        else:
            yield say("rules.drop_ranks", n=len(ranks), pieces=guide.pieces(roles), ranks=guide.ranks(ranks))
    if pocket.pairs:
        yield say("rules.opposite_colors", pieces=guide.pieces(sorted(pocket.pairs)))
    if pocket.setup:
        return
    yield say("rules.drop_mates")
    for role in variant.roles:
        if role.pawn and role.initial_ranks & pocket.ranks.get(role.id, frozenset()):
            yield say("rules.dropped_pawn_doubles", n=len(role.initial_ranks), ranks=guide.ranks(role.initial_ranks))
    if variant.castling:
        yield say("rules.dropped_rook", piece=guide.piece(variant.castling.rook))


def _drop_figures(guide: Guide) -> Iterator[Figure]:
    groups = drop_groups(guide.variant)
    for ranks, roles in groups:
        if len(groups) > 1 and len(ranks) == guide.variant.ranks:
            continue  # a board full of marks says no more than the sentence
        if (diagram := drop_zone(guide.variant, roles[0])) is not None:
            yield Figure(diagram, guide.say("rules.drop_caption", pieces=guide.pieces(roles)))


def _gating(guide: Guide, pocket: Pocket) -> Iterator[str]:
    variant, say = guide.variant, guide.say
    if not variant.gates:
        return
    yield say("rules.gate_how", pieces=guide.pieces(variant.gates, either=True))
    yield say("rules.gate_legal")
    if variant.castling:
        yield say("rules.gate_castling")
    if not pocket.drops:
        yield say("rules.gate_lost")
    else:
        yield say("rules.gate_not_dropped")
