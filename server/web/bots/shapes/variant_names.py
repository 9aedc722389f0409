"""What variants are called in the Bot API: by their tags in a PGN, which are those of lichess where it has them."""

from dataclasses import dataclass

from server.games.terms import Terms
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.pgn_tags import plain_name
from server.rules.variant.variant import Variant
from server.web.bots.shapes.answers import VariantTag

OWN_START = "startpos"
"""The first position of a game that begins as its variant always does."""
SET_UP = "From Position"
"""What lichess calls a game of its standard variant with another start. Our data has that name, too."""


@dataclass(frozen=True, slots=True)
class VariantName:
    key: str
    name: str


def variant_name(variant: Variant, *, chess960: bool, own_start: bool = True) -> VariantName:
    """`own_start`: the game begins as the variant always does."""
    if chess960:
        tag = variant.pgn_tag_960
        return VariantName(plain_name(tag if tag != variant.pgn_tag else f"{tag}960"), tag)
    if not own_start and SET_UP in variant.pgn_aliases:
        return VariantName("fromPosition", SET_UP)
    return VariantName(plain_name(variant.pgn_tag), variant.pgn_tag)


def begins_as_ever(terms: Terms) -> bool:
    """Does the game begin with the only start position of its variant?"""
    return not terms.chess960 and terms.start_fen == format_fen(start_position(terms.variant))


def variant_of(terms: Terms) -> VariantTag:
    """The variant as lichess names it; any variant that it lacks by this site's own id."""
    found = variant_name(terms.variant, chess960=terms.chess960, own_start=terms.chess960 or begins_as_ever(terms))
    return {"key": found.key, "name": found.name, "short": found.name}


def initial_fen(terms: Terms) -> str:
    """The first position, or OWN_START."""
    return OWN_START if begins_as_ever(terms) else terms.start_fen
