"""What the front page shows of every variant, computed once: it is the same for everybody. Knows no request."""

from collections.abc import Mapping
from typing import Any

import orjson
from markupsafe import Markup

from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import start_position
from server.rules.notation.uci import format_uci
from server.rules.variant.variant import Variant
from server.web.variant_words import Names, described

ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def script_safe(json: str) -> Markup:
    """JSON that can stand inside a script element: no text in it can end the element or begin markup."""
    return Markup(json.translate(ESCAPES))


def to_json(value: Any) -> str:
    return orjson.dumps(value).decode()


def board_data(variant: Variant, names: Names) -> dict[str, Any]:
    """The variant for a live board: `described` and the legal first moves in UCI."""
    position = start_position(variant)
    return {**described(variant, names), "legal": [format_uci(position, move) for move in legal_moves(position)]}


def all_board_data(variants: Mapping[str, Variant], names: Mapping[str, Names]) -> str:
    """Every variant in the order of display, as one JSON array."""
    return to_json([board_data(variant, names[variant.id]) for variant in variants.values()])


ORTHODOX = frozenset({"pawn", "knight", "bishop", "rook", "queen", "king"})


def fairy_pieces(variant: Variant) -> list[str]:
    """The names of its pieces that chess does not have."""
    return [role.name for role in variant.roles if role.name not in ORTHODOX]


def featured_variant(variants: Mapping[str, Variant]) -> Variant:
    """Whose board greets a newcomer: the first one that has something to discover."""
    return next((variant for variant in variants.values() if fairy_pieces(variant)), next(iter(variants.values())))
