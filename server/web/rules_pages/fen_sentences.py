"""What a variant's FEN contains besides the pieces on the board, in sentences. Knows no page."""

from collections.abc import Iterator

from server.rules.diagrams.castling import castling_960
from server.rules.movegen.tables import tables_of
from server.web.rules_pages.page_context import PageContext


def fen_sentences(context: PageContext) -> Iterator[str]:
    """Yields what there is to say about pockets, marked letters and the third field."""
    variant, say = context.variant, context.say
    if (pocket := variant.pocket) is not None and pocket.order:
        first, last = pocket.order[0], pocket.order[-1]
        yield say("rules.fen_pockets", held=first.upper() + last, white=context.piece(first), black=context.piece(last))
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
    for role in variant.roles:
        if role.first_move:
            white, black = role.first_move.upper(), role.first_move
            yield say("rules.fen_first_move", white=white, black=black, piece=context.piece(role.id))
