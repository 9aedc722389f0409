"""The whole page of one variant, section after section."""

from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.castling_sections import castling_section, shuffle_section
from server.web.rules_pages.closing_sections import endings, notation, values, written
from server.web.rules_pages.opening_sections import introduction, start
from server.web.rules_pages.page import RulesPage
from server.web.rules_pages.page_context import Guide
from server.web.rules_pages.piece_sections import pieces
from server.web.rules_pages.pocket_section import hand
from server.web.rules_pages.promotion_section import promotion


def rules_page(guide: Guide) -> RulesPage:
    """Everything a reader gets to know about a variant, or about its 960 form."""
    sections = (
        introduction(guide),
        shuffle_section(guide) if guide.shuffled else start(guide),
        pieces(guide),
        promotion(guide),
        hand(guide),
        None if guide.shuffled else castling_section(guide),
        None if guide.shuffled else shuffle_section(guide),
        endings(guide),
        values(guide),
        *written(guide),
        notation(guide),
    )
    called = guide.called
    found = tuple(section for section in sections if section is not None)
    address = address_of(guide.variant.id, guide.shuffled)
    return RulesPage(guide.variant, address, called.name, called.tagline, called.differences, found)
