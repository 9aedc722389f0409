"""Where pieces promote, into what, and what limits it."""

from collections.abc import Iterator

from server.rules.diagrams.promotion import promotion_groups, promotion_zone
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Promotion
from server.web.rules_pages.page import Figure, Figures, Pairs, Section, Sided
from server.web.rules_pages.page_context import PageContext, bullets


def promotion(context: PageContext) -> Section | None:
    """Which pieces promote where, and to what; None: none do."""
    groups = promotion_groups(context.variant)
    if not groups:
        return None
    sentences = [sentence for rule, roles in groups for sentence in _sentences(context, rule, roles)]
    figures = []
    for _, roles in groups:
        diagram = promotion_zone(context.variant, context.variant.role(roles[0]))
        if diagram is not None:
            figures.append(Figure(diagram, context.say("rules.zone_caption", pieces=context.pieces(roles))))
    listed = bullets(*sentences, *_afterwards(context))
    blocks = context.with_prose("promotion", listed, _pairs(context), Figures(tuple(figures)))
    return Section("promotion", context.say("rules.promotion"), blocks)


def _pairs(context: PageContext) -> Pairs | None:
    """Pieces with a promoted side of their own, as in shogi; None if there are none."""
    variant = context.variant
    pairs = tuple(
        (_side(context, variant.role(role_id)), _side(context, variant.role(to)))
        for role_id, rule in variant.promotions.items()
        for to in rule.to
        if to[0] == "+"
    )
    head = context.say("rules.pair_from"), context.say("rules.pair_to")
    return Pairs(head, pairs, context.say("rules.pairs_caption")) if pairs else None


def _side(context: PageContext, role: Role) -> Sided:
    return Sided(role.name, context.piece(role.id), role.id.upper())


def _sentences(context: PageContext, rule: Promotion, roles: tuple[str, ...]) -> Iterator[str]:
    say, pieces = context.say, context.pieces(roles)
    optional = rule.ranks - rule.forced
    if rule.touch:
        yield say("rules.zone_touch", n=len(rule.ranks), pieces=pieces, ranks=context.ranks(rule.ranks))
    elif optional:
        yield say("rules.zone_into", n=len(optional), pieces=pieces, ranks=context.ranks(optional))
    if rule.forced:
        yield say("rules.zone_forced", n=len(rule.forced), pieces=pieces, ranks=context.ranks(rule.forced))
    if rule.by_file:
        yield say("rules.by_file", becomes=_by_file(context, rule))
        return
    for role_id in roles:
        become = context.pieces(context.variant.promotions[role_id].to, either=True)
        yield say("rules.becomes", piece=context.piece(role_id), become=become)
    limits = {to: most for role_id in roles for to, most in context.variant.promotions[role_id].limits.items()}
    if limits:
        listed = context.listed(f"{context.piece(to)} ×{most}" for to, most in limits.items())
        yield say("rules.limits", pieces=listed)
    if limits and rule.forced and all(set(context.variant.promotions[role].to) <= limits.keys() for role in roles):
        yield say("rules.stuck", pieces=pieces)


def _by_file(context: PageContext, rule: Promotion) -> str:
    """ "a: rook, b: lion, ..." in the order of the files."""
    return ", ".join(f"{letter}: {context.piece(to)}" for letter, to in zip(FILE_LETTERS, rule.by_file, strict=False))


def _afterwards(context: PageContext) -> Iterator[str]:
    """What becomes of promoted pieces that are captured."""
    variant = context.variant
    if variant.pocket is None or not variant.pocket.captures:
        return
    demoted = [(role.id, role.captured_as) for role in variant.roles if role.captured_as != role.id]
    if demoted:
        pairs = context.listed(f"{context.piece(role)} → {context.piece(back)}" for role, back in demoted)
        yield context.say("rules.demoted", pairs=pairs)
    elif any(to[0] != "+" for rule in variant.promotions.values() for to in rule.to):
        yield context.say("rules.back_to_pawn")
