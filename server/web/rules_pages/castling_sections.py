"""Castling, and the 960 form with its shuffled first rank."""

from collections.abc import Iterator

from server.rules.diagrams.castles import CastlingShown, castling, castling_960
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.variant import Castling
from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.page import Figure, Figures, Link, Paragraph, Section, Text
from server.web.rules_pages.page_context import Guide, bullets


def castling_section(guide: Guide) -> Section:
    title = guide.say("rules.castling")
    rule, shown = guide.variant.castling, castling(guide.variant)
    if rule is None or shown is None:
        return Section("castling", title, guide.with_prose("castling", guide.paragraph(guide.say("rules.no_castling"))))
    sentences = [*_ends(guide, rule, shown), guide.say("rules.castling_conditions")]
    if rule.earned:
        sentences.append(_earned(guide, rule))
    if shown.start.variant.gates:
        sentences.append(guide.say("rules.castling_gate"))
    return Section("castling", title, guide.with_prose("castling", bullets(*sentences), _figures(guide, shown)))


def _ends(guide: Guide, rule: Castling, shown: CastlingShown) -> list[str]:
    """One sentence for each wing, from the squares of the move that the core listed."""
    names = guide.variant.geometry.names
    return [
        guide.say(
            "rules.castle_wing",
            san=san,
            king=f"{names[move.origin]}–{names[move.target]}",
            rook=f"{names[move.rook_origin]}–{names[move.rook_target]}",
            piece=guide.piece(rule.rook),
        )
        for move, san, _ in shown.after
    ]


def _earned(guide: Guide, rule: Castling) -> str:
    rooks = guide.listed([f"{FILE_LETTERS[file]}1" for file in sorted(rule.rook_from)], either=True)
    return guide.say("rules.castling_earned", king=f"{FILE_LETTERS[rule.king_from]}1", rooks=rooks)


def _figures(guide: Guide, shown: CastlingShown) -> Figures:
    before = Figure(shown.before, guide.say("rules.castle_before"))
    after = [Figure(diagram, guide.say("rules.castle_after", san=san)) for _, san, diagram in shown.after]
    return Figures((before, *after))


def shuffle_section(guide: Guide) -> Section | None:
    """None where there is no such form."""
    variant, say, shown = guide.variant, guide.say, castling_960(guide.variant)
    if shown is None or variant.castling is None:
        return None
    sentences = [say("rules.shuffle_what"), *_shuffle_rules(guide)]
    castles = [] if variant.castling.earned else [say("rules.shuffle_castling"), *_ends_960(guide, shown)]
    start = Figure(shown.start, say("rules.shuffle_caption"), large=guide.shuffled)
    figures = (start, *(_figures(guide, shown).figures if guide.shuffled else ()))
    title = say("rules.shuffle_title") if guide.shuffled else say("rules.shuffled_form")
    link = None if guide.shuffled else _own_page(guide)
    return Section("shuffle", title, guide.with_prose("shuffle", bullets(*sentences, *castles), Figures(figures), link))


def _shuffle_rules(guide: Guide) -> Iterator[str]:
    """What holds of every shuffled rank, and which of it is a rule of the game and which only of the shuffle here."""
    pairs = [one for one, other in guide.variant.opposite if one == other]
    for one in pairs:
        yield guide.say("rules.shuffle_pair", piece=guide.piece(one))
    yield guide.say("rules.shuffle_king")
    for one, other in guide.variant.opposite:
        if one != other:
            yield guide.say("rules.shuffle_two", pieces=guide.pieces((one, other)))
    if guide.variant.opposite:
        yield guide.say("rules.shuffle_by_hand")


def _ends_960(guide: Guide, shown: CastlingShown) -> Iterator[str]:
    names = guide.variant.geometry.names
    for move, san, _ in shown.after:
        yield guide.say("rules.castle_wing_960", san=san, king=names[move.target], rook=names[move.rook_target])


def _own_page(guide: Guide) -> Paragraph:
    called = guide.names.of_form(True).name
    return Paragraph((Text(f"{guide.say('rules.form_page')} "), Link(called, address_of(guide.variant.id, True))))
