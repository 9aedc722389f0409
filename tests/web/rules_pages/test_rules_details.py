"""What readers once looked for in vain on the rules pages: other names, where sources differ, values, FENs."""

import re
from html import unescape

import pytest

from server.web.variant_words import names_in
from tests.support.rules.built_in import VARIANTS
from tests.web.rules_pages.reading import LANGUAGES


def section(pages, address, key, language="en"):
    """One section of a page, tags and all."""
    page = unescape(pages.read(f"/rules/{address}", language))
    return page.partition(f'id="{key}-title"')[2].partition("</section>")[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("chess960", ("Chess960", "Fischer Random")),
        ("seirawan", ("Seirawan Chess",)),
        ("capablanca960", ("Capablanca Random Chess",)),
    ],
)
def test_a_page_says_by_what_other_names_its_game_is_known(pages, address, names, language):
    told = section(pages, address, "introduction", language)
    assert all(name in told for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("address", "key", "link"),
    [
        ("grand", "history", "https://www.mindsports.nl/"),
        ("crazyhouse", "strategy", "https://lichess.org/variant/crazyhouse"),
        ("grandhouse", "strategy", "/rules/crazyhouse"),
    ],
)
def test_a_page_leads_on_to_where_more_is_told(pages, address, key, link, language):
    assert f'href="{link}"' in section(pages, address, key, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["grand", "grandhouse", "seirawan", "acedrex"])
def test_a_page_says_where_sources_differ_and_which_is_followed(pages, address, language):
    assert re.search("<p>|<li>", section(pages, address, "readings", language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_piece_that_can_be_exchanged_has_a_value(pages, variant, language):
    told = section(pages, variant.id, "values", language).lower()
    pieces = names_in(language, VARIANTS)[variant.id].roles
    for role in variant.roles:
        assert (f">{pieces[role.id].lower()}<" in told) == (not role.royal), role.name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_what_stands_in_a_fen_beside_the_pieces_is_explained(pages, variant, language):
    told = section(pages, variant.id, "notation", language)
    pocket = variant.pocket
    assert ("~" in told) == bool(pocket and pocket.captures and not any(role.id[0] == "+" for role in variant.roles))
    assert ("[" in told) == bool(pocket and pocket.order)
