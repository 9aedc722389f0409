"""What may promote, where and to what, for Fairy-Stockfish.

It has one region for all of a side: pawns choose a piece there, and what has a promoted form of its own ("+n") may
take it when it moves into, within or out of the region.
"""

from collections.abc import Iterator

from server.rules.fairy_stockfish.army import Army, region
from server.rules.fairy_stockfish.inexpressible import Inexpressible, Part
from server.rules.variant.movement import Atom, Mode
from server.rules.variant.variant import Promotion, Variant


def promotion_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    """The lines of variants.ini. Raises Inexpressible."""
    rules = variant.promotions
    choices = rules.get(_pawn(variant))
    own_form = {role: rule for role, rule in rules.items() if rule.to == (f"+{role}",)}
    if choices is not None and _pawn(variant) in own_form:
        choices = None
    _check(variant, rules.keys() - own_form.keys())
    zone = next(iter(rules.values())).ranks if rules else frozenset[int]()
    yield f"promotionRegionWhite = {region(zone)}"
    yield f"promotionRegionBlack = {region(zone, variant.ranks)}"
    yield f"promotionPieceTypes = {pieces.written(choices.to if choices else ())}"
    if own_form:
        pairs = " ".join(f"{pieces.letters[role]}:{pieces.letters[rule.to[0]]}" for role, rule in own_form.items())
        yield f"promotedPieceType = {pairs}"
    if limits := variant.promotion_limits:
        yield f"promotionLimit = {' '.join(f'{pieces.letters[role]}:{most}' for role, most in limits.items())}"
    yield from _forced(variant, rules.get(_pawn(variant)))


def _pawn(variant: Variant) -> str:
    return next((role.id for role in variant.roles if role.pawn), "")


def _check(variant: Variant, choosing: set[str]) -> None:
    """`choosing`: the roles that do not simply take their own promoted form."""
    rules, pawn = variant.promotions, _pawn(variant)
    if choosing - {pawn}:
        raise Inexpressible(Part.PROMOTION, "only pawns choose what they become")
    if pawn in choosing and set(rules[pawn].to) & rules.keys():
        raise Inexpressible(Part.PROMOTION, "what a pawn became could promote once more")
    if len({rule.ranks for rule in rules.values()}) > 1:
        raise Inexpressible(Part.PROMOTION, "all promote in one region")
    if any(role.id[0] == "+" and role.id[1:] not in rules.keys() - choosing for role in variant.roles):
        raise Inexpressible(Part.PROMOTION, "a promoted form is one that the piece may take")
    for role, rule in rules.items():
        if rule.by_file:
            raise Inexpressible(Part.PROMOTION, "the file does not decide")
        if role == pawn:
            _check_pawn(rule)
        elif rule.forced or not rule.touch:
            raise Inexpressible(Part.PROMOTION, "pieces are free to promote within and out of the region, too")


def _check_pawn(rule: Promotion) -> None:
    """A pawn only goes forward, so leaving the region or moving within it means entering it first."""
    first = min(rule.ranks, default=0)
    if rule.touch and rule.ranks != frozenset(range(first, first + len(rule.ranks))):
        raise Inexpressible(Part.PROMOTION, "a pawn does not promote when it leaves the region")
    if rule.limits and rule.to[0][0] == "+":
        raise Inexpressible(Part.PROMOTION, "the promoted form of a pawn cannot be limited")


def _forced(variant: Variant, rule: Promotion | None) -> Iterator[str]:
    """Where a pawn must promote: everywhere in the region, nowhere, or only where it could not move on."""
    forced = rule.forced if rule else frozenset[int]()
    everywhere = rule is not None and forced == rule.ranks
    at_the_end = bool(forced) and not everywhere
    if at_the_end and forced != {variant.ranks}:
        raise Inexpressible(Part.PROMOTION, "it is forced in the whole region or on the last rank")
    if at_the_end and any(_can_be_stuck(variant, role.atoms) for role in variant.roles if not role.pawn):
        raise Inexpressible(Part.PROMOTION, "no piece may go where it could not move on")
    yield f"mandatoryPawnPromotion = {'true' if everywhere else 'false'}"
    yield f"immobilityIllegal = {'true' if at_the_end else 'false'}"


def _can_be_stuck(variant: Variant, atoms: tuple[Atom, ...]) -> bool:
    """Whether there is a square from which the piece could go nowhere, even on an empty board."""
    board = variant.geometry
    steps = {step for atom in atoms if atom.mode is not Mode.CAPTURE for step in atom.steps}
    return any(all(board.shifted(square, step) is None for step in steps) for square in range(board.size))
