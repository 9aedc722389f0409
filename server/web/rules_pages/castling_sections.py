"""Castling, and the form of the game with a shuffled first rank."""

from server.rules.board import FILE_LETTERS
from server.rules.diagrams.castles import CastlingShown, castling, castling_960
from server.rules.variant import Castling
from server.web.rules_pages.guide import Guide, bullets
from server.web.rules_pages.page import Figure, Figures, Section


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
    sentences = [say("rules.shuffle_what")]
    for one, other in variant.opposite:
        sentences.append(
            say("rules.shuffle_pair", piece=guide.piece(one))
            if one == other
            else say("rules.shuffle_two", pieces=guide.pieces((one, other)))
        )
    sentences += [say("rules.shuffle_king"), say("rules.shuffle_castling")]
    start = Figure(shown.start, say("rules.shuffle_caption"), large=False)
    figures = Figures((start, *_figures(guide, shown).figures))
    return Section("shuffle", say("rules.shuffled_form"), guide.with_prose("shuffle", bullets(*sentences), figures))
