"""The sentences that rules pages make from data read as if somebody had written them, whatever a piece may do."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.language import load_words
from server.rules.variant.movement import parse_betza
from server.rules.variant.pieces import Role
from server.web.rules_pages.page import Bullets, Figures, Link, PageContext, Paragraph, Prose
from server.web.rules_pages.piece_sections import movement_sentences
from server.web.variant_words import names_in
from tests.support.rules.built_in import VARIANTS
from tests.web.rules_pages.reading import LANGUAGES

WORDS = load_words()
STILTED = re.compile(
    r"\b(\w+) \1\b|\bthe own\b|\bhis own\b|\bmen\b|\bin hand\b|\breserve\b|\bdoors?\b"
    r"|(\w\w: |\()(peón|caballo|alfil|torre|dama|duquesa|rey)[.)]"
    r"|Two of a kind|Into what|nobody may come|  |\s[.,;:)]|\.\.|,,|\(\)|\bel propio\b|[{}]",
    re.IGNORECASE,
)
"""Doubled words, names of pieces without an article, and turns of phrase that no chess player uses."""


def judge(sentence: str) -> None:
    assert not (found := STILTED.search(sentence)), f"{found and found[0]!r} in {sentence}"
    assert sentence.count("(") == sentence.count(")"), sentence
    assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
    assert sentence[-1] in ".:", sentence


def guide_of(variant, language):
    names = names_in(language, VARIANTS)[variant.id]
    return PageContext(variant, WORDS[language].plain, Prose({}, {}), names, ())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_sentence_of_a_page_is_whole(pages, language, variant):
    judged = 0
    for shuffled in {False, variant.chess960}:
        page = pages.composed(variant.id, language, shuffled)
        for section in (part for whole in page.sections for part in (whole, *whole.parts)):
            for block in section.blocks:
                for sentence in sentences(block):
                    if not sentence.endswith(variant.start_fen):
                        judge(sentence)
                        judged += 1
    assert judged > 60


def sentences(block):
    match block:
        case Bullets(items):
            yield from items
        case Figures(figures):
            yield from (figure.caption[:1].upper() + figure.caption[1:] for figure in figures)  # as pages show it
        case Paragraph(spans) if not isinstance(spans[-1], Link):
            yield "".join(span.text for span in spans)


MODIFIERS = st.lists(st.sampled_from(["f", "b", "s", "v", "m", "c", "i"]), unique=True, max_size=3).filter(
    lambda found: not {"m", "c"} <= set(found)
)
ATOMS = st.one_of(
    st.builds(
        lambda modifiers, atom, repeat: "".join(modifiers) + atom + repeat,
        MODIFIERS,
        st.sampled_from("WFDNAHCZGRBQK"),
        st.sampled_from(["", "0", "2", "3"]),
    ),
    st.sampled_from(["t[FR]", "t[NB]", "it[FR]"]),
)


@given(st.lists(ATOMS, min_size=1, max_size=4), st.sampled_from(LANGUAGES), st.booleans())
def test_any_movement_is_told_in_whole_sentences(betza, language, ranked):
    atoms = tuple(atom for text in betza for atom in parse_betza(text))
    role = Role("d", "dragon", "D", atoms, initial_ranks=frozenset((2, 3) if ranked else ()))
    told = movement_sentences(guide_of(VARIANTS["chess"], language), role)
    for sentence in told:
        judge(sentence)
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("betza", "told"),
    [
        ("fsW", "One square straight forward or sideways."),
        (
            "sN",
            "The knight's leap, two squares one way and one to the side, over anything in between, but only sideways.",
        ),
        ("mbF2", "Up to 2 free squares diagonally backward, without capturing."),
        ("fmWifmW2", "Two squares straight forward, as its first move only, if both are free."),
        ("N2", "up to 2 such leaps in the same direction"),
        ("K", "One square in any direction."),
        ("fK", "One square straight forward."),
    ],
)
def test_directions_and_repeats_are_told(betza, told):
    """A step forward or sideways is not one along any rank or file, and two leaps are not any number."""
    role = Role("d", "dragon", "D", parse_betza(betza))
    assert told in " ".join(movement_sentences(guide_of(VARIANTS["chess"], "en"), role))


def test_the_judge_of_sentences_can_fail():
    for bad in (
        "The own king.",
        "The the king.",
        "A king (here.",
        "a king.",
        "Two of a kind: bishop.",
        "Nunca enroca: torre.",
    ):
        with pytest.raises(AssertionError):
            judge(bad)
