"""Castling, and the 960 form with its shuffled first rank."""

from collections.abc import Iterator

from server.rules.diagrams.castling import CastlingDiagrams, castling, castling_960
from server.rules.variant.board import FILE_LETTERS
from server.rules.variant.variant import Castling
from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.page import Figure, Figures, Link, Paragraph, Section, Text
from server.web.rules_pages.page_context import PageContext, bullets


def castling_section(context: PageContext) -> Section:
    """How the variant castles, with diagrams; or that it does not."""
    title = context.say("rules.castling")
    rule, diagrams = context.variant.castling, castling(context.variant)
    if rule is None or diagrams is None:
        return Section(
            "castling", title, context.with_prose("castling", context.paragraph(context.say("rules.no_castling")))
        )
    sentences = [*_ends(context, rule, diagrams), context.say("rules.castling_conditions")]
    if rule.earned:
        sentences.append(_earned(context, rule))
    if diagrams.start.variant.gates:
        sentences.append(context.say("rules.castling_gate"))
    return Section("castling", title, context.with_prose("castling", bullets(*sentences), _figures(context, diagrams)))


def _ends(context: PageContext, rule: Castling, diagrams: CastlingDiagrams) -> list[str]:
    """One sentence for each wing, from the squares of the legal move."""
    names = context.variant.geometry.names
    return [
        context.say(
            "rules.castle_wing",
            san=san,
            king=f"{names[move.origin]}–{names[move.target]}",
            rook=f"{names[move.rook_origin]}–{names[move.rook_target]}",
            piece=context.piece(rule.rook),
        )
        for move, san, _ in diagrams.after
    ]


def _earned(context: PageContext, rule: Castling) -> str:
    rooks = context.listed([f"{FILE_LETTERS[file]}1" for file in sorted(rule.rook_from)], either=True)
    return context.say("rules.castling_earned", king=f"{FILE_LETTERS[rule.king_from]}1", rooks=rooks)


def _figures(context: PageContext, diagrams: CastlingDiagrams) -> Figures:
    before = Figure(diagrams.before, context.say("rules.castle_before"))
    after = [Figure(diagram, context.say("rules.castle_after", san=san)) for _, san, diagram in diagrams.after]
    return Figures((before, *after))


def shuffle_section(context: PageContext) -> Section | None:
    """None if the variant has no 960 form."""
    variant, say, diagrams = context.variant, context.say, castling_960(context.variant)
    if diagrams is None or variant.castling is None:
        return None
    sentences = [say("rules.shuffle_what"), *_shuffle_rules(context)]
    castles = [] if variant.castling.earned else [say("rules.shuffle_castling"), *_ends_960(context, diagrams)]
    start = Figure(diagrams.start, say("rules.shuffle_caption"), large=context.shuffled)
    figures = (start, *(_figures(context, diagrams).figures if context.shuffled else ()))
    title = say("rules.shuffle_title") if context.shuffled else say("rules.shuffled_form")
    link = None if context.shuffled else _own_page(context)
    return Section(
        "shuffle", title, context.with_prose("shuffle", bullets(*sentences, *castles), Figures(figures), link)
    )


def _shuffle_rules(context: PageContext) -> Iterator[str]:
    """What is true of every shuffled rank, and which of that is a rule of the game rather than of our shuffle."""
    pairs = [one for one, other in context.variant.opposite if one == other]
    for one in pairs:
        yield context.say("rules.shuffle_pair", piece=context.piece(one))
    yield context.say("rules.shuffle_king")
    for one, other in context.variant.opposite:
        if one != other:
            yield context.say("rules.shuffle_two", pieces=context.pieces((one, other)))
    if context.variant.opposite:
        yield context.say("rules.shuffle_by_hand")


def _ends_960(context: PageContext, diagrams: CastlingDiagrams) -> Iterator[str]:
    names = context.variant.geometry.names
    for move, san, _ in diagrams.after:
        yield context.say("rules.castle_wing_960", san=san, king=names[move.target], rook=names[move.rook_target])


def _own_page(context: PageContext) -> Paragraph:
    called = context.names.of_form(True).name
    return Paragraph((Text(f"{context.say('rules.form_page')} "), Link(called, address_of(context.variant.id, True))))
