"""The sections of a variant's rules page, from the facts and the start to the prose on strategy, sources and history.

All but the prose follows from the variant's data, so that a host's own variant has them too.
"""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Proof
from server.rules.diagrams.reach import piece_diagrams
from server.rules.diagrams.special_moves import (
    CastlingDiagrams,
    castling,
    castling_960,
    drop_groups,
    drop_zone,
    gating,
    promotion_groups,
    promotion_zone,
)
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle, Move, NormalMove
from server.rules.movegen.tables import tables_of
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color, Role, chess_pieces_in
from server.rules.variant.variant import FILE_LETTERS, Castling, Extinction, Pocket, Promotion
from server.web.rules_pages.page import (
    Block,
    Bullets,
    Figure,
    Figures,
    Link,
    PageContext,
    Pairs,
    Paragraph,
    RulesPage,
    Section,
    Sided,
    Text,
    TextTable,
    address_of,
    bullets,
)
from server.web.rules_pages.piece_sections import new_pieces, ordinary_pieces
from server.web.variant_words import capitalised, goal_in_words


def rules_page(context: PageContext) -> RulesPage:
    """All sections about a variant, or about its 960 form."""
    sections = (
        introduction_section(context),
        shuffle_section(context) if context.shuffled else start_section(context),
        new_pieces(context),
        ordinary_pieces(context),
        promotion_section(context),
        pocket_section(context),
        None if context.shuffled else castling_section(context),
        None if context.shuffled else shuffle_section(context),
        endings_section(context),
        values_section(context),
        *prose_sections(context),
        notation_section(context),
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


PLACE = "\0"
"""Marks where the link goes in a sentence."""


def introduction_section(context: PageContext) -> Section:
    """What differs from chess, and what the variant is about."""
    blocks: tuple[Block, ...] = (Bullets(context.called.differences), *_other_form(context))
    if context.shuffled:
        blocks += (_usual_form(context),)
    else:
        blocks += context.prose.blocks_of("introduction")
    return Section("introduction", context.say("rules.introduction"), blocks)


def _other_form(context: PageContext) -> tuple[Block, ...]:
    """Other names of the game, for those who know it by one of them."""
    names = context.prose.also_960 if context.shuffled else context.prose.also
    return (context.paragraph(context.say("rules.also", names=context.listed(names))),) if names else ()


def _usual_form(context: PageContext) -> Paragraph:
    before, _, after = context.say("rules.usual_form", variant=PLACE).partition(PLACE)
    return Paragraph((Text(before), Link(context.names.name, context.variant.id), Text(after)))


def _facts(context: PageContext) -> TextTable:
    variant, say = context.variant, context.say
    start = start_position(variant)
    white = sum(piece.white for piece in Diagram(variant, variant.start_fen).pieces()) + sum(start.pockets[0])
    rows = [
        (say("board.title"), say("rules.board_size", files=variant.files, ranks=variant.ranks)),
        (say("rules.army"), str(white)),
        (say("rules.first_moves"), str(len(legal_moves(start)))),
        (say("rules.captured_men"), _fate_of_captured(context)),
        (say("rules.castling"), say("rules.yes") if variant.castling else say("rules.no")),
        (say("rules.shuffled_form"), say("rules.yes") if variant.chess960 else say("rules.no")),
    ]
    return TextTable((), tuple(rows))


def _fate_of_captured(context: PageContext) -> str:
    pocket = context.variant.pocket
    return context.say("rules.change_sides") if pocket and pocket.captures else context.say("rules.leave_the_game")


def start_section(context: PageContext) -> Section:
    """The first position, with a diagram, and the facts of the board."""
    variant, say = context.variant, context.say
    diagram = Diagram(variant, variant.start_fen)
    caption = say("rules.start_caption", white=_placed(context, diagram))
    figures = Figures((Figure(diagram, caption, large=True),))
    return Section("start", say("board.start"), context.with_prose("start", figures, _facts(context)))


def _placed(context: PageContext, diagram: Diagram) -> str:
    """White's pieces by kind: "rook a1, h1; knight b1, g1"; a whole rank of one kind by its number."""
    names, found = context.variant.geometry.names, dict[str, list[str]]()
    for piece in diagram.pieces():
        if piece.white:
            found.setdefault(piece.role, []).append(names[piece.square])
    parts = []
    for role in context.variant.roles:
        squares = found.get(role.id, [])
        if len(squares) == context.variant.files and len({square[1:] for square in squares}) == 1:
            parts.append(context.say("rules.on_rank", piece=context.piece(role.id), rank=squares[0][1:]))
        elif squares:
            parts.append(f"{context.piece(role.id)} {', '.join(squares)}")
    return "; ".join(parts)


def promotion_section(context: PageContext) -> Section | None:
    """Which pieces promote where, and to what; None: none do."""
    groups = promotion_groups(context.variant)
    if not groups:
        return None
    sentences = [sentence for rule, roles in groups for sentence in _promotion_sentences(context, rule, roles)]
    figures = []
    for _, roles in groups:
        diagram = promotion_zone(context.variant, context.variant.role(roles[0]))
        if diagram is not None:
            figures.append(Figure(diagram, context.say("rules.zone_caption", pieces=context.the_pieces(roles))))
    listed = bullets(*sentences, *_after_promotion(context))
    blocks = context.with_prose("promotion", listed, _promotion_pairs(context), Figures(tuple(figures)))
    return Section("promotion", context.say("rules.promotion"), blocks)


def _promotion_pairs(context: PageContext) -> Pairs | None:
    """Pieces with a promoted side of their own, as in shogi; None if there are none."""
    variant = context.variant
    pairs = tuple(
        (_promotion_side(context, variant.role(role_id)), _promotion_side(context, variant.role(to)))
        for role_id, rule in variant.promotions.items()
        for to in rule.to
        if to[0] == "+"
    )
    head = context.say("rules.pair_from"), context.say("rules.pair_to")
    return Pairs(head, pairs, context.say("rules.pairs_caption")) if pairs else None


def _promotion_side(context: PageContext, role: Role) -> Sided:
    return Sided(role.name, context.piece(role.id), role.id.upper())


def _promotion_sentences(context: PageContext, rule: Promotion, roles: tuple[str, ...]) -> Iterator[str]:
    say, pieces = context.say, context.the_pieces(roles)
    optional = rule.ranks - rule.forced
    if rule.touch:
        yield say("rules.zone_touch", n=len(rule.ranks), pieces=pieces, ranks=context.ranks(rule.ranks))
    elif optional:
        yield say("rules.zone_into", n=len(optional), pieces=pieces, ranks=context.ranks(optional))
    if rule.forced:
        yield say("rules.zone_forced", n=len(rule.forced), pieces=pieces, ranks=context.ranks(rule.forced))
    if rule.by_file:
        yield say("rules.by_file", becomes=_promotion_by_file(context, rule))
        return
    for role_id in roles:
        become = context.pieces(context.variant.promotions[role_id].to, either=True)
        yield capitalised(say("rules.becomes", piece=context.the(role_id), become=become))
    limits = {to: most for role_id in roles for to, most in context.variant.promotions[role_id].limits.items()}
    for most in sorted(set(limits.values())):
        limited = context.pieces((to for to, limit in limits.items() if limit == most), either=most == 1)
        yield say("rules.limits", n=most, pieces=limited)
    if limits and rule.forced and all(set(context.variant.promotions[role].to) <= limits.keys() for role in roles):
        yield say("rules.stuck", pieces=pieces)


def _promotion_by_file(context: PageContext, rule: Promotion) -> str:
    """ "a: rook, b: lion, ..." in the order of the files."""
    return ", ".join(f"{letter}: {context.piece(to)}" for letter, to in zip(FILE_LETTERS, rule.by_file, strict=False))


def _after_promotion(context: PageContext) -> Iterator[str]:
    """What becomes of promoted pieces that are captured."""
    variant = context.variant
    if variant.pocket is None or not variant.pocket.captures:
        return
    demoted = [(role.id, role.captured_as) for role in variant.roles if role.captured_as != role.id]
    if demoted:
        pairs = context.listed(f"{context.piece(role)} → {context.piece(back)}" for role, back in demoted)
        yield context.say("rules.demoted", pairs=pairs)
    elif any(to[0] != "+" for rule in variant.promotions.values() for to in rule.to):
        yield context.say("rules.back_to_pawn")


def castling_section(context: PageContext) -> Section:
    """How the variant castles, with diagrams; or that it does not."""
    title = context.say("rules.castling")
    rule, diagrams = context.variant.castling, castling(context.variant)
    if rule is not None and diagrams is None:
        return Section(
            "castling", title, context.with_prose("castling", bullets(context.say("rules.castling_conditions")))
        )
    if rule is None or diagrams is None:
        return Section(
            "castling", title, context.with_prose("castling", context.paragraph(context.say("rules.no_castling")))
        )
    sentences = [*_castling_ends(context, rule, diagrams), context.say("rules.castling_conditions")]
    if rule.earned:
        sentences.append(_earned_rights(context, rule))
    if diagrams.start.variant.gates:
        sentences.append(context.say("rules.castling_gate"))
    return Section(
        "castling", title, context.with_prose("castling", bullets(*sentences), _castling_figures(context, diagrams))
    )


def _castling_ends(context: PageContext, rule: Castling, diagrams: CastlingDiagrams) -> list[str]:
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


def _earned_rights(context: PageContext, rule: Castling) -> str:
    rooks = context.listed([f"{FILE_LETTERS[file]}1" for file in sorted(rule.rook_from)], either=True)
    return context.say("rules.castling_earned", king=f"{FILE_LETTERS[rule.king_from]}1", rooks=rooks)


def _castling_figures(context: PageContext, diagrams: CastlingDiagrams) -> Figures:
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
    figures = (start, *(_castling_figures(context, diagrams).figures if context.shuffled else ()))
    title = say("rules.shuffle_title") if context.shuffled else say("rules.shuffled_form")
    link = None if context.shuffled else _own_page(context)
    return Section(
        "shuffle", title, context.with_prose("shuffle", bullets(*sentences, *castles), Figures(figures), link)
    )


def _shuffle_rules(context: PageContext) -> Iterator[str]:
    """What is true of every shuffled rank, and which of that is a rule of the game rather than of our shuffle."""
    pairs = [one for one, other in context.variant.opposite if one == other]
    for one in pairs:
        yield context.say("rules.shuffle_pair", piece=context.the(one))
    yield context.say("rules.shuffle_king")
    for one, other in context.variant.opposite:
        if one != other:
            yield capitalised(context.say("rules.shuffle_two", pieces=context.the_pieces((one, other))))
    if context.variant.opposite:
        yield context.say("rules.shuffle_by_hand")


def _ends_960(context: PageContext, diagrams: CastlingDiagrams) -> Iterator[str]:
    names = context.variant.geometry.names
    for move, san, _ in diagrams.after:
        yield context.say("rules.castle_wing_960", san=san, king=names[move.target], rook=names[move.rook_target])


def _own_page(context: PageContext) -> Paragraph:
    called = context.names.of_form(True).name
    return Paragraph((Text(f"{context.say('rules.form_page')} "), Link(called, address_of(context.variant.id, True))))


def pocket_section(context: PageContext) -> Section | None:
    """What fills a pocket, and how pieces come in; None: the variant has no pocket."""
    pocket = context.variant.pocket
    if pocket is None:
        return None
    sentences = [*_pocket_filling(context, pocket), *_drop_rules(context, pocket), *_gating_rules(context, pocket)]
    figures = tuple(_drop_figures(context))
    if (gates := gating(context.variant)) is not None:
        figures += (Figure(gates, context.say("rules.gate_caption")),)
    blocks = context.with_prose("pocket", bullets(*sentences), Figures(figures) if figures else None)
    # The id is part of the page's address (#hand), which links out in the world have kept.
    return Section("hand", _pocket_title(context, pocket), blocks)


def _pocket_title(context: PageContext, pocket: Pocket) -> str:
    if pocket.setup:
        return context.say("rules.setup")
    if context.variant.gates:
        return context.say("rules.gating_and_drops") if pocket.drops else context.say("rules.gating")
    return context.say("rules.drops")


def _pocket_filling(context: PageContext, pocket: Pocket) -> Iterator[str]:
    if held := context.names.in_pocket(start_position(context.variant), Color.WHITE):
        yield context.say("rules.held_at_start", pieces=context.listed(held))
    yield context.say("rules.captures_to_pocket") if pocket.captures else context.say("rules.captures_gone")


def _drop_rules(context: PageContext, pocket: Pocket) -> Iterator[str]:
    say, variant = context.say, context.variant
    if not pocket.drops:
        yield say("rules.no_drops")
        return
    yield say("rules.setup_first") if pocket.setup else say("rules.drop_instead")
    for ranks, roles in drop_groups(variant):
        if len(ranks) == variant.ranks:
            yield capitalised(say("rules.drop_anywhere", pieces=context.the_pieces(roles)))
        else:
            pieces = context.the_pieces(roles)
            yield capitalised(say("rules.drop_ranks", n=len(ranks), pieces=pieces, ranks=context.ranks(ranks)))
    if pocket.pairs:
        yield say("rules.opposite_colors", pieces=context.the_pieces(sorted(pocket.pairs)))
    if pocket.setup:
        return
    yield say("rules.drop_mates")
    for role in variant.roles:
        if role.pawn and role.initial_ranks & pocket.ranks.get(role.id, frozenset()):
            yield say("rules.dropped_pawn_doubles", n=len(role.initial_ranks), ranks=context.ranks(role.initial_ranks))
    if variant.castling:
        yield capitalised(say("rules.dropped_rook", piece=context.the(variant.castling.rook)))


def _drop_figures(context: PageContext) -> Iterator[Figure]:
    groups = drop_groups(context.variant)
    for ranks, roles in groups:
        if len(groups) > 1 and len(ranks) == context.variant.ranks:
            continue  # a board full of marks says no more than the sentence
        if (diagram := drop_zone(context.variant, roles[0])) is not None:
            yield Figure(diagram, context.say("rules.drop_caption", pieces=context.the_pieces(roles)))


def _gating_rules(context: PageContext, pocket: Pocket) -> Iterator[str]:
    variant, say = context.variant, context.say
    if not variant.gates:
        return
    yield say("rules.gate_how", pieces=context.pieces(variant.gates, either=True))
    yield say("rules.gate_legal")
    if variant.castling:
        yield say("rules.gate_castling")
    if not pocket.drops:
        yield say("rules.gate_lost")
    else:
        yield say("rules.gate_not_dropped")


PLIES_A_MOVE = 2


def endings_section(context: PageContext) -> Section:
    """How a game of the variant ends."""
    say, rule = context.say, context.variant.endings
    sentences = [
        say("rules.end_checkmate") if context.variant.king else say("rules.end_no_king"),
        *_without_king(context),
        say("rules.explodes") if context.variant.explodes else "",
        say("rules.must_capture") if context.variant.must_capture else "",
        say("rules.may_not_check") if context.variant.may_not_check else "",
        _stalemate(context),
        _extinction(context, rule.extinction) if rule.extinction else "",
        say("rules.end_bare_king") if rule.bare_king_loses else "",
        goal_in_words(context.variant, context.names, say),
        say("rules.end_checks", n=rule.checks) if rule.checks else "",
        " ".join([say("rules.end_repetition", n=rule.repetition), *_sameness(context)]),
        _move_rule(context),
        say("rules.end_insufficient") if rule.insufficient else say("rules.end_never_insufficient"),
        " ".join([say("rules.end_clock"), *_no_mate(context)]) if rule.insufficient else say("rules.end_clock_always"),
        say("rules.end_players"),
    ]
    return Section("endings", say("rules.endings"), context.with_prose("endings", bullets(*sentences)))


def _stalemate(context: PageContext) -> str:
    rule = context.variant.endings
    if rule.stalemate_wins:
        return context.say("rules.end_stalemate_win")
    return context.say("rules.end_stalemate_loss") if rule.stalemate_loses else context.say("rules.end_stalemate_draw")


def _without_king(context: PageContext) -> Iterator[str]:
    if context.variant.king and any(context.variant.kingless):
        yield context.say("rules.end_white_no_king" if context.variant.kingless[0] else "rules.end_black_no_king")


def _extinction(context: PageContext, rule: Extinction) -> str:
    """Which pieces a side must not lose, or must."""
    if rule.kinds:
        kinds = context.pieces(rule.kinds, either=True)
        key = "rules.end_extinct_kind_wins" if rule.wins else "rules.end_extinct_kind"
        said = context.say(key, pieces=kinds, left=rule.left)
    else:
        key = "rules.end_extinct_wins" if rule.wins else "rules.end_extinct"
        said = context.say(key, left=rule.left)
    more = [context.say("rules.end_extinct_against", n=rule.against)] if rule.against else []
    more += [context.say("rules.end_extinct_reply")] if rule.reply else []
    return " ".join([said, *more])


def _sameness(context: PageContext) -> Iterator[str]:
    """What makes a position the same beyond what stands where."""
    variant, say = context.variant, context.say
    if any(atom.en_passant for role in variant.roles for atom in role.atoms):
        yield say("rules.end_repetition_en_passant")
    if variant.pocket is not None:
        yield say("rules.end_repetition_pocket")
    if variant.gates:
        yield say("rules.end_repetition_gates")
    if any(kind is not None and kind.marked for kind in tables_of(variant).codes.kinds):
        yield say("rules.end_repetition_marked")


def _no_mate(context: PageContext) -> Iterator[str]:
    """With what, besides a bare king, nobody can be mated by any moves."""
    variant, codes = context.variant, tables_of(context.variant).codes

    def named(kinds: frozenset[int]) -> list[str]:
        return [role.id for role in variant.roles if codes.placed[0][role.id] in kinds]

    knights, queens = named(codes.like_knights - codes.mating), named(codes.like_queens)
    if knights and queens:
        one, others = context.pieces(knights, either=True), context.pieces([variant.king, *queens])
        yield context.say("rules.end_clock_leaper", piece=one, others=others)
    if bishops := named(codes.like_bishops - codes.mating):
        others = context.pieces([variant.king, *bishops, *named(codes.like_rooks)])
        yield context.say("rules.end_clock_bound", pieces=context.the_pieces(bishops), others=others)


def _move_rule(context: PageContext) -> str:
    plies, pocket = context.variant.endings.move_rule, context.variant.pocket
    if not plies:
        return context.say("rules.end_no_move_rule")
    if pocket is not None and pocket.drops:
        return context.say("rules.end_move_rule_drops", n=plies // PLIES_A_MOVE)
    return context.say("rules.end_move_rule", n=plies // PLIES_A_MOVE)


def notation_section(context: PageContext) -> Section:
    """How its moves and positions are written."""
    say = context.say
    letters = [
        (context.piece(role.id), _letter(context, role), f"{role.id.upper()} / {role.id}")
        for role in context.variant.roles
    ]
    blocks = context.with_prose(
        "notation",
        context.paragraph(" ".join(_notation_sentences(context))),
        context.paragraph(say("rules.notation_castling")) if context.variant.castling else None,
        TextTable((say("rules.piece"), say("rules.letter"), say("rules.fen_letter")), tuple(letters)),
        context.paragraph(say("rules.notation_examples")),
        TextTable((say("rules.move"), say("rules.written"), say("rules.uci")), tuple(_notation_examples(context))),
        context.paragraph(say("rules.start_fen", fen=context.variant.start_fen)),
        bullets(*fen_sentences(context)),
    )
    return Section("notation", say("rules.notation"), blocks)


def _letter(context: PageContext, role: Role) -> str:
    """What a piece is called in moves; a pawn only when it is dropped."""
    if not role.pawn:
        return role.san
    dropped = any(role.id in roles for _, roles in drop_groups(context.variant))
    return context.say("rules.letter_in_drops", letter=role.san) if dropped else "–"


def _notation_sentences(context: PageContext) -> Iterator[str]:
    """What the signs of a move mean, of those that the variant's moves have."""
    variant, say = context.variant, context.say
    yield say("rules.notation_intro")
    if rook := next((role.san for role in variant.roles if chess_pieces_in(role.atoms) == ("rook",)), ""):
        yield say("rules.notation_unclear", by_file=f"{rook}ad1", by_rank=f"{rook}1d3")
    if variant.promotions:
        yield say("rules.notation_promotion")
    if drop_groups(variant):
        piece = next(role for role in variant.roles if not role.pawn and not role.royal).san
        yield say("rules.notation_drop", example=f"{piece}@d4")


def values_section(context: PageContext) -> Section | None:
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


def _notation_examples(context: PageContext) -> Iterator[tuple[str, str, str]]:
    """Moves from the diagrams of the page, so that they are known to be legal."""
    variant, say = context.variant, context.say
    officer = next(role for role in variant.roles if not role.pawn and not role.royal)
    diagram = next(iter(piece_diagrams(variant, officer)), None)
    if diagram is not None:
        for label, proof in zip((say("rules.a_move"), say("rules.a_capture")), diagram.marks[-1].proofs, strict=False):
            yield _notated(context, label, proof)
    for _, roles in promotion_groups(variant)[:1]:
        if (zone := promotion_zone(variant, variant.role(roles[0]))) is not None:
            yield _notated(context, say("rules.promotion"), zone.marks[-1].proofs[0])
    for _, roles in drop_groups(variant)[:1]:
        if (zone := drop_zone(variant, roles[-1])) is not None:
            yield _notated(context, say("rules.a_drop"), zone.marks[len(zone.marks) // 2].proofs[0])
    if (diagrams := castling(variant)) is not None:
        for move, san, _ in diagrams.after:
            yield say("rules.castling"), san, move.uci
    if (gates := gating(variant)) is not None:
        yield from _gate_examples(context, gates)


def _notated(context: PageContext, label: str, proof: Proof) -> tuple[str, str, str]:
    position = parse_fen(context.variant, proof.fen, proof.chess960)
    return label, format_san(position, parse_uci(position, proof.uci)), proof.uci


def _gate_examples(context: PageContext, gates: Diagram) -> Iterator[tuple[str, str, str]]:
    """One gate behind a plain move, and one while castling."""
    position, found = gates.position, dict[type, Move]()
    for move in legal_moves(position):
        if isinstance(move, NormalMove | Castle) and move.gate is not None:
            found.setdefault(type(move), move)
    for kind, label in ((NormalMove, context.say("rules.a_gate")), (Castle, context.say("rules.a_castling_gate"))):
        if kind in found:
            yield label, format_san(position, found[kind]), found[kind].uci


def prose_sections(context: PageContext) -> Iterator[Section]:
    """What people wrote about history, strategy and open points."""
    titles = (
        ("history", context.say("rules.history")),
        ("strategy", context.say("rules.strategy")),
        ("readings", context.say("rules.readings")),
    )
    for key, title in titles:
        if blocks := context.prose.blocks_of(key):
            yield Section(key, title, blocks)


def fen_sentences(context: PageContext) -> Iterator[str]:
    """Yields what there is to say about pockets, marked letters and the third field."""
    variant, say = context.variant, context.say
    if (pocket := variant.pocket) is not None and pocket.order:
        first, last = pocket.order[0], pocket.order[-1]
        yield say("rules.fen_pockets", held=first.upper() + last, white=context.the(first), black=context.the(last))
    codes = tables_of(variant).codes
    marked = [codes.symbols[code] for code, kind in enumerate(codes.kinds) if kind is not None and kind.marked]
    if marked:
        yield say("rules.fen_marked", example=marked[0])
    if promoted := [role.id.upper() for role in variant.roles if role.id[0] == "+"]:
        yield say("rules.fen_promoted", example=promoted[0])
    if variant.castling is not None:
        yield say("rules.fen_castling")
    if (diagrams := castling_960(variant)) is not None:
        yield say("rules.fen_castling_960", rights=diagrams.start.fen.split(" ")[2])
    if variant.gates:
        yield say("rules.fen_gates")
    if checks := context.variant.endings.checks:
        yield say("rules.fen_checks", n=checks)
    for role in variant.roles:
        if role.first_move:
            white, black = role.first_move.upper(), role.first_move
            yield say("rules.fen_first_move", white=white, black=black, piece=context.the(role.id))
