"""The last sections: how a game ends, values, notation, and the prose on strategy, sources and history."""

from collections.abc import Iterator

from server.rules.diagrams.castling import castling
from server.rules.diagrams.diagram import Diagram, Proof
from server.rules.diagrams.pocket_moves import drop_groups, drop_zone, gating
from server.rules.diagrams.promotion import promotion_groups, promotion_zone
from server.rules.diagrams.reach import piece_diagrams
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle, Move, NormalMove
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.web.rules_pages.fen_sentences import fen_sentences
from server.web.rules_pages.page import Section, TextTable
from server.web.rules_pages.page_context import PageContext, bullets

PLIES_A_MOVE = 2


def endings(context: PageContext) -> Section:
    """How a game of the variant ends."""
    say, rule = context.say, context.variant.endings
    sentences = [
        say("rules.end_checkmate"),
        say("rules.end_stalemate_loss") if rule.stalemate_loses else say("rules.end_stalemate_draw"),
        say("rules.end_bare_king") if rule.bare_king_loses else "",
        say("rules.end_repetition", n=rule.repetition),
        _move_rule(context),
        say("rules.end_insufficient") if rule.insufficient else say("rules.end_never_insufficient"),
        say("rules.end_clock") if rule.insufficient else say("rules.end_clock_always"),
        say("rules.end_players"),
    ]
    return Section("endings", say("rules.endings"), context.with_prose("endings", bullets(*sentences)))


def _move_rule(context: PageContext) -> str:
    plies, pocket = context.variant.endings.move_rule, context.variant.pocket
    if not plies:
        return context.say("rules.end_no_move_rule")
    if pocket is not None and pocket.drops:
        return context.say("rules.end_move_rule_drops", n=plies // PLIES_A_MOVE)
    return context.say("rules.end_move_rule", n=plies // PLIES_A_MOVE)


def notation(context: PageContext) -> Section:
    """How its moves and positions are written."""
    say = context.say
    letters = [(context.piece(role.id), role.san, f"{role.id.upper()} / {role.id}") for role in context.variant.roles]
    blocks = context.with_prose(
        "notation",
        context.paragraph(say("rules.notation_intro")),
        context.paragraph(say("rules.notation_castling")) if context.variant.castling else None,
        TextTable((say("rules.piece"), say("rules.letter"), say("rules.fen_letter")), tuple(letters)),
        context.paragraph(say("rules.notation_examples")),
        TextTable((say("rules.move"), say("rules.written"), say("rules.uci")), tuple(_examples(context))),
        context.paragraph(say("rules.start_fen", fen=context.variant.start_fen)),
        bullets(*fen_sentences(context)),
    )
    return Section("notation", say("rules.notation"), blocks)


def values(context: PageContext) -> Section | None:
    """None if the variant does not say what its pieces are worth."""
    rows = tuple(
        (context.piece(role.id), f"{role.value:g}")
        for role in sorted(context.variant.roles, key=lambda role: role.value)
        if role.value
    )
    if not rows:
        return None
    say = context.say
    table = TextTable((say("rules.piece"), say("rules.value")), rows)
    blocks = context.with_prose("values", context.paragraph(say("rules.values_note")), table)
    return Section("values", say("rules.values"), blocks)


def _examples(context: PageContext) -> Iterator[tuple[str, str, str]]:
    """Moves from the diagrams of the page, so that they are known to be legal."""
    variant, say = context.variant, context.say
    officer = next(role for role in variant.roles if not role.pawn and not role.royal)
    diagram = next(iter(piece_diagrams(variant, officer)), None)
    if diagram is not None:
        for label, proof in zip((say("rules.a_move"), say("rules.a_capture")), diagram.marks[-1].proofs, strict=False):
            yield _written(context, label, proof)
    for _, roles in promotion_groups(variant)[:1]:
        if (zone := promotion_zone(variant, variant.role(roles[0]))) is not None:
            yield _written(context, say("rules.promotion"), zone.marks[-1].proofs[0])
    for _, roles in drop_groups(variant)[:1]:
        if (zone := drop_zone(variant, roles[-1])) is not None:
            yield _written(context, say("rules.a_drop"), zone.marks[len(zone.marks) // 2].proofs[0])
    if (diagrams := castling(variant)) is not None:
        for move, san, _ in diagrams.after:
            yield say("rules.castling"), san, move.uci
    if (gates := gating(variant)) is not None:
        yield from _gates(context, gates)


def _written(context: PageContext, label: str, proof: Proof) -> tuple[str, str, str]:
    position = parse_fen(context.variant, proof.fen, proof.chess960)
    return label, format_san(position, parse_uci(position, proof.uci)), proof.uci


def _gates(context: PageContext, gates: Diagram) -> Iterator[tuple[str, str, str]]:
    """One gate behind a plain move, and one while castling."""
    position, found = gates.position, dict[type, Move]()
    for move in legal_moves(position):
        if isinstance(move, NormalMove | Castle) and move.gate is not None:
            found.setdefault(type(move), move)
    for kind, label in ((NormalMove, context.say("rules.a_gate")), (Castle, context.say("rules.a_castling_gate"))):
        if kind in found:
            yield label, format_san(position, found[kind]), found[kind].uci


def written(context: PageContext) -> Iterator[Section]:
    """What people wrote about history, strategy and open points."""
    titles = (
        ("history", context.say("rules.history")),
        ("strategy", context.say("rules.strategy")),
        ("readings", context.say("rules.readings")),
    )
    for key, title in titles:
        if blocks := context.prose.of(key):
            yield Section(key, title, blocks)
