"""The whole page of one variant, section after section."""

from server.rules.diagrams.castling import castling_960
from server.rules.diagrams.diagram import Diagram
from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.castling_sections import castling_section, shuffle_section
from server.web.rules_pages.closing_sections import endings, notation, values, written
from server.web.rules_pages.opening_sections import introduction, start
from server.web.rules_pages.page import RulesPage
from server.web.rules_pages.page_context import PageContext
from server.web.rules_pages.piece_sections import new_pieces, ordinary_pieces
from server.web.rules_pages.pocket_section import pocket_section
from server.web.rules_pages.promotion_section import promotion


def rules_page(context: PageContext) -> RulesPage:
    """All sections about a variant, or about its 960 form."""
    sections = (
        introduction(context),
        shuffle_section(context) if context.shuffled else start(context),
        new_pieces(context),
        ordinary_pieces(context),
        promotion(context),
        pocket_section(context),
        None if context.shuffled else castling_section(context),
        None if context.shuffled else shuffle_section(context),
        endings(context),
        values(context),
        *written(context),
        notation(context),
    )
    called = context.called
    found = tuple(section for section in sections if section is not None)
    address = address_of(context.variant.id, context.shuffled)
    return RulesPage(context.variant, address, called.name, called.tagline, called.differences, _start(context), found)


def _start(context: PageContext) -> Diagram:
    """The usual start; on the page of a 960 form one of its own."""
    variant = context.variant
    diagrams = castling_960(variant) if context.shuffled else None
    return Diagram(variant, variant.start_fen) if diagrams is None else diagrams.start
