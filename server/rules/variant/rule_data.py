"""A variant as data for a program that plays it: everything its rules depend on, not only what boards show.

What `describe` says, and under "rules" what a page need not know. Knows variants, no positions.
"""

from server.rules.variant.describe import Json, describe
from server.rules.variant.variant import Endings, Variant


def rule_data(variant: Variant) -> Json:
    """The whole variant, ready for JSON: positions, legal moves and endings follow from it."""
    return {**describe(variant), "rules": _rules(variant)}


def _rules(variant: Variant) -> Json:
    pocket, castling = variant.pocket, variant.castling
    return {
        "captures": pocket is not None and pocket.captures,
        "setup": pocket is not None and pocket.setup,
        "opposite": [list(pair) for pair in variant.opposite],
        "pairs": sorted(pocket.pairs) if pocket else [],
        "capturedAs": {role.id: role.captured_as for role in variant.roles},
        "limits": variant.promotion_limits,
        "castlingEarned": castling is not None and castling.earned,
        "firstMove": variant.first_move,
        "mating": [role.id for role in variant.roles if role.mates and not role.royal],
        "takeableKing": variant.takeable_king,
        "endings": _endings(variant.endings),
    }


def _endings(endings: Endings) -> Json:
    return {
        "stalemateLoses": endings.stalemate_loses,
        "bareKingLoses": endings.bare_king_loses,
        "moveRule": endings.move_rule,
        "repetition": endings.repetition,
        "insufficient": endings.insufficient,
    }
