"""The whole page of one variant, section after section."""

from server.web.rules_pages.castling_sections import castling_section, shuffle_section
from server.web.rules_pages.closing_sections import endings, notation, written
from server.web.rules_pages.guide import Guide
from server.web.rules_pages.hand_section import hand
from server.web.rules_pages.opening_sections import introduction, start
from server.web.rules_pages.page import RulesPage
from server.web.rules_pages.piece_sections import pieces
from server.web.rules_pages.promotion_section import promotion


def rules_page(guide: Guide) -> RulesPage:
    """Everything a reader gets to know about a variant."""
    sections = (
        introduction(guide),
        start(guide),
        pieces(guide),
        promotion(guide),
        hand(guide),
        castling_section(guide),
        shuffle_section(guide),
        endings(guide),
        *written(guide),
        notation(guide),
    )
    names = guide.names
    found = tuple(section for section in sections if section is not None)
    return RulesPage(guide.variant, names.name, names.tagline, names.differences, found)
