"""Where pieces promote, into what, and what limits it."""

from collections.abc import Iterator

from server.rules.diagrams.promoting import promotion_groups, promotion_zone
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Promotion
from server.web.rules_pages.page import Figure, Figures, Pairs, Section, Sided
from server.web.rules_pages.page_context import Guide, bullets


def promotion(guide: Guide) -> Section | None:
    groups = promotion_groups(guide.variant)
    if not groups:
        return None
    sentences = [sentence for rule, roles in groups for sentence in _sentences(guide, rule, roles)]
    figures = []
    for _, roles in groups:
        diagram = promotion_zone(guide.variant, guide.variant.role(roles[0]))
        if diagram is not None:
            figures.append(Figure(diagram, guide.say("rules.zone_caption", pieces=guide.pieces(roles))))
    listed = bullets(*sentences, *_afterwards(guide))
    blocks = guide.with_prose("promotion", listed, _pairs(guide), Figures(tuple(figures)))
    return Section("promotion", guide.say("rules.promotion"), blocks)


def _pairs(guide: Guide) -> Pairs | None:
    """Pieces with a promoted side of their own, as in shogi; None where there are none."""
    variant = guide.variant
    pairs = tuple(
        (_side(guide, variant.role(role_id)), _side(guide, variant.role(to)))
        for role_id, rule in variant.promotions.items()
        for to in rule.to
        if to[0] == "+"
    )
    head = guide.say("rules.pair_from"), guide.say("rules.pair_to")
    return Pairs(head, pairs, guide.say("rules.pairs_caption")) if pairs else None


def _side(guide: Guide, role: Role) -> Sided:
    return Sided(role.name, guide.piece(role.id), role.id.upper())


def _sentences(guide: Guide, rule: Promotion, roles: tuple[str, ...]) -> Iterator[str]:
    say, pieces = guide.say, guide.pieces(roles)
    optional = rule.ranks - rule.forced
    if rule.touch:
        yield say("rules.zone_touch", n=len(rule.ranks), pieces=pieces, ranks=guide.ranks(rule.ranks))
    elif optional:
        yield say("rules.zone_into", n=len(optional), pieces=pieces, ranks=guide.ranks(optional))
    if rule.forced:
        yield say("rules.zone_forced", n=len(rule.forced), pieces=pieces, ranks=guide.ranks(rule.forced))
    if rule.by_file:
        yield say("rules.by_file", becomes=_by_file(guide, rule))
        return
    for role_id in roles:
        become = guide.pieces(guide.variant.promotions[role_id].to, either=True)
        yield say("rules.becomes", piece=guide.piece(role_id), become=become)
    limits = {to: most for role_id in roles for to, most in guide.variant.promotions[role_id].limits.items()}
    if limits:
        listed = guide.listed(f"{guide.piece(to)} ×{most}" for to, most in limits.items())
        yield say("rules.limits", pieces=listed)
    if limits and rule.forced and all(set(guide.variant.promotions[role].to) <= limits.keys() for role in roles):
        yield say("rules.stuck", pieces=pieces)


def _by_file(guide: Guide, rule: Promotion) -> str:
    """ "a: rook, b: lion, ..." in the order of the files."""
    letters = "abcdefghijklmnop"
    return ", ".join(f"{letter}: {guide.piece(to)}" for letter, to in zip(letters, rule.by_file, strict=False))


def _afterwards(guide: Guide) -> Iterator[str]:
    """What becomes of promoted pieces that are captured."""
    variant = guide.variant
    if variant.pocket is None or not variant.pocket.captures:
        return
    demoted = [(role.id, role.captured_as) for role in variant.roles if role.captured_as != role.id]
    if demoted:
        pairs = guide.listed(f"{guide.piece(role)} → {guide.piece(back)}" for role, back in demoted)
        yield guide.say("rules.demoted", pairs=pairs)
    elif any(to[0] != "+" for rule in variant.promotions.values() for to in rule.to):
        yield guide.say("rules.back_to_pawn")
